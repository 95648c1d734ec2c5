import { copyOf, ensureMap, listAt, stringAt, toValue, type ValueMap, valueAt } from '../../go/value.js';
import { conflict } from '../../kubernetes/status-errors.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import type { ApiObject } from '../objects/api-object.js';
import { isDryRunOf } from '../storage/before-delete.js';
import { commitBuiltIn } from '../storage/commit.js';
import { admitDeletion } from '../storage/deletion.js';
import { updateNamespaceFinalizers } from '../storage/deletion-finalizers.js';
import type { CallContext } from './call-context.js';

/** Changes that a first deletion makes to the object; a controller removes it later. */
type Marking = (object: ValueMap, options: ValueMap, now: string) => void;

/** Resources whose first deletion only marks the object. */
const firstMarks: Readonly<Record<string, Marking>> = {
  /** A Namespace is removed once it is empty. Source: kubernetes pkg/registry/core/namespace/storage. */
  'namespaces.': (object, options) => {
    ensureMap(object, 'status').set('phase', 'Terminating');
    updateNamespaceFinalizers(object, options);
  },
  /** A definition is removed once its objects are. Source: apiextensions-apiserver pkg/registry/customresourcedefinition. */
  'customresourcedefinitions.apiextensions.k8s.io': (object, _options, now) => {
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

/**
 * Handles the deletion of an object that is first only marked, or kept; undefined where the deletion continues as usual. The options get
 * the object's uid as a precondition.
 */
export async function markForDeletion(old: ApiObject, options: ApiObject, context: CallContext): Promise<ApiObject | undefined> {
  const { endpoint, info, effects } = context;
  const mark = firstMarks[`${endpoint.resource.resource}.${endpoint.resource.group}`];
  if (mark === undefined) return undefined;
  setPreconditions(old, options, context);
  if (stringAt(old.value, 'metadata', 'deletionTimestamp') !== '') {
    const isNamespace = endpoint.resource.resource === 'namespaces';
    return isNamespace && listAt(old.value, 'spec', 'finalizers').length > 0 ? old : undefined;
  }
  await admitDeletion({ options, name: info.name }, old, context);
  const object = copyOf(old.value);
  const now = timestampOf(effects.now());
  ensureMap(object, 'metadata').set('deletionTimestamp', now);
  mark(object, options.value, now);
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
