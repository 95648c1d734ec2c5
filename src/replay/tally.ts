import { ownMember, setOwnMember } from '../go/own-members.js';
import { addToHistogram, type Histogram, mergedHistogram } from './histogram.js';
import type { EventPlace } from './logged-event.js';
import type { OutcomeChange } from './outcome.js';

/** Everything that a replay counts. Plain data: it goes through threads, checkpoints and reports of shards, and two of them can be merged. */
export interface ReplayTally {
  /** Lines of the input; for recordings and captured reviews: documents. */
  lines: number;
  /** Lines that cannot be read, with the first of them. */
  broken: { count: number; first: (EventPlace & { readonly reason: string })[] };
  /** Events of reads, of unfinished requests and of everything else that admission does not see. */
  unseen: number;
  /** Calls that were compared, and those among them in which nothing changes. */
  replayed: number;
  same: number;
  /** Reviews that were sent to webhooks. */
  sent: number;
  /** Calls that are equal to an earlier one, whose result was used. */
  reused: number;
  /** Calls for which no webhook or policy has a rule: they end as they did, and were not made. */
  withoutRule: number;
  /** Calls that could not be compared, by reason. */
  unknown: Record<string, number>;
  /** Changes because the log has a webhook or policy that the replay does not have, by its name. */
  absent: Record<string, number>;
  /** Calls that were left out by `--sample`. */
  leftOut: number;
  groups: Record<string, Group>;
  /** Calls and changed calls by hour (`2026-11-22T08`). */
  hours: Record<string, { calls: number; changed: number }>;
  /** Milliseconds for which each call waited for its webhooks. */
  waits: Histogram;
  /** Calls that took longer than the 34 seconds which an API server has for one. */
  overdue: number;
  /** Calls during an outage of `--outage`. */
  outage: OutageTally;
  firstMs: number | undefined;
  lastMs: number | undefined;
}

/** What an outage would have done. */
export interface OutageTally {
  calls: number;
  /** Calls that would have failed, and those that would have passed without the webhook's check. */
  failed: number;
  unchecked: number;
  /** Failed calls that are needed to repair the webhook, by what they are. */
  repair: Record<string, { count: number; samples: TallySample[] }>;
}

/** Equal changes. */
export interface Group extends OutcomeChange {
  count: number;
  namespaces: Record<string, number>;
  kinds: Record<string, number>;
  users: Record<string, number>;
  firstMs: number | undefined;
  lastMs: number | undefined;
  samples: TallySample[];
}

/** A call of a group. */
export interface TallySample extends EventPlace {
  readonly auditId: string;
  readonly atMs: number | undefined;
  /** `CREATE pods shop/web` */
  readonly call: string;
  readonly user: string;
}

/** A call, as groups count it. */
export interface CountedCall extends TallySample {
  readonly namespace: string;
  /** `deployments.apps` or `pods/eviction` */
  readonly resource: string;
}

const maxSamples = 3;
const maxBroken = 5;

/** Messages and names may be as many as the calls: further ones are counted together, so that memory does not grow with the input. */
const maxGroups = 10_000;
const maxNames = 1000;
const others = '(others)';

export function newTally(): ReplayTally {
  return {
    ...{
      lines: 0,
      broken: { count: 0, first: [] },
      unseen: 0,
      replayed: 0,
      same: 0,
      sent: 0,
      reused: 0,
      withoutRule: 0,
      unknown: {},
      absent: {},
      leftOut: 0,
    },
    ...{
      groups: {},
      hours: {},
      waits: {},
      overdue: 0,
      outage: { calls: 0, failed: 0, unchecked: 0, repair: {} },
      firstMs: undefined,
      lastMs: undefined,
    },
  };
}

export function countBroken(tally: ReplayTally, place: EventPlace, reason: string): void {
  tally.broken.count += 1;
  if (tally.broken.first.length < maxBroken) tally.broken.first.push({ ...place, reason });
}

export function countUnknown(tally: ReplayTally, reason: string): void {
  increment(tally.unknown, reason);
}

export function countAbsent(tally: ReplayTally, name: string): void {
  increment(tally.absent, name);
}

/** Counts a compared call, and its changes. */
export function countCall(
  tally: ReplayTally,
  call: CountedCall,
  { changes, waitedMs }: { readonly changes: readonly OutcomeChange[]; readonly waitedMs: number },
): void {
  tally.replayed += 1;
  if (changes.length === 0) tally.same += 1;
  addToHistogram(tally.waits, waitedMs);
  if (waitedMs > 34_000) tally.overdue += 1;
  tally.firstMs = earlier(tally.firstMs, call.atMs);
  tally.lastMs = later(tally.lastMs, call.atMs);
  if (call.atMs !== undefined) {
    const hour = new Date(call.atMs).toISOString().slice(0, 13);
    const counted = ownMember(tally.hours, hour) ?? { calls: 0, changed: 0 };
    setOwnMember(tally.hours, hour, counted);
    counted.calls += 1;
    if (changes.length > 0) counted.changed += 1;
  }
  for (const change of changes) addToGroup(tally, call, change);
}

/** Counts a call during an outage. `repairs`: why the webhook needs it; undefined if it does not. */
export function countInOutage(
  { outage }: ReplayTally,
  call: CountedCall,
  { failed, unchecked, repairs }: { readonly failed: boolean; readonly unchecked: boolean; readonly repairs: string | undefined },
): void {
  outage.calls += 1;
  if (unchecked) outage.unchecked += 1;
  if (!failed) return;
  outage.failed += 1;
  if (repairs === undefined) return;
  const known = ownMember(outage.repair, repairs) ?? { count: 0, samples: [] };
  setOwnMember(outage.repair, repairs, known);
  known.count += 1;
  known.samples = firstSamples([...known.samples, sampleOf(call)]);
}

function sampleOf({ source, line, auditId, atMs, call, user }: CountedCall): TallySample {
  return { source, line, auditId, atMs, call, user };
}

function addToGroup(tally: ReplayTally, call: CountedCall, change: OutcomeChange): void {
  const group = groupOf(tally, change);
  group.count += 1;
  increment(group.namespaces, call.namespace);
  increment(group.kinds, call.resource);
  increment(group.users, call.user);
  group.firstMs = earlier(group.firstMs, call.atMs);
  group.lastMs = later(group.lastMs, call.atMs);
  group.samples = firstSamples([...group.samples, sampleOf(call)]);
}

function groupOf({ groups }: ReplayTally, change: OutcomeChange): Group {
  const rest: OutcomeChange = { ...change, message: others };
  const known = ownMember(groups, groupKey(change)) ?? ownMember(groups, groupKey(rest));
  if (known !== undefined) return known;
  const kept = Object.keys(groups).length < maxGroups ? change : rest;
  const group = { ...kept, ...emptyGroup() };
  setOwnMember(groups, groupKey(kept), group);
  return group;
}

/** Returns the key of the group of equal changes. */
export function groupKey({ change, by, message }: OutcomeChange): string {
  return JSON.stringify([change, by, message]);
}

function emptyGroup(): Omit<Group, keyof OutcomeChange> {
  return { count: 0, namespaces: {}, kinds: {}, users: {}, firstMs: undefined, lastMs: undefined, samples: [] };
}

/** Returns the sum of two tallies. The order of the arguments does not matter. */
export function mergedTally(a: ReplayTally, b: ReplayTally): ReplayTally {
  const groups = { ...a.groups };
  for (const [key, group] of Object.entries(b.groups)) {
    const own = ownMember(groups, key);
    setOwnMember(groups, key, own === undefined ? group : mergedGroup(own, group));
  }
  return {
    lines: a.lines + b.lines,
    broken: { count: a.broken.count + b.broken.count, first: [...a.broken.first, ...b.broken.first].sort(byPlace).slice(0, maxBroken) },
    unseen: a.unseen + b.unseen,
    replayed: a.replayed + b.replayed,
    same: a.same + b.same,
    sent: a.sent + b.sent,
    reused: a.reused + b.reused,
    withoutRule: a.withoutRule + b.withoutRule,
    unknown: summed(a.unknown, b.unknown),
    absent: summed(a.absent, b.absent),
    leftOut: a.leftOut + b.leftOut,
    groups,
    hours: mergedHours(a.hours, b.hours),
    waits: mergedHistogram(a.waits, b.waits),
    overdue: a.overdue + b.overdue,
    outage: mergedOutage(a.outage, b.outage),
    firstMs: earlier(a.firstMs, b.firstMs),
    lastMs: later(a.lastMs, b.lastMs),
  };
}

function mergedGroup(a: Group, b: Group): Group {
  return {
    ...a,
    count: a.count + b.count,
    namespaces: summed(a.namespaces, b.namespaces),
    kinds: summed(a.kinds, b.kinds),
    users: summed(a.users, b.users),
    firstMs: earlier(a.firstMs, b.firstMs),
    lastMs: later(a.lastMs, b.lastMs),
    samples: firstSamples([...a.samples, ...b.samples]),
  };
}

function mergedOutage(a: OutageTally, b: OutageTally): OutageTally {
  const repair = { ...a.repair };
  for (const [reason, { count, samples }] of Object.entries(b.repair)) {
    const own = ownMember(repair, reason) ?? { count: 0, samples: [] };
    setOwnMember(repair, reason, { count: own.count + count, samples: firstSamples([...own.samples, ...samples]) });
  }
  return { calls: a.calls + b.calls, failed: a.failed + b.failed, unchecked: a.unchecked + b.unchecked, repair };
}

function mergedHours(a: ReplayTally['hours'], b: ReplayTally['hours']): ReplayTally['hours'] {
  const merged = { ...a };
  for (const [hour, { calls, changed }] of Object.entries(b)) {
    const own = ownMember(merged, hour) ?? { calls: 0, changed: 0 };
    setOwnMember(merged, hour, { calls: own.calls + calls, changed: own.changed + changed });
  }
  return merged;
}

/** The earliest, so that neither threads nor shards decide about samples. */
function firstSamples(samples: readonly TallySample[]): TallySample[] {
  const inOrder = [...samples].sort((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0) || byPlace(a, b));
  return inOrder.slice(0, maxSamples);
}

function byPlace(a: EventPlace, b: EventPlace): number {
  return a.source === b.source ? a.line - b.line : a.source < b.source ? -1 : 1;
}

function summed(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) setOwnMember(sum, name, countOf(sum, name) + count);
  return sum;
}

function increment(counts: Record<string, number>, name: string): void {
  const isKept = countOf(counts, name) > 0 || (counts[others] === undefined && Object.keys(counts).length < maxNames);
  const kept = isKept ? name : others;
  setOwnMember(counts, kept, countOf(counts, kept) + 1);
}

function countOf(counts: Readonly<Record<string, number>>, name: string): number {
  return ownMember(counts, name) ?? 0;
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
