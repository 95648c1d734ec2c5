import { placesIn } from '../../encoding/line-places.js';
import { readShallowJson } from '../../encoding/shallow-json.js';
import type { JsonNode } from '../../go/json/node.js';
import { JsonSyntaxError } from '../../go/json/reader.js';
import { type Group, groupKey, newTally, type Sample, type Tally } from '../../replay/tally.js';
import {
  flag,
  listOf,
  MalformedDocument,
  nullable,
  number,
  object,
  optional,
  type Reader,
  recordOf,
  text,
} from '../suites/document-reader.js';
import type { ReplayRun } from './replay-document.js';

/** Result of reading a ReplayReport document. Lines and columns count from 1. */
export type ReplayReading =
  | { readonly outcome: 'read'; readonly run: Omit<ReplayRun, 'commandOf'>; readonly commands: ReadonlyMap<string, string> }
  | { readonly outcome: 'malformed'; readonly message: string; readonly line: number; readonly column: number };

const apiVersion = 'webhook-cli.dev/v1alpha1';
const kind = 'ReplayReport';

const type = object<{ readonly apiVersion: string; readonly kind: string }>({ apiVersion: text, kind: text });

/** Reports whether a text is the report of a replay; false for one that is no JSON. Its members are not read. */
export function isReplayReport(document: string): boolean {
  try {
    return type(readShallowJson(document, 1), '').kind === kind;
  } catch (error) {
    if (error instanceof MalformedDocument || error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

/** Reads a report of `replay -o json`. */
export function readReplayReport(document: string): ReplayReading {
  try {
    const root = readShallowJson(document, 1);
    checkType(root);
    return { outcome: 'read', ...runOf(report(root, '')) };
  } catch (error) {
    if (!(error instanceof MalformedDocument || error instanceof JsonSyntaxError)) throw error;
    return { outcome: 'malformed', message: error.message, ...placesIn(document)(error.offset) };
  }
}

function checkType(root: JsonNode): void {
  const found = type(root, '');
  if (found.kind !== kind) throw new MalformedDocument(`kind is ${found.kind}, expected ${kind}`, root.start);
  if (found.apiVersion !== apiVersion)
    throw new MalformedDocument(`apiVersion is ${found.apiVersion}, written by another version of webhook-cli`, root.start);
}

/** RFC 3339, to milliseconds since 1970. */
const time: Reader<number> = (node, path) => {
  const ms = Date.parse(text(node, path));
  if (Number.isNaN(ms)) throw new MalformedDocument(`${path} must be a time`, node.start);
  return ms;
};

interface Named {
  readonly name: string;
  readonly count: number;
}

const named = listOf(object<Named>({ name: text, count: number }));

interface ShownSample {
  readonly file: string;
  readonly line: number;
  readonly auditID: string;
  readonly time: number | null;
  readonly call: string;
  readonly user: string;
  readonly command: string;
}

const samples = listOf(
  object<ShownSample>({ file: text, line: number, auditID: text, time: nullable(time), call: text, user: text, command: text }),
);

/** Reports of later versions may have changes of other kinds, which are kept. */
const change: Reader<Group['change']> = (node, path) => text(node, path) as Group['change'];

interface ShownReport {
  readonly kubernetesVersion: string;
  readonly complete: boolean;
  readonly shard?: { readonly index: number; readonly count: number } | undefined;
  readonly log: {
    readonly lines: number;
    readonly unseen: number;
    readonly broken: { readonly count: number; readonly first: readonly { file: string; line: number; reason: string }[] };
    readonly from: number | null;
    readonly to: number | null;
  };
  readonly calls: Pick<Tally, 'replayed' | 'same' | 'reused' | 'leftOut'> & {
    readonly unknown: readonly { reason: string; count: number }[];
  };
  readonly webhooks: {
    readonly sent: number;
    readonly waits: { readonly overdue: number; readonly buckets: Readonly<Record<string, number>> };
  };
  readonly changes: readonly ShownChange[];
  readonly hours: readonly { readonly hour: string; readonly calls: number; readonly changed: number }[];
  readonly outage?: ShownOutage | undefined;
}

interface ShownChange extends Pick<Group, 'change' | 'by' | 'message' | 'count'> {
  readonly namespaces: readonly Named[];
  readonly resources: readonly Named[];
  readonly users: readonly Named[];
  readonly first: number | null;
  readonly last: number | null;
  readonly samples: readonly ShownSample[];
}

interface ShownOutage {
  readonly calls: number;
  readonly failed: number;
  readonly unchecked: number;
  readonly repair: readonly { readonly reason: string; readonly count: number; readonly samples: readonly ShownSample[] }[];
}

const report = object<ShownReport>({
  kubernetesVersion: text,
  complete: flag,
  shard: optional(object({ index: number, count: number })),
  log: object({
    lines: number,
    unseen: number,
    broken: object({ count: number, first: listOf(object({ file: text, line: number, reason: text })) }),
    from: nullable(time),
    to: nullable(time),
  }),
  calls: object({
    replayed: number,
    same: number,
    reused: number,
    leftOut: number,
    unknown: listOf(object({ reason: text, count: number })),
  }),
  webhooks: object({ sent: number, waits: object({ overdue: number, buckets: recordOf(number) }) }),
  changes: listOf(
    object<ShownChange>({
      ...{ change, by: text, message: text, count: number, namespaces: named, resources: named, users: named },
      ...{ first: nullable(time), last: nullable(time), samples },
    }),
  ),
  hours: listOf(object({ hour: text, calls: number, changed: number })),
  outage: optional(
    object<ShownOutage>({
      ...{ calls: number, failed: number, unchecked: number },
      repair: listOf(object({ reason: text, count: number, samples })),
    }),
  ),
});

function runOf({
  kubernetesVersion,
  complete,
  shard,
  log,
  calls,
  webhooks,
  changes,
  hours,
  outage,
}: ShownReport): Omit<Extract<ReplayReading, { outcome: 'read' }>, 'outcome'> {
  const shownSamples = [...changes, ...(outage?.repair ?? [])].flatMap(one => one.samples);
  const { replayed, same, reused, leftOut } = calls;
  const tally: Tally = {
    ...newTally(),
    ...{ lines: log.lines, unseen: log.unseen, replayed, same, reused, leftOut, sent: webhooks.sent, overdue: webhooks.waits.overdue },
    broken: { count: log.broken.count, first: log.broken.first.map(({ file, line, reason }) => ({ source: file, line, reason })) },
    firstMs: log.from ?? undefined,
    lastMs: log.to ?? undefined,
    unknown: Object.fromEntries(calls.unknown.map(({ reason, count }) => [reason, count])),
    waits: { ...webhooks.waits.buckets },
    groups: Object.fromEntries(changes.map(one => [groupKey(one), groupOf(one)])),
    hours: Object.fromEntries(hours.map(one => [one.hour.slice(0, 13), { calls: one.calls, changed: one.changed }])),
  };
  if (outage !== undefined) {
    const { calls: during, failed, unchecked, repair } = outage;
    const rows = repair.map(({ reason, count, samples: shown }) => [reason, { count, samples: shown.map(sampleOf) }]);
    tally.outage = { calls: during, failed, unchecked, repair: Object.fromEntries(rows) };
  }
  return {
    run: { kubernetesVersion, complete, shard, tally },
    commands: new Map(shownSamples.map(({ auditID, command }) => [auditID, command])),
  };
}

function groupOf({ change: type, by, message, count, namespaces, resources, users, first, last, samples: shown }: ShownChange): Group {
  const counts = (names: readonly Named[]): Record<string, number> => Object.fromEntries(names.map(one => [one.name, one.count]));
  return {
    ...{ change: type, by, message, count },
    ...{ namespaces: counts(namespaces), kinds: counts(resources), users: counts(users) },
    ...{ firstMs: first ?? undefined, lastMs: last ?? undefined, samples: shown.map(sampleOf) },
  };
}

function sampleOf({ file, line, auditID, time: at, call, user }: ShownSample): Sample {
  return { source: file, line, auditId: auditID, atMs: at ?? undefined, call, user };
}
