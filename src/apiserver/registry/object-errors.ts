import { listAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type FieldError, invalidValue } from '../../kubernetes/field-error.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { kindDefinitionOf } from './kind-definition.js';
import { objectMetaChanges, objectMetaErrors, objectNameErrors } from './object-meta.js';
import { FieldPath } from './validation/field-path.js';
import type { KindRules, UpdateStep } from './validation/kind-rules.js';

/** Validates a new object. Source: apiserver registry/rest BeforeCreate. */
export function createErrors(server: ApiServer, object: ValueMap, resource: Resource, rules: KindRules): FieldError[] {
  const field = FieldPath.root(server, object);
  if (rules.metadataLast !== true) field.add(objectMetaErrors(server, object, resource), finalizerNameErrors(server, object, resource));
  rules.create(field);
  // What has no errors the first time has none the second.
  return field.errors.length > 0 || rules.metadataLast !== true ? field.errors : objectMetaErrors(field.server, object, resource);
}

/**
 * Validates a changed object beyond the common checks. `isMetaValid`: these have found no error in the metadata and its changes, which are then not checked
 * again. Source: apiserver registry/rest BeforeUpdate.
 */
export function updateErrors(
  server: ApiServer,
  object: ValueMap,
  old: ValueMap,
  {
    resource,
    steps,
    isMetaValid = false,
  }: { readonly resource: Resource; readonly steps: readonly UpdateStep[]; readonly isMetaValid?: boolean },
): FieldError[] {
  const field = FieldPath.root(server, object);
  const metaErrors = isMetaValid ? objectNameErrors : objectMetaErrors;
  for (const step of steps) {
    if (step === 'metadata') field.add(metaErrors(server, object, resource), finalizerNameErrors(server, object, resource));
    else if (step === 'changes')
      field.add(isMetaValid ? [] : objectMetaChanges(server, object, old), finalizerNameErrors(server, object, resource));
    else step(field, FieldPath.root(server, old));
  }
  return field.errors;
}

/**
 * Validates finalizer names of built-in kinds, which need a domain, except for a few standard ones. Source: core/validation
 * ValidateObjectMeta.
 */
export function finalizerNameErrors(server: ApiServer, object: ValueMap, resource: Resource): FieldError[] {
  if (kindDefinitionOf(server, resource).anyFinalizers === true) return [];
  return listAt(object, 'metadata', 'finalizers').flatMap((value, index) => {
    const finalizer = String(value);
    if (finalizer.includes('/') || standardFinalizers.includes(finalizer)) return [];
    const message = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalidValue(`metadata.finalizers[${index}]`, finalizer, message)];
  });
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];
