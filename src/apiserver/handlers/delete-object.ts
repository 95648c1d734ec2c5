import { writeStatus } from '../../encoding/status-json.js';
import { goString } from '../../go/json/write.js';
import { stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { notFound } from '../../kubernetes/status-errors.js';
import type { ApiObject } from '../objects/api-object.js';
import { deletionRulesOf } from '../registry/kind-definition.js';
import { strategyFor } from '../registry/strategy-for.js';
import { isDryRunOf } from '../storage/before-delete.js';
import { CorruptObject, decodable } from '../storage/corrupt-object.js';
import { deleteOne } from '../storage/deletion.js';
import { inRequestVersion, storedObject } from '../storage/stored-object.js';
import type { CallContext, VerbAnswer } from './call-context.js';
import { deleteOptions, ignoring } from './delete-options.js';
import { markForDeletion } from './mark-for-deletion.js';
import { objectBody } from './object-answer.js';

/** Handles a DELETE of one object. Source: apiserver handlers/delete.go. */
export async function deleteObject(context: CallContext): Promise<VerbAnswer> {
  const { server, endpoint, info } = context;
  const rules = deletionRulesOf(server, endpoint.resource);
  const options = await deleteOptions(context);
  rules.checkName?.(info.name);
  warnOfDependents(options, context);
  if (options.value.get(ignoring) === true) return deleteCorrupt(isDryRunOf(options), context);
  const old = await storedObject(context, true);
  if (old === undefined) throw notFound(endpoint.resource, info.name);
  const marked = await markForDeletion(old, options, context);
  if (marked !== undefined) return objectBody(removalCode(false, options), marked);
  const { outcome, object } = await deleteOne({ old, options, name: info.name, fillsOptions: true }, context);
  const isRemoved = outcome === 'removed' || outcome === 'wouldRemove';
  const isStatus = outcome === 'removed' && rules.returnsObject !== true;
  const code = removalCode(isRemoved, options);
  if (isRemoved) strategyFor(server, endpoint.resource, '', context.definition).decorate?.(object, '');
  return isStatus ? { code, body: successStatus(old.value, context) } : objectBody(code, { codec: old.codec, value: object });
}

/** Removes an object that cannot be read, without admission. Source: apiserver registry/generic/registry/corrupt_obj_deleter.go. */
async function deleteCorrupt(isDryRun: boolean, context: CallContext): Promise<VerbAnswer> {
  const { endpoint, info, storage, state } = context;
  const found = storage.find(endpoint.resource.kind, endpoint.resource.namespaced ? info.namespace : '', info.name);
  if (found === undefined) throw notFound(endpoint.resource, info.name);
  try {
    await inRequestVersion(found, context);
  } catch (error) {
    if (!(error instanceof CorruptObject)) throw error;
    if (!isDryRun) state.live?.remove(found, stringAt(found, 'metadata', 'resourceVersion'));
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

/** Returns the Status of success for a removed object. */
function successStatus(old: ValueMap, { endpoint, info }: CallContext): string {
  const { group, resource } = endpoint.resource;
  const uid: Value | undefined = valueAt(old, 'metadata', 'uid');
  const details = [
    `"name":${goString(info.name)}`,
    ...(group === '' ? [] : [`"group":${goString(group)}`]),
    `"kind":${goString(resource)}`,
    ...(typeof uid === 'string' && uid !== '' ? [`"uid":${goString(uid)}`] : []),
  ];
  return `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{${details.join(',')}}}`;
}
