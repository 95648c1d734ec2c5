import { goString } from '../encoding/go-json.js';
import { notFound } from '../kubernetes/status-errors.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import { copyOf, ensureMap, stringAt, type Value, type ValueMap, valueAt } from '../kubernetes/value.js';
import type { CallContext, VerbAnswer } from './call-context.js';
import { deleteOptions } from './delete-options.js';
import { deleteOne, orphansByDefault } from './deletion.js';
import type { ApiObject } from './objects/api-object.js';
import { storedObject } from './stored-object.js';

/** Answers a DELETE of one object. Source: apiserver handlers/delete.go. */
export async function deleteObject(context: CallContext): Promise<VerbAnswer> {
  const { endpoint, info, record } = context;
  const options = await deleteOptions(context);
  const old = await storedObject(context);
  if (old === undefined) throw notFound(endpoint.resource, info.name);
  if (orphansByDefault(endpoint.resource) && saysNothingOfDependents(options)) record.warnings.push(jobWarning);
  if (endpoint.resource.group === '' && endpoint.resource.resource === 'namespaces') return deleteNamespace(old, options, context);
  const deletion = await deleteOne({ old, options, name: info.name, fillsOptions: true }, context);
  const removed = deletion.outcome === 'removed' && !returnsDeletedObject.has(endpoint.resource.resource);
  return { code: 200, body: removed ? successStatus(old.value, context) : old.codec.encode(deletion.object) };
}

const jobWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** Resources whose removal is answered with the object itself. Source: kubernetes pkg/registry, ReturnDeletedObject. */
const returnsDeletedObject = new Set([
  'pods',
  'podtemplates',
  'persistentvolumes',
  'persistentvolumeclaims',
  'resourcequotas',
  'services',
  'serviceaccounts',
]);

function saysNothingOfDependents({ value }: ApiObject): boolean {
  return value.get('propagationPolicy') === undefined && value.get('orphanDependents') === undefined;
}

/** A Namespace goes when what is in it has gone: it is only marked. Source: kubernetes pkg/registry/core/namespace/storage. */
async function deleteNamespace(old: ApiObject, options: ApiObject, context: CallContext): Promise<VerbAnswer> {
  const { info, effects } = context;
  const uid = stringAt(old.value, 'metadata', 'uid');
  const preconditions = ensureMap(options.value, 'preconditions');
  if (preconditions.get('uid') === undefined && uid !== '') preconditions.set('uid', uid);
  await deleteOne({ old, options, name: info.name, fillsOptions: true }, context);
  const object = copyOf(old.value);
  const metadata = ensureMap(object, 'metadata');
  if (metadata.get('deletionTimestamp') === undefined) metadata.set('deletionTimestamp', timestampOf(effects.now()));
  ensureMap(object, 'status').set('phase', 'Terminating');
  return { code: 200, body: old.codec.encode(object) };
}

/** What a client gets for an object that is gone: a Status of success that names it. */
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
