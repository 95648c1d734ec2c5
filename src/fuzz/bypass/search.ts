import { requestInfoOf } from '../../apiserver/call/request-info.js';
import type { Report } from '../../apiserver/report/report.js';
import { stateAfter } from '../../client/run/state-after.js';
import { createdBy } from '../../controllers/created-by.js';
import {
  copyOf,
  ensureMap,
  isList,
  isMap,
  mapAt,
  sameValue,
  stringAt,
  toValue,
  type Value,
  type ValueMap,
  valueAt,
} from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { podSpecPath } from '../../kubernetes/pod-spec-path.js';
import { storageOf } from '../../kubernetes/storage.js';
import { newWrittenObjects } from '../../kubernetes/written-objects.js';
import { textWithoutSecrets } from '../../redaction/text-secrets.js';
import { type FuzzedResource, inputFor } from '../inputs/input.js';
import type { CallPipeline, MadeCall } from '../pipeline/pipeline.js';
import { isAdmissionObject } from '../pipeline/pipeline.js';
import { isOfKind } from '../run/targets.js';
import { type AllowedObject, similarObjects } from './allowed-object.js';
import type { Way } from './way.js';
import { containersOfObject, waysOf } from './ways.js';

/** A sequence of calls that stores what CREATE refuses. */
export interface Bypass {
  readonly way: Way;
  readonly made: readonly MadeCall[];
  /** Webhook that refuses the creation, and its message. */
  readonly webhook: string;
  readonly message: string;
}

/** What a search needs. */
export interface BypassSearch {
  readonly pipeline: CallPipeline;
  /** All resources, not only those of the rules. */
  readonly targets: readonly FuzzedResource[];
  readonly literals: readonly string[];
  /** Texts of the webhooks' sources. */
  readonly words: readonly string[];
  readonly isOver: () => boolean;
}

/** Result of the search for one forbidden object. */
export interface BypassResult {
  readonly bypasses: readonly Bypass[];
  /** Why there was nothing to search for; undefined if ways were tried. */
  readonly obstacle?: Obstacle;
  /** Which ways were left out, and why. */
  readonly note?: string;
  readonly calls: number;
}

/** Why no way around the refusal of an object can be searched for: no webhook refuses it. */
export interface Obstacle {
  readonly reason: string;
  /** The refusal of the creation by something else. */
  readonly report?: Report;
}

/** Searches for ways around the webhooks that refuse the creation of an object. */
export async function searchBypass(forbidden: ValueMap, search: BypassSearch): Promise<BypassResult> {
  const target = search.targets.find(({ resource }) => isOfKind(forbidden, resource));
  const nothing = (obstacle: Obstacle): BypassResult => ({ bypasses: [], obstacle, calls: 1 });
  if (target === undefined) return nothing({ reason: 'the API server does not serve its kind; pass its definition with --state' });
  const creation = await makeCreation(forbidden, target, search);
  if (creation === undefined) return nothing({ reason: search.isOver() ? 'the search has ended' : 'it cannot be created' });
  if (creation.report.decision.allowed) {
    const way: Way = { title: 'a creation', steps: [creation.input], looksAt: 'object' };
    return { bypasses: [{ way, made: [creation], webhook: '', message: 'no webhook refuses its creation' }], calls: 1 };
  }
  const refusal = refusalOf(creation);
  if (refusal === undefined) {
    return nothing({ reason: `no webhook refuses it, but the API server does: ${messageOf(creation)}`, report: creation.report });
  }
  const allowed = await findAllowedObject(forbidden, target, search);
  const { state, user } = search.pipeline.scene();
  const configurations = state.objects.filter(isAdmissionObject);
  const namespace = storageOf(state).find({ group: '', kind: 'Namespace' }, '', stringAt(forbidden, 'metadata', 'namespace'));
  const bypasses: Bypass[] = [];
  let calls = 1;
  for (const way of waysOf({ ...search, forbidden, target, allowed, configurations, user, namespace })) {
    if (search.isOver()) break;
    if (bypasses.some(known => known.way.title === way.title)) continue;
    calls += way.steps.length;
    const made = await followWay(way, { forbidden, target, allowed }, search);
    if (made !== undefined) bypasses.push({ way, made, ...refusal });
  }
  return { bypasses, ...(allowed === undefined ? { note: 'only creations were tried, because no similar object is allowed' } : {}), calls };
}

/** A webhook may quote its own secrets. */
function messageOf({ report }: MadeCall): string {
  return textWithoutSecrets(stringAt(report.decision.status, 'message'));
}

function refusalOf(made: MadeCall): { readonly webhook: string; readonly message: string } | undefined {
  const { report } = made;
  const { decidedBy } = report.decision;
  const message = messageOf(made);
  const entry = decidedBy === undefined ? undefined : report.webhooks[decidedBy];
  if (entry?.outcome === 'denied') return { webhook: entry.webhook, message };
  const policy = report.decision.allowed ? undefined : report.policies?.find(({ outcome }) => outcome === 'denied');
  return policy === undefined ? undefined : { webhook: policy.policy, message };
}

function makeCreation(
  object: ValueMap,
  target: FuzzedResource,
  { pipeline }: BypassSearch,
  state = freshState(pipeline),
): Promise<MadeCall | undefined> {
  return pipeline.makeIn(inputFor(target, object), state);
}

function freshState(pipeline: CallPipeline): ClusterState {
  return { ...pipeline.scene().state, written: newWrittenObjects() };
}

async function findAllowedObject(forbidden: ValueMap, target: FuzzedResource, search: BypassSearch): Promise<AllowedObject | undefined> {
  for (const similar of similarObjects(forbidden)) {
    const made = await makeCreation(similar.object, target, search);
    if (made?.report.decision.allowed === true) return similar;
  }
  return undefined;
}

interface Forbidden {
  readonly forbidden: ValueMap;
  readonly target: FuzzedResource;
  readonly allowed: AllowedObject | undefined;
}

/** Makes the calls of a way; returns them if all are allowed and the result holds what CREATE refuses. */
async function followWay(way: Way, wanted: Forbidden, search: BypassSearch): Promise<MadeCall[] | undefined> {
  let state = freshState(search.pipeline);
  const made: MadeCall[] = [];
  for (const step of way.steps) {
    const one = await search.pipeline.makeIn(step, state);
    if (one?.report.decision.allowed !== true) return undefined;
    made.push(one);
    state = stateAfter(state, one.call, one.report);
  }
  const last = made.at(-1);
  const stored = last === undefined ? undefined : storedObject(last, state);
  if (stored === undefined) return undefined;
  return (await isHeld(way, { stored, state }, wanted, search)) ? made : undefined;
}

/** Reports whether what a way stored holds what is forbidden. */
async function isHeld(
  { looksAt }: Way,
  { stored, state }: { readonly stored: ValueMap; readonly state: ClusterState },
  wanted: Forbidden,
  search: BypassSearch,
): Promise<boolean> {
  switch (looksAt) {
    case 'pods':
      return createPods(stored, state, search);
    case 'containers':
      return holdsContainer(stored, wanted);
    case 'superset':
      return covers(stored, withoutIdentity(wanted.forbidden));
    case 'pod':
      return holdsInPod(stored, wanted);
    default:
      return isRefused(stored, wanted, search);
  }
}

/** Reports whether a value has all parts of another one. */
function covers(whole: Value | undefined, part: Value): boolean {
  if (isMap(part)) return isMap(whole) && [...part].every(([key, value]) => covers(whole.get(key), value));
  if (isList(part)) return isList(whole) && part.every((item, i) => covers(whole[i], item));
  return whole !== undefined && sameValue(whole, part);
}

function withoutIdentity(object: ValueMap): ValueMap {
  const copy = copyOf(object);
  const metadata = ensureMap(copy, 'metadata');
  for (const field of ['name', 'generateName', 'namespace']) metadata.delete(field);
  copy.delete('status');
  return copy;
}

/** Reports whether the pod has the offending value, and its container no other one. */
function holdsInPod(stored: ValueMap, { forbidden, allowed }: Forbidden): boolean {
  if (allowed === undefined) return false;
  const spec = podSpecPath(forbidden);
  const value = valueAt(forbidden, ...allowed.path);
  const own = valueAt(stored, ...(spec ?? []), 'securityContext', ...allowed.path.slice(-1));
  return (
    spec !== undefined &&
    value !== undefined &&
    own !== undefined &&
    sameValue(own, value) &&
    valueAt(stored, ...allowed.path) === undefined
  );
}

/** The object after the last call; the answer of a scale is another kind. */
function storedObject({ call, report }: MadeCall, state: ClusterState): ValueMap | undefined {
  const { object } = report.decision;
  const info = requestInfoOf(call.path);
  if (info.type !== 'resource' || info.subresource === '' || info.subresource === 'status') return object;
  return (
    state.written?.objects().find(one => stringAt(one, 'metadata', 'name') === info.name && stringAt(one, 'kind') !== 'Namespace') ?? object
  );
}

/** Reports whether CREATE refuses an object like the stored one, at the forbidden one's name, namespace and labels. */
async function isRefused(stored: ValueMap, { forbidden, target }: Forbidden, search: BypassSearch): Promise<boolean> {
  const clean = copyOf(stored);
  clean.delete('status');
  if (stored.get('apiVersion') !== forbidden.get('apiVersion')) keepFieldsOf(forbidden, clean);
  const own = mapAt(stored, 'metadata');
  const metadata = copyOf(mapAt(forbidden, 'metadata') ?? new Map<string, Value>());
  for (const key of ['annotations', 'finalizers']) {
    const value = own?.get(key);
    if (value !== undefined) metadata.set(key, value);
  }
  clean
    .set('metadata', metadata)
    .set('apiVersion', forbidden.get('apiVersion') ?? 'v1')
    .set('kind', forbidden.get('kind') ?? '');
  const labels = mapAt(own, 'labels');
  const wanted = mapAt(forbidden, 'metadata', 'labels');
  if (wanted !== undefined && [...wanted].some(([key, value]) => labels?.get(key) !== value)) metadata.set('labels', labels ?? new Map());
  const made = await makeCreation(clean, target, search);
  return made !== undefined && refusalOf(made) !== undefined;
}

/** Removes fields of the spec, in place, that only another version may have. */
function keepFieldsOf(forbidden: ValueMap, clean: ValueMap): void {
  const [wanted, spec] = [mapAt(forbidden, 'spec'), mapAt(clean, 'spec')];
  for (const field of [...(spec?.keys() ?? [])]) if (wanted?.has(field) !== true) spec?.delete(field);
}

/** Reports whether one of the containers that were moved to another list still has the offending value. */
function holdsContainer(stored: ValueMap, { forbidden, allowed }: Forbidden): boolean {
  const spec = podSpecPath(forbidden);
  if (spec === undefined || allowed === undefined) return false;
  const inside = allowed.path.slice(spec.length + 2);
  const value = valueAt(forbidden, ...allowed.path);
  return containersOfObject(valueAt(stored, ...spec)).some(container => {
    if (!isMap(container) || stringAt(container, 'name') !== 'moved') return false;
    const own = valueAt(container, ...inside);
    return inside.length === 0 || (own !== undefined && value !== undefined && sameValue(own, value));
  });
}

/** Creates what the controllers create for a workload, as their users; reports whether one of them is a pod. */
async function createPods(workload: ValueMap, before: ClusterState, { pipeline, targets }: BypassSearch): Promise<boolean> {
  let state = before;
  let owner = workload;
  for (let i = 0; i < maxOwners; i += 1) {
    const next = createdBy(owner, { state, now: pipeline.scene().now() });
    const target = next === undefined ? undefined : targets.find(({ resource }) => isOfKind(next.object, resource));
    if (next === undefined || target === undefined) return false;
    const user = { username: `system:serviceaccount:kube-system:${next.controller}` };
    const metadata = ensureMap(next.object, 'metadata');
    if (!metadata.has('namespace')) metadata.set('namespace', toValue(stringAt(owner, 'metadata', 'namespace')));
    const made = await pipeline.makeIn(inputFor(target, next.object, { user }), state);
    if (made?.report.decision.allowed !== true || made.report.decision.object === undefined) return false;
    if (stringAt(next.object, 'kind') === 'Pod') return true;
    state = stateAfter(state, made.call, made.report);
    owner = made.report.decision.object;
  }
  return false;
}

/** A CronJob creates a Job, which creates a pod. */
const maxOwners = 3;
