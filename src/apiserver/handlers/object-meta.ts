import { writeValue } from '../../go/json/write.js';
import { parseUint64 } from '../../go/parse-integer.js';
import { ensureMap, listAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';
import { badRequest, internalError, unknownError } from '../../kubernetes/status-errors.js';
import type { CallContext } from '../call/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom-codec.js';

/** Fields that a client cannot set on create. Source: apiserver registry/rest WipeObjectMetaSystemFields and handlers/create.go. */
const systemFields = ['creationTimestamp', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'];

/** Clears the fields that only the server sets. */
export function wipeSystemFields(object: ValueMap): void {
  const metadata = ensureMap(object, 'metadata');
  for (const field of systemFields) metadata.delete(field);
}

/**
 * Sets the object's namespace from the URL; removes it if that has none. Throws a 400 when the object names another. Source: apiserver registry/rest
 * EnsureObjectNamespaceMatchesRequestNamespace.
 */
export function ensureNamespace(object: ValueMap, context: CallContext): void {
  const metadata = ensureMap(object, 'metadata');
  const own = stringAt(metadata, 'namespace');
  // A path can contain an empty namespace, in which nothing exists.
  if (!context.endpoint.resource.namespaced || context.info.namespace === '') {
    metadata.delete('namespace');
    return;
  }
  if (own !== '' && own !== context.info.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  metadata.set('namespace', context.info.namespace);
}

/** Returns the resourceVersion of a new object; 0 without one. Throws a 500 for a text that is not a uint64. Source: apiserver storage/api_object_versioner.go. */
export function resourceVersionOf(object: ValueMap): bigint {
  const sent = stringAt(object, 'metadata', 'resourceVersion');
  const version = sent === '' ? 0n : parseUint64(sent);
  if (typeof version === 'object') throw unknownError(version.error);
  return version;
}

/** Removes duplicate owner references and adds the warning. Source: apiserver handlers dedupOwnerReferences. */
export function dedupeOwnerReferences(object: ValueMap, context: CallContext, moment: 'before' | 'after mutation'): void {
  const references = listAt(object, 'metadata', 'ownerReferences');
  if (references.length === 0) return;
  const seen = new Set<string>();
  const doubled: string[] = [];
  const kept = references.filter((reference: Value) => {
    const text = writeValue(reference, 'sorted');
    if (!seen.has(text)) return seen.add(text);
    doubled.push(stringAt(reference, 'uid'));
    return false;
  });
  if (doubled.length === 0) return;
  ensureMap(object, 'metadata').set('ownerReferences', kept);
  const when = moment === 'before' ? 'contains duplicate entries' : 'contains duplicate entries after mutating admission happens';
  context.record.warnings.push(
    `.metadata.ownerReferences ${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${doubled.join(', ')}`,
  );
}

/** Refuses a custom resource that a patch left without a version. Source: apiserver registry/rest/meta.go objectMetaAndKind. */
export function checkHasResourceVersion({ codec, value }: ApiObject): void {
  if (!isCustomCodec(codec) || (parseApiVersion(stringAt(value, 'apiVersion'))?.version ?? '') !== '') return;
  throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
}
