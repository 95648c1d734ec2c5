import { goString } from '../encoding/go-json.js';
import { notFound } from '../kubernetes/status-errors.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import { copyOf, ensureMap, listAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../kubernetes/value.js';
import type { CallContext, VerbAnswer } from './call-context.js';
import { commitBuiltIn } from './commit.js';
import { deleteOptions } from './delete-options.js';
import { deleteOne, updateFinalizers } from './deletion.js';
import type { ApiObject } from './objects/api-object.js';
import { storedObject } from './stored-object.js';

/** Answers a DELETE of one object. Source: apiserver handlers/delete.go. */
export async function deleteObject(context: CallContext): Promise<VerbAnswer> {
  const { endpoint, info, record } = context;
  const options = await deleteOptions(context);
  const old = await storedObject(context);
  if (old === undefined) throw notFound(endpoint.resource, info.name);
  if (isJob(context) && saysNothingOfDependents(options)) record.warnings.push(jobWarning);
  const marked = marksOnly[`${endpoint.resource.resource}.${endpoint.resource.group}`];
  if (marked !== undefined) return markForDeletion(old, options, { context, marked });
  const deletion = await deleteOne({ old, options, name: info.name, fillsOptions: true }, context);
  const removed = deletion.outcome === 'removed' && !returnsDeletedObject.has(`${endpoint.resource.resource}.${endpoint.resource.group}`);
  return {
    code: removalCode(deletion.outcome === 'removed', options),
    body: removed ? successStatus(old.value, context) : old.codec.encode(deletion.object),
  };
}

const jobWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** Resources whose removal is answered with the object itself. Source: kubernetes pkg/registry, ReturnDeletedObject. */
const returnsDeletedObject = new Set([
  ...['pods', 'podtemplates', 'persistentvolumes', 'persistentvolumeclaims', 'resourcequotas', 'services', 'serviceaccounts'].map(
    resource => `${resource}.`,
  ),
  ...['csidrivers', 'csinodes', 'storageclasses', 'volumeattachments', 'volumeattributesclasses'].map(
    resource => `${resource}.storage.k8s.io`,
  ),
  ...['resourceclaims', 'resourceclaimtemplates', 'resourceslices', 'deviceclasses', 'devicetaintrules', 'resourcepoolstatusrequests'].map(
    resource => `${resource}.resource.k8s.io`,
  ),
]);

function isJob({ endpoint }: CallContext): boolean {
  const { group, version, resource } = endpoint.resource;
  return group === 'batch' && version === 'v1' && resource === 'jobs';
}

/** Who asks for dependents to go in the old way is told when it takes a while. Source: apiserver handlers/delete.go. */
function removalCode(isRemoved: boolean, { value }: ApiObject): number {
  return !isRemoved && value.get('orphanDependents') === false ? 202 : 200;
}

function saysNothingOfDependents({ value }: ApiObject): boolean {
  return value.get('propagationPolicy') === undefined && value.get('orphanDependents') === undefined;
}

/** What happens to the object itself when it is only marked, by its resource. */
const marksOnly: Readonly<Record<string, (object: ValueMap, now: string) => void>> = {
  /** A Namespace goes when what is in it has gone. Source: kubernetes pkg/registry/core/namespace/storage. */
  'namespaces.': object => {
    ensureMap(object, 'status').set('phase', 'Terminating');
  },
  /** A definition goes when its objects have gone. Source: apiextensions-apiserver pkg/registry/customresourcedefinition. */
  'customresourcedefinitions.apiextensions.k8s.io': (object, now) => {
    const metadata = ensureMap(object, 'metadata');
    const finalizers = listAt(metadata, 'finalizers');
    if (!finalizers.includes(cleanupFinalizer)) metadata.set('finalizers', [...finalizers, cleanupFinalizer]);
    const status = ensureMap(object, 'status');
    const conditions = listAt(status, 'conditions').filter(c => stringAt(c, 'type') !== 'Terminating');
    status.set('conditions', [...conditions, toValue({ ...terminatingCondition, lastTransitionTime: now })]);
  },
};

const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

const terminatingCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

interface Marking {
  readonly context: CallContext;
  readonly marked: (object: ValueMap, now: string) => void;
}

/** Admits the deletion with the object's uid as a precondition, and marks the object. */
async function markForDeletion(old: ApiObject, options: ApiObject, { context, marked }: Marking): Promise<VerbAnswer> {
  const { endpoint, info, effects } = context;
  const uid = stringAt(old.value, 'metadata', 'uid');
  const preconditions = ensureMap(options.value, 'preconditions');
  if (preconditions.get('uid') === undefined && uid !== '') preconditions.set('uid', uid);
  await deleteOne({ old, options, name: info.name, fillsOptions: true, marksOnly: true }, context);
  const object = copyOf(old.value);
  const metadata = ensureMap(object, 'metadata');
  const now = timestampOf(effects.now());
  if (metadata.get('deletionTimestamp') === undefined) metadata.set('deletionTimestamp', now);
  if (endpoint.resource.resource === 'namespaces') updateFinalizers(object, options.value, context);
  marked(object, now);
  if (valueAt(options.value, 'dryRun') === undefined) commitBuiltIn(object, old, context);
  return { code: removalCode(false, options), body: old.codec.encode(object) };
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
