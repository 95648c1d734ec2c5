import { writeStatus } from '../../encoding/status-json.js';
import { copyOf, ensureMap, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { conflict, notFound } from '../../kubernetes/status-errors.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import type { CallContext, VerbAnswer } from '../call/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { strategyFor } from '../registry/generic/strategy-for.js';
import { deletionRulesOf } from '../registry/kind-definition.js';
import { isDryRunOf } from '../storage/before-delete.js';
import { commitBuiltIn } from '../storage/commit.js';
import { CorruptObject, decodable } from '../storage/corrupt-object.js';
import { admitDeletion, deleteOne } from '../storage/deletion.js';
import { decodeInRequestVersion, readStoredObject } from '../storage/stored-object.js';
import { deleteOptions, ignoring } from './delete-options.js';
import { objectBody } from './object-answer.js';

/** Handles a DELETE of one object. Source: apiserver handlers/delete.go. */
export async function deleteObject(context: CallContext): Promise<VerbAnswer> {
  const { server, endpoint, info } = context;
  const rules = deletionRulesOf(server, endpoint.resource);
  const options = await deleteOptions(context);
  rules.checkName?.(info.name);
  warnOfDependents(options, context);
  if (options.value.get(ignoring) === true) return deleteCorrupt(isDryRunOf(options), context);
  const old = await readStoredObject(context, true);
  if (old === undefined) throw notFound(endpoint.resource, info.name);
  const marked = await markForDeletion(old, options, context);
  if (marked !== undefined) return objectBody(removalCode(false, options), marked);
  const { outcome, object } = await deleteOne({ old, options, name: info.name, fillsOptions: true }, context);
  const isRemoved = outcome === 'removed' || outcome === 'wouldRemove';
  const isStatus = outcome === 'removed' && rules.returnsObject !== true;
  const code = removalCode(isRemoved, options);
  if (isRemoved) strategyFor(server, endpoint.resource, '', context.definition).decorate?.(object, '');
  return isStatus
    ? { code, body: successStatus(old.value, stringAt(object, 'metadata', 'resourceVersion'), context) }
    : objectBody(code, { codec: old.codec, value: object });
}

/** Removes an object that cannot be read, without admission. Source: apiserver registry/generic/registry/corrupt_obj_deleter.go. */
async function deleteCorrupt(isDryRun: boolean, context: CallContext): Promise<VerbAnswer> {
  const { endpoint, info, storage, state } = context;
  const found = storage.find(endpoint.resource.kind, endpoint.resource.namespaced ? info.namespace : '', info.name);
  if (found === undefined) throw notFound(endpoint.resource, info.name);
  try {
    await decodeInRequestVersion(found, context);
  } catch (error) {
    if (!(error instanceof CorruptObject)) throw error;
    if (!isDryRun) state.live?.remove(found, stringAt(found, 'metadata', 'resourceVersion'), endpoint.resource.kind);
    const { group, resource } = endpoint.resource;
    const details = { name: info.name, ...(group === '' ? {} : { group }), kind: resource };
    return { code: 200, body: writeStatus({ status: 'Success', details }) };
  }
  throw decodable(found, context);
}

/** Adds the warnings of a kind for the options of a deletion. */
export function warnOfDependents(options: ApiObject, { server, endpoint, record }: CallContext): void {
  const { warnings } = deletionRulesOf(server, endpoint.resource);
  record.warnings.push(...(warnings?.(options.value, endpoint.resource.version) ?? []));
}

/** Returns 202 when orphanDependents is false and the object is not removed at once, else 200. Source: apiserver handlers/delete.go. */
function removalCode(isRemoved: boolean, { value }: ApiObject): number {
  return !isRemoved && value.get('orphanDependents') === false ? 202 : 200;
}

/** Returns the Status of success for a removed object, since v1.38 with the resourceVersion of the removal. */
function successStatus(old: ValueMap, resourceVersion: string, { server, endpoint, info }: CallContext): string {
  const { group, resource } = endpoint.resource;
  return writeStatus({
    metadata: server.since('v1.38') ? { resourceVersion } : undefined,
    status: 'Success',
    details: { name: info.name, group, kind: resource, uid: stringAt(old, 'metadata', 'uid') },
  });
}

/**
 * Handles the deletion of an object that is first only marked, or kept; undefined where the deletion continues as usual. The options get
 * the object's uid as a precondition.
 */
async function markForDeletion(old: ApiObject, options: ApiObject, context: CallContext): Promise<ApiObject | undefined> {
  const { server, endpoint, info, effects } = context;
  const { firstMark } = deletionRulesOf(server, endpoint.resource);
  if (firstMark === undefined) return undefined;
  setPreconditions(old, options, context);
  if (stringAt(old.value, 'metadata', 'deletionTimestamp') !== '') return firstMark.keeps?.(old.value) === true ? old : undefined;
  await admitDeletion({ options, name: info.name }, old, context);
  const object = copyOf(old.value);
  const now = timestampOf(effects.now());
  ensureMap(object, 'metadata').set('deletionTimestamp', now);
  firstMark.mark(object, options.value, now);
  return { codec: old.codec, value: isDryRunOf(options) ? object : commitBuiltIn(object, old, context) };
}

function setPreconditions(old: ApiObject, options: ApiObject, { endpoint, info }: CallContext): void {
  const uid = stringAt(old.value, 'metadata', 'uid');
  const preconditions = ensureMap(options.value, 'preconditions');
  if (preconditions.get('uid') === undefined && uid !== '') preconditions.set('uid', uid);
  for (const [field, title] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const wanted = valueAt(preconditions, field);
    const stored = stringAt(old.value, 'metadata', field);
    if (typeof wanted !== 'string' || wanted === stored) continue;
    throw conflict(
      endpoint.resource,
      info.name,
      `Precondition failed: ${title} in precondition: ${wanted}, ${title} in object meta: ${stored}`,
    );
  }
}
