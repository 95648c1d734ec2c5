import { queryOfRequest, type ResourceRequest, requestInfoOf } from '../../apiserver/call/request-info.js';
import { resourceNamed, servedBy } from '../../apiserver/call/served-resources.js';
import type { Report } from '../../apiserver/report/report.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { copyOf, ensureMap, isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import { isDefinition } from '../../kubernetes/definition-resources.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { kindOf, recordRemoval, recordWrite, storageOf } from '../../kubernetes/storage.js';

/** A change of the state: a created or changed object, or the name of a removed one. */
type Change =
  | { readonly type: 'written'; readonly object: ValueMap }
  | { readonly type: 'removed'; readonly kind: { group: string; kind: string }; readonly namespace: string; readonly name: string };

/**
 * Returns the state after a call, for the next call of the same run. Objects are stored in `state.written`; definitions and webhook
 * configurations result in a new state, because caches depend on them. Without `written` the state is unchanged.
 */
export function stateAfter(state: ClusterState, { method, path, body }: ApiCall, report: Report): ClusterState {
  const info = requestInfoOf(path);
  const isDryRun = (queryOfRequest(path).get('dryRun') ?? []).length > 0;
  if (state.written === undefined || info.type === 'other' || isDryRun || !report.decision.allowed) return state;
  const resource = resourceNamed(servedBy(state), info);
  if (resource === undefined) return state;
  const own = changesOf({ method, info, resource, body }, report, state);
  const beside = (report.sideWrites ?? []).map(object => ({ type: 'written', object }) as const);
  return [...beside, ...own].reduce(withChange, state);
}

interface Write {
  readonly method: string;
  readonly info: ResourceRequest;
  readonly resource: Resource;
  readonly body: Uint8Array | undefined;
}

/** Subresources whose response is the whole object. */
const ownObject = new Set(['', 'status', 'resize', 'ephemeralcontainers', 'approval', 'finalize']);

function changesOf(write: Write, { decision: { object } }: Report, state: ClusterState): Change[] {
  const { method, info, resource } = write;
  const removed = { type: 'removed', kind: resource.kind, namespace: info.inNamespace ? info.namespace : '', name: info.name } as const;
  if (info.subresource === 'eviction') return method === 'POST' ? [removed] : [];
  if (info.subresource === 'scale') return scaled(write, object, state);
  if (info.subresource === 'binding') return bound(write, state);
  if (!ownObject.has(info.subresource)) return [];
  if (method === 'DELETE' && info.name === '') return listAt(object, 'items').flatMap(item => deleted(item, resource));
  if (method === 'DELETE') return object !== undefined && isGoing(object) ? [{ type: 'written', object }] : [removed];
  // Responses to access and token reviews are not stored.
  if (object === undefined || stringAt(object, 'metadata', 'uid') === '') return [];
  if (!['POST', 'PUT', 'PATCH'].includes(method)) return [];
  return isFinished(object) ? [removed] : [{ type: 'written', object }];
}

/** Items of a list have no kind. */
function deleted(item: Value, { kind }: Resource): Change[] {
  if (!isMap(item)) return [];
  const { group, version } = kind;
  const object: ValueMap = new Map<string, Value>([
    ...item,
    ['kind', kind.kind],
    ['apiVersion', group === '' ? version : `${group}/${version}`],
  ]);
  const [namespace, name] = [stringAt(item, 'metadata', 'namespace'), stringAt(item, 'metadata', 'name')];
  return isGoing(object) ? [{ type: 'written', object }] : [{ type: 'removed', kind, namespace, name }];
}

function isGoing(object: ValueMap): boolean {
  return stringAt(object, 'metadata', 'deletionTimestamp') !== '' && !isFinished(object);
}

/**
 * Reports whether an object that is being deleted has neither finalizers nor a grace period left. Namespaces have additional finalizers in
 * their spec.
 */
function isFinished(object: ValueMap): boolean {
  const metadata = mapAt(object, 'metadata');
  if (stringAt(metadata, 'deletionTimestamp') === '' || listAt(metadata, 'finalizers').length > 0) return false;
  const isNamespace = stringAt(object, 'kind') === 'Namespace' && stringAt(object, 'apiVersion') === 'v1';
  if (isNamespace && listAt(object, 'spec', 'finalizers').length > 0) return false;
  const seconds = metadata?.get('deletionGracePeriodSeconds');
  return seconds === undefined || seconds === 0n;
}

/** The scaled object, because the response is only its Scale. */
function scaled({ info, resource }: Write, scale: ValueMap | undefined, state: ClusterState): Change[] {
  const stored = storageOf(state).find(resource.kind, info.namespace, info.name);
  const replicas = valueAt(scale, 'spec', 'replicas');
  if (stored === undefined || scale === undefined) return [];
  const object = copyOf(stored);
  const path = replicasPath(resource, state);
  const parent = path.slice(0, -1).reduce((map, key) => ensureMap(map, key), object);
  parent.set(path.at(-1) ?? 'replicas', replicas ?? 0n);
  return [{ type: 'written', object }];
}

/** `.spec.replicas`, or the path in the definition of a custom resource. */
function replicasPath({ group, version, resource, custom }: Resource, { objects }: ClusterState): readonly string[] {
  const definition = custom
    ? objects.find(d => isDefinition(d) && stringAt(d, 'spec', 'group') === group && stringAt(d, 'spec', 'names', 'plural') === resource)
    : undefined;
  const served = listAt(definition, 'spec', 'versions').find(one => stringAt(one, 'name') === version);
  const path = stringAt(served, 'subresources', 'scale', 'specReplicasPath');
  return path === '' ? ['spec', 'replicas'] : path.split('.').filter(part => part !== '');
}

function bound({ info, body }: Write, state: ClusterState): Change[] {
  const stored = storageOf(state).find({ group: '', kind: 'Pod' }, info.namespace, info.name);
  const text = Buffer.from(body ?? []).toString('utf8');
  const node = text.startsWith('{') ? stringAt(readUnstructured(text), 'target', 'name') : '';
  if (stored === undefined || node === '') return [];
  const object = copyOf(stored);
  ensureMap(object, 'spec').set('nodeName', node);
  return [{ type: 'written', object }];
}

function withChange(state: ClusterState, change: Change): ClusterState {
  const { written } = state;
  if (written === undefined) return state;
  if (change.type === 'written' && !isStructuralDefinition(kindOf(change.object))) {
    recordWrite(written, change.object);
    return state;
  }
  if (change.type === 'removed' && !isStructuralDefinition(change.kind)) {
    recordRemoval(written, change.kind, change);
    return state;
  }
  const [kind, name] =
    change.type === 'written' ? [kindOf(change.object), stringAt(change.object, 'metadata', 'name')] : [change.kind, change.name];
  const others = state.objects.filter(object => {
    const own = kindOf(object);
    return own.group !== kind.group || own.kind !== kind.kind || stringAt(object, 'metadata', 'name') !== name;
  });
  return { ...state, objects: change.type === 'written' ? [...others, change.object] : others };
}

/** Reports whether objects of the kind determine served resources or called webhooks. */
export function isStructuralDefinition({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return (
    (group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition') ||
    (group === 'admissionregistration.k8s.io' && kind.endsWith('WebhookConfiguration'))
  );
}
