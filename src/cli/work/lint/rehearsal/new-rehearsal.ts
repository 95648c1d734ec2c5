import { servedBy } from '../../../../apiserver/call/served-resources.js';
import { listAt, stringAt, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { isDefinition } from '../../../../kubernetes/definition-resources.js';
import { apiVersionOf } from '../../../../kubernetes/group-version.js';
import { serviceAccountOfStep } from '../../../../lint/outage/outage-step.js';
import type {
  Obstacle,
  Passage,
  RehearsalStep,
  RehearsalUnit,
  RehearsalWorld,
  Situation,
  UnitState,
} from '../../../../lint/rehearsal/rehearsal.js';
import { sampleObjects } from '../../../../lint/sample-objects.js';
import { conditionOf } from '../../../../local-apiserver/lifecycle/definitions/conditions.js';
import type { StoreContents } from '../../../../local-apiserver/store/store.js';
import { toMap } from '../simulated-calls.js';
import { finishNamespaces } from './leaving-namespaces.js';
import { createRehearsed, deleteRehearsed, removeFinalizers, storedObject } from './object-calls.js';
import { emptyContents, hasReadyPod, openRehearsed, type RehearsedCluster } from './rehearsed-cluster.js';
import { removePods, startPods } from './workload-steps.js';

/** A situation with the objects of the cluster. */
export interface RehearsedSituation extends Situation {
  readonly contents: StoreContents;
}

/** Returns the cluster of a rehearsal, which makes the calls of every step in memory. */
export function newRehearsal(server: ApiServer, units: readonly RehearsalUnit[]): RehearsalWorld<RehearsedSituation> {
  const objects = units.flatMap(unit => unit.objects);
  const own = objects.filter(isNamespace).map(object => stringAt(object, 'metadata', 'name'));
  const named = objects.map(object => stringAt(object, 'metadata', 'namespace'));
  const contents = emptyContents(
    server,
    named.filter(name => name !== '' && !own.includes(name)),
  );
  const open = (from: StoreContents): RehearsedCluster => openRehearsed(server, units, from);
  const situation = (cluster: RehearsedCluster, obstacles: Situation['obstacles']): RehearsedSituation => ({
    states: units.map(unit => stateOf(unit, cluster)),
    obstacles,
    contents: cluster.store.contents(),
  });
  return {
    units,
    start: situation(open(contents), new Map()),
    take: async (from, step) => {
      const unit = units[step.unit];
      if (unit === undefined) throw new RangeError(`there is no unit ${step.unit}`);
      const cluster = open(from.contents);
      const refusal = await takeStep(step, unit, cluster);
      // Pods that are refused at one of the calls start from the first one again.
      if (step.action === 'start' && refusal !== undefined) return { to: from, refusal };
      return { to: situation(cluster, await settle(cluster, units)), refusal } satisfies Passage<RehearsedSituation>;
    },
    createElsewhere: from => createSamples(open(from.contents)),
  };
}

/** Creates an object of each kind that has a sample, where nothing of the files is. */
async function createSamples(cluster: RehearsedCluster): Promise<readonly (Obstacle & { readonly resource: string })[]> {
  const refused: (Obstacle & { readonly resource: string })[] = [];
  for (const [name, sample] of sampleObjects) {
    const resource = servedBy(cluster.state()).resources.find(one => !one.custom && `${one.group}/${one.resource}` === name);
    if (resource === undefined) continue;
    const { kind, namespaced } = resource;
    const metadata = { name: 'elsewhere', ...(namespaced ? { namespace: 'default' } : {}) };
    const object = toMap({ apiVersion: apiVersionOf(kind), kind: kind.kind, ...sample, metadata });
    const refusal = await createRehearsed(object, cluster);
    if (refusal?.unanswered !== undefined) refused.push({ ...refusal, resource: name.slice(name.indexOf('/') + 1) });
  }
  return refused;
}

async function takeStep({ action }: RehearsalStep, unit: RehearsalUnit, cluster: RehearsedCluster): Promise<Obstacle | undefined> {
  if (action === 'start') return startPods(unit, cluster);
  let first: Obstacle | undefined;
  for (const object of unit.objects) {
    const refusal = await (action === 'create' ? createRehearsed(object, cluster) : deleteRehearsed(object, cluster));
    first ??= refusal;
  }
  if (action === 'delete' && unit.kind === 'workload' && first === undefined) await removePods(unit, cluster);
  return first;
}

/** More rounds than objects can wait for each other. */
const maxRounds = 20;

/** Lets controllers work until nothing changes. Returns why units that are leaving stay. */
async function settle(cluster: RehearsedCluster, units: readonly RehearsalUnit[]): Promise<ReadonlyMap<number, Obstacle>> {
  let namespaces: ReadonlyMap<string, Obstacle> = new Map();
  const finalizers = new Map<ValueMap, Obstacle>();
  for (let round = 0, before = ''; round < maxRounds; round += 1) {
    await cluster.settleDefinitions();
    finalizers.clear();
    for (const unit of units) for (const object of unit.objects) await releaseObject(object, unit, { units, cluster, finalizers });
    namespaces = await finishNamespaces(cluster, units);
    const now = fingerprintOf(cluster);
    if (now === before) break;
    before = now;
  }
  const obstacles = new Map<number, Obstacle>();
  for (const [i, unit] of units.entries()) {
    if (stateOf(unit, cluster) !== 'leaving') continue;
    const found = unit.objects.map(object => obstacleOf(object, cluster, { namespaces, finalizers })).find(one => one !== undefined);
    if (found !== undefined) obstacles.set(i, found);
  }
  return obstacles;
}

interface Releasing {
  readonly units: readonly RehearsalUnit[];
  readonly cluster: RehearsedCluster;
  readonly finalizers: Map<ValueMap, Obstacle>;
}

/** Removes the finalizers of an object that is being deleted, if those who do are ready, or unknown. */
async function releaseObject(object: ValueMap, { removers }: RehearsalUnit, { units, cluster, finalizers }: Releasing): Promise<void> {
  if (isNamespace(object) || isDefinition(object)) return;
  const stored = storedObject(object, cluster);
  if (stored === undefined || stringAt(stored, 'metadata', 'deletionTimestamp') === '') return;
  const names = listAt(stored, 'metadata', 'finalizers').map(String);
  if (names.length === 0) return;
  const resource = cluster.resourceOf(object);
  const finalizersOf = `${resource?.resource}.${resource?.group}`;
  const workloads = removers.flatMap(i => units[i] ?? []);
  const ready = workloads.find(unit => hasReadyPod(unit, cluster.store));
  if (workloads.length > 0 && ready === undefined) {
    finalizers.set(object, { message: `its finalizer ${names[0]} remains`, finalizersOf });
    return;
  }
  const refusal = await removeFinalizers(object, cluster, ready === undefined ? {} : { user: accountOf(ready) });
  if (refusal !== undefined)
    finalizers.set(object, { ...refusal, message: `removing its finalizer ${names[0]} is refused: ${refusal.message}` });
}

function accountOf({ objects: [workload] }: RehearsalUnit): { readonly username: string; readonly groups: readonly string[] } {
  const name = stringAt(workload, 'spec', 'template', 'spec', 'serviceAccountName') || 'default';
  return serviceAccountOfStep(stringAt(workload, 'metadata', 'namespace'), name);
}

function obstacleOf(
  object: ValueMap,
  cluster: RehearsedCluster,
  { namespaces, finalizers }: { readonly namespaces: ReadonlyMap<string, Obstacle>; readonly finalizers: ReadonlyMap<ValueMap, Obstacle> },
): Obstacle | undefined {
  const stored = storedObject(object, cluster);
  if (stored === undefined || stringAt(stored, 'metadata', 'deletionTimestamp') === '') return undefined;
  if (isNamespace(object)) return namespaces.get(stringAt(object, 'metadata', 'name'));
  if (!isDefinition(object)) return finalizers.get(object);
  const condition = conditionOf(stored, 'Terminating');
  const message = `${stringAt(condition, 'reason')}: ${stringAt(condition, 'message')}`;
  const name = stringAt(object, 'metadata', 'name');
  const isConversion = message.includes('conversion webhook for');
  return isConversion
    ? { message, unanswered: { phase: 'conversion', configuration: name, webhook: name } }
    : { message, finalizersOf: name };
}

function stateOf(unit: RehearsalUnit, cluster: RehearsedCluster): UnitState {
  const stored = unit.objects.map(object => storedObject(object, cluster)).filter(object => object !== undefined);
  if (stored.length === 0) return 'absent';
  if (stored.some(object => stringAt(object, 'metadata', 'deletionTimestamp') !== '')) return 'leaving';
  if (stored.length < unit.objects.length) return 'partial';
  return unit.kind === 'workload' && hasReadyPod(unit, cluster.store) ? 'ready' : 'present';
}

function isNamespace(object: ValueMap): boolean {
  return stringAt(object, 'kind') === 'Namespace' && stringAt(object, 'apiVersion') === 'v1';
}

/** What exists and what is leaving: writes of controllers that change nothing else do not count. */
function fingerprintOf({ store }: RehearsedCluster): string {
  return [...store.contents().collections]
    .flatMap(([collection, objects]) =>
      objects.map(object => {
        const metadata = ['namespace', 'name', 'deletionTimestamp'].map(key => stringAt(object, 'metadata', key));
        return [collection, ...metadata, listAt(object, 'metadata', 'finalizers').length].join('/');
      }),
    )
    .join('\n');
}
