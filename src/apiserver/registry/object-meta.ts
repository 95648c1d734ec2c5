import { compareKeys, goString } from '../../go/json/write.js';
import { quote } from '../../go/quote.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type FieldError, forbiddenField, invalidValue, required, tooLong } from '../../kubernetes/field-error.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
  labelValueProblems,
  pathSegmentPrefixProblems,
  pathSegmentProblems,
} from '../../kubernetes/name-rules.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { encodeTyped } from '../objects/encode-typed.js';
import { zeroTimeText } from '../objects/leaf-text.js';
import { type KindDefinition, kindDefinitionOf } from './kind-definition.js';

const annotationsLimit = 262_144;

/**
 * Validates an object's metadata, in the API server's order; the name by the kind's rule if none is given. Source: apimachinery
 * api/validation/objectmeta.go.
 */
export function objectMetaErrors(
  server: ApiServer,
  object: ValueMap,
  resource: Resource,
  problems: NameProblems | undefined = undefined,
): FieldError[] {
  return [...objectNameErrors(server, object, resource, problems), ...namelessErrors(server, object, resource)];
}

type NameProblems = NonNullable<KindDefinition['nameProblems']>;

/** Validates an object's name only: the first part of `objectMetaErrors`. */
export function objectNameErrors(
  server: ApiServer,
  object: ValueMap,
  resource: Resource,
  problems: NameProblems = kindDefinitionOf(server, resource).nameProblems ?? dns1123SubdomainProblems,
): FieldError[] {
  const { prefixProblems, anyGenerateNameSince: minor } = kindDefinitionOf(server, resource);
  const rule = (name: string): string[] => problems(name, object, server);
  const ownRule = prefixProblems ?? ((prefix: string): string[] => rule(withoutTrailingDash(prefix)));
  return nameErrors(mapAt(object, 'metadata'), rule, minor !== undefined && server.since(minor) ? () => [] : ownRule);
}

function namelessErrors(server: ApiServer, object: ValueMap, resource: Resource): FieldError[] {
  const metadata = mapAt(object, 'metadata');
  return [
    ...namespaceErrors(metadata, resource),
    ...generationErrors(metadata, 'metadata.generation'),
    ...labelErrors(server, textsAt(metadata, 'labels'), 'metadata.labels'),
    ...annotationErrors(server, textsAt(metadata, 'annotations'), 'metadata.annotations'),
    ...ownerReferenceErrors(server, listAt(metadata, 'ownerReferences'), 'metadata.ownerReferences'),
    ...finalizerErrors(server, listAt(metadata, 'finalizers'), 'metadata.finalizers'),
  ];
}

/** Validates the metadata on an update of any kind: the metadata itself, regardless of the kind's name rules, and its changes. */
export function objectMetaUpdateErrors(server: ApiServer, object: ValueMap, old: ValueMap, resource: Resource): FieldError[] {
  return [
    ...nameErrors(mapAt(object, 'metadata'), pathSegmentProblems, pathSegmentPrefixProblems),
    ...namelessErrors(server, object, resource),
    ...objectMetaChanges(server, object, old),
  ];
}

/** Validates the changes of metadata in an update. Source: ValidateObjectMetaAccessorUpdate. */
export function objectMetaChanges(server: ApiServer, object: ValueMap, old: ValueMap): FieldError[] {
  const errors: FieldError[] = newFinalizerErrors(object, old);
  const immutable = (field: string): void => {
    const value = valueAt(object, 'metadata', field);
    // A uid has a named type, which errors show as JSON.
    const shown = field === 'uid' && typeof value === 'string' ? { rawJson: goString(value) } : bad(value);
    if (value !== valueAt(old, 'metadata', field)) errors.push(invalidValue(`metadata.${field}`, shown, 'field is immutable'));
  };
  const generation = [object, old].map(o => valueAt(o, 'metadata', 'generation') ?? 0n);
  if (Number(generation[0]) < Number(generation[1]))
    errors.push(invalidValue('metadata.generation', bad(generation[0]), 'must not be decremented'));
  for (const field of ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'])
    immutable(field);
  const metadata = mapAt(object, 'metadata');
  return [
    ...errors,
    ...labelErrors(server, textsAt(metadata, 'labels'), 'metadata.labels'),
    ...annotationErrors(server, textsAt(metadata, 'annotations'), 'metadata.annotations'),
    ...ownerReferenceErrors(server, listAt(metadata, 'ownerReferences'), 'metadata.ownerReferences'),
  ];
}

/**
 * Returns labels or annotations; undefined when a value is not a string, as a patch can produce in a custom resource. Source:
 * Unstructured.GetLabels.
 */
function textsAt(metadata: ValueMap | undefined, key: string): ValueMap | undefined {
  const map = mapAt(metadata, key);
  return map === undefined || [...map.values()].every(value => typeof value === 'string') ? map : undefined;
}

/** Refuses new finalizers on an object that is being deleted. */
function newFinalizerErrors(object: ValueMap, old: ValueMap): FieldError[] {
  if (stringAt(old, 'metadata', 'deletionTimestamp') === '') return [];
  const before = new Set(listAt(old, 'metadata', 'finalizers'));
  const added = new Set(listAt(object, 'metadata', 'finalizers').filter(finalizer => !before.has(finalizer)));
  if (added.size === 0) return [];
  const shown = [...added].map(String).sort(compareKeys).map(quote).join(', ');
  const message = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${shown}}`;
  return [forbiddenField('metadata.finalizers', message)];
}

function bad(value: Value | undefined): string | bigint | null {
  if (value === zeroTimeText) return null;
  return typeof value === 'string' || typeof value === 'bigint' ? value : value === undefined ? '' : null;
}

type NameRule = (name: string) => string[];

function nameErrors(metadata: ValueMap | undefined, rule: NameRule, prefixRule: NameRule): FieldError[] {
  const prefix = stringAt(metadata, 'generateName');
  const name = stringAt(metadata, 'name');
  const errors = prefix === '' ? [] : prefixRule(prefix).map(problem => invalidValue('metadata.generateName', prefix, problem));
  if (name === '') return [...errors, required('metadata.name', 'name or generateName is required')];
  return [...errors, ...rule(name).map(problem => invalidValue('metadata.name', name, problem))];
}

/**
 * Replaces a trailing dash and the character before it by a letter, because the end of a prefix need not be the end of a name. Source:
 * apimachinery api/validation/generic.go.
 */
function withoutTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

function namespaceErrors(metadata: ValueMap | undefined, { namespaced }: Resource): FieldError[] {
  const namespace = stringAt(metadata, 'namespace');
  if (!namespaced) return namespace === '' ? [] : [forbiddenField('metadata.namespace', 'not allowed on this type')];
  if (namespace === '') return [required('metadata.namespace', '')];
  return dns1123LabelProblems(namespace).map(problem => invalidValue('metadata.namespace', namespace, problem));
}

/** Validates a generation, which must not be negative. */
export function generationErrors(metadata: ValueMap | undefined, field: string): FieldError[] {
  const generation = metadata?.get('generation');
  return typeof generation === 'bigint' && generation < 0n ? [invalidValue(field, generation, 'must be greater than or equal to 0')] : [];
}

/** Validates labels, also those of pod templates and selectors. */
export function labelErrors(server: ApiServer, labels: ValueMap | undefined, field: string): FieldError[] {
  return [...(labels ?? [])].flatMap(([key, value]) => [
    ...labelKeyProblems(server, key).map(problem => invalidValue(field, key, problem)),
    ...labelValueProblems(server, String(value)).map(problem => invalidValue(field, String(value), problem)),
  ]);
}

/** Validates annotations: keys in any case, and max 256 KiB in total. */
export function annotationErrors(server: ApiServer, annotations: ValueMap | undefined, field: string): FieldError[] {
  const entries = [...(annotations ?? [])];
  const errors = entries.flatMap(([key]) => labelKeyProblems(server, key.toLowerCase()).map(problem => invalidValue(field, key, problem)));
  return [...errors, ...annotationsSizeErrors(annotations, field)];
}

/** Returns the error of annotations that are too large together; none otherwise. Source: ValidateAnnotationsSize. */
export function annotationsSizeErrors(annotations: ValueMap | undefined, field: string): FieldError[] {
  const entries = [...(annotations ?? [])];
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)), 0);
  return size > annotationsLimit ? [tooLong(field, annotationsLimit)] : [];
}

/** Validates owner references; only one may be the controller. */
export function ownerReferenceErrors(server: ApiServer, references: readonly Value[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const [index, reference] of references.entries()) {
    errors.push(...oneOwnerErrors(server, reference, server.since('v1.37') ? `${field}[${index}]` : field));
    if (valueAt(reference, 'controller') !== true) continue;
    const name = `${stringAt(reference, 'kind')}/${stringAt(reference, 'name')}`;
    if (controller !== undefined) {
      const message = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      errors.push(invalidValue(field, { rawJson: `[${references.map(value => printOwner(server, value)).join(',')}]` }, message));
    }
    controller ??= name;
  }
  return errors;
}

function printOwner(server: ApiServer, reference: Value): string {
  return isMap(reference) ? encodeTyped(reference, structNamed(server, 'meta/v1.OwnerReference')) : 'null';
}

function oneOwnerErrors(server: ApiServer, reference: Value, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = stringAt(reference, 'apiVersion');
  const isNamed = server.since('v1.37');
  if (isNamed && apiVersion === '') errors.push(required(`${field}.apiVersion`, 'must not be empty'));
  else if (!parseApiVersion(apiVersion)?.version) {
    const message = isNamed ? 'must be <group>/<version> or <version>' : 'version must not be empty';
    errors.push(invalidValue(`${field}.apiVersion`, apiVersion, message));
  }
  for (const member of ['kind', 'name', 'uid']) {
    if (stringAt(reference, member) !== '') continue;
    const path = `${field}.${member}`;
    errors.push(isNamed ? required(path, 'must not be empty') : invalidValue(path, '', 'must not be empty'));
  }
  if (stringAt(reference, 'kind') === 'Event' && apiVersion === 'v1')
    errors.push(invalidValue(field, { rawJson: printOwner(server, reference) }, '/v1, Kind=Event is disallowed from being an owner'));
  return errors;
}

/** Validates finalizers, which are qualified names. */
export function finalizerErrors(server: ApiServer, finalizers: readonly Value[], field: string): FieldError[] {
  const errors = finalizers.flatMap(f => labelKeyProblems(server, String(f)).map(problem => invalidValue(field, String(f), problem)));
  const both = finalizers.includes('orphan') && finalizers.includes('foregroundDeletion');
  if (both)
    errors.push(
      invalidValue(
        field,
        { rawJson: JSON.stringify(finalizers.map(String)) },
        'finalizer orphan and foregroundDeletion cannot be both set',
      ),
    );
  return errors;
}
