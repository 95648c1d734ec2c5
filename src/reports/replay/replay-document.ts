import { minorOf, previewNote } from '../../kubernetes/kubernetes-version.js';
import { quantilesOf } from '../../replay/histogram.js';
import type { Group, ReplayTally, TallySample } from '../../replay/tally.js';

/** A finished or interrupted replay. */
export interface ReplayRun {
  readonly kubernetesVersion: string;
  /** False for a run that was interrupted. */
  readonly complete: boolean;
  readonly shard: { readonly index: number; readonly count: number } | undefined;
  readonly tally: ReplayTally;
  /** Returns the command that repeats one call. */
  readonly commandOf: (sample: TallySample) => string;
}

/** Quantiles of the time that calls wait for their webhooks. */
export const shownQuantiles = { p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999, max: 1 } as const;

/** The document of `-o json`: kind ReplayReport. It holds every count, so that reports of shards can be merged. */
export function replayDocument({ kubernetesVersion, complete, shard, tally, commandOf }: ReplayRun): Readonly<Record<string, unknown>> {
  const preview = previewOf(kubernetesVersion);
  const { lines, broken, unseen, replayed, same, sent, reused, withoutRule, leftOut, unknown, overdue, outage } = tally;
  return {
    apiVersion: 'webhook-cli.dev/v1alpha1',
    kind: 'ReplayReport',
    kubernetesVersion,
    complete,
    ...(shard === undefined ? {} : { shard }),
    log: {
      lines,
      unseen,
      broken: { count: broken.count, first: broken.first.map(({ source, line, reason }) => ({ file: source, line, reason })) },
      from: timeOf(tally.firstMs),
      to: timeOf(tally.lastMs),
    },
    calls: { replayed, same, changed: replayed - same, reused, withoutRule, leftOut, unknown: pairsOf(unknown, 'reason') },
    webhooks: { sent, absent: pairsOf(tally.absent, 'name'), waits: { ...waitsOf(tally), overdue, buckets: tally.waits } },
    changes: groupsOf(tally).map(group => changeDocument(group, replayed, commandOf)),
    ...(preview === undefined ? {} : { notes: [preview] }),
    hours: Object.entries(tally.hours)
      .sort(byKey)
      .map(([hour, counts]) => ({ hour: `${hour}:00:00Z`, ...counts })),
    ...(outage.calls === 0
      ? {}
      : {
          outage: {
            calls: outage.calls,
            failed: outage.failed,
            unchecked: outage.unchecked,
            repair: Object.entries(outage.repair)
              .sort(byKey)
              .map(([reason, { count, samples }]) => ({
                reason,
                count,
                samples: samples.map(sample => sampleDocument(sample, commandOf)),
              })),
          },
        }),
  };
}

/** Returns what to say of a version that is not released; undefined for the others. */
export function previewOf(kubernetesVersion: string): string | undefined {
  const minor = minorOf(kubernetesVersion);
  return minor === undefined ? undefined : previewNote(minor);
}

function changeDocument(
  { change, by, message, count, ...group }: Group,
  replayed: number,
  commandOf: ReplayRun['commandOf'],
): Readonly<Record<string, unknown>> {
  return {
    change,
    by,
    message,
    count,
    share: replayed === 0 ? 0 : Number((count / replayed).toPrecision(6)),
    first: timeOf(group.firstMs),
    last: timeOf(group.lastMs),
    namespaces: pairsOf(group.namespaces, 'name'),
    resources: pairsOf(group.kinds, 'name'),
    users: pairsOf(group.users, 'name'),
    samples: group.samples.map(sample => sampleDocument(sample, commandOf)),
  };
}

function sampleDocument(sample: TallySample, commandOf: ReplayRun['commandOf']): Readonly<Record<string, unknown>> {
  const { source, line, auditId, atMs, call, user } = sample;
  return { file: source, line, auditID: auditId, time: timeOf(atMs), call, user, command: commandOf(sample) };
}

/** Returns the groups, refusals and errors first, then by number of calls. */
export function groupsOf({ groups }: Pick<ReplayTally, 'groups'>): readonly Group[] {
  const rank = ['newly-refused', 'error', 'newly-allowed', 'other-refusal', 'other-patch', 'other-warnings', 'other-answer'];
  return Object.values(groups).sort(
    (a, b) => rank.indexOf(a.change) - rank.indexOf(b.change) || b.count - a.count || (a.by + a.message < b.by + b.message ? -1 : 1),
  );
}

/** Returns the quantiles of waiting times in milliseconds, with two digits after the point. */
export function waitsOf({ waits }: Pick<ReplayTally, 'waits'>): Readonly<Record<keyof typeof shownQuantiles, number>> {
  const names = Object.keys(shownQuantiles);
  const values = quantilesOf(waits, Object.values(shownQuantiles));
  return Object.fromEntries(names.map((name, i) => [name, Math.round((values[i] ?? 0) * 100) / 100])) as Record<
    keyof typeof shownQuantiles,
    number
  >;
}

/** Returns counts by name, the largest first. */
export function byCount(counts: Readonly<Record<string, number>>): readonly (readonly [string, number])[] {
  return Object.entries(counts).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

function pairsOf<K extends string>(counts: Readonly<Record<string, number>>, key: K): readonly Readonly<Record<string, string | number>>[] {
  return byCount(counts).map(([name, count]) => ({ [key]: name, count }));
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
