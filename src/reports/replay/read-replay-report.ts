import * as v from 'valibot';
import { placesIn } from '../../encoding/line-places.js';
import { readShallowJson } from '../../encoding/shallow-json.js';
import type { JsonNode } from '../../go/json/node.js';
import { JsonSyntaxError } from '../../go/json/reader.js';
import { type Group, groupKey, newTally, type ReplayTally, type TallySample } from '../../replay/tally.js';
import {
  flagSchema,
  listSchema,
  MalformedDocument,
  nullable,
  numberSchema,
  object,
  optionalSchema,
  type ReadBy,
  readReportDocument,
  recordSchema,
  textSchema,
} from '../suites/document-schema.js';
import type { ReplayRun } from './replay-document.js';

/** Result of reading a ReplayReport document. Lines and columns count from 1. */
export type ReplayReading =
  | { readonly outcome: 'read'; readonly run: Omit<ReplayRun, 'commandOf'>; readonly commands: ReadonlyMap<string, string> }
  | { readonly outcome: 'malformed'; readonly message: string; readonly line: number; readonly column: number };

const apiVersion = 'webhook-cli.dev/v1alpha1';
const kind = 'ReplayReport';

const type = object({ apiVersion: textSchema, kind: textSchema });

/** Reports whether a text is the report of a replay; false for invalid JSON. Its members are not read. */
export function isReplayReport(document: string): boolean {
  try {
    return readReportDocument(type, readShallowJson(document, 1)).kind === kind;
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
    return { outcome: 'read', ...runOf(readReportDocument(report, root)) };
  } catch (error) {
    if (!(error instanceof MalformedDocument || error instanceof JsonSyntaxError)) throw error;
    return { outcome: 'malformed', message: error.message, ...placesIn(document)(error.offset) };
  }
}

function checkType(root: JsonNode): void {
  const found = readReportDocument(type, root);
  if (found.kind !== kind) throw new MalformedDocument(`kind is ${found.kind}, expected ${kind}`, root.start);
  if (found.apiVersion !== apiVersion)
    throw new MalformedDocument(`apiVersion is ${found.apiVersion}, written by another version of webhook-cli`, root.start);
}

/** RFC 3339, to milliseconds since 1970. */
const time = v.pipe(
  textSchema,
  v.transform(written => Date.parse(written)),
  v.check(ms => !Number.isNaN(ms), 'a time'),
);

const named = listSchema(object({ name: textSchema, count: numberSchema }));

const sample = object({
  file: textSchema,
  line: numberSchema,
  auditID: textSchema,
  time: nullable(time),
  call: textSchema,
  user: textSchema,
  command: textSchema,
});

/** Reports of later versions may have changes of other kinds, which are kept. */
const changeName = v.pipe(
  textSchema,
  v.transform(name => name as Group['change']),
);

const change = object({
  ...{ change: changeName, by: textSchema, message: textSchema, count: numberSchema, namespaces: named, resources: named, users: named },
  ...{ first: nullable(time), last: nullable(time), samples: listSchema(sample) },
});

const report = object({
  kubernetesVersion: textSchema,
  complete: flagSchema,
  shard: optionalSchema(object({ index: numberSchema, count: numberSchema })),
  log: object({
    lines: numberSchema,
    unseen: numberSchema,
    broken: object({ count: numberSchema, first: listSchema(object({ file: textSchema, line: numberSchema, reason: textSchema })) }),
    from: nullable(time),
    to: nullable(time),
  }),
  calls: object({
    replayed: numberSchema,
    same: numberSchema,
    reused: numberSchema,
    withoutRule: optionalSchema(numberSchema),
    leftOut: numberSchema,
    unknown: listSchema(object({ reason: textSchema, count: numberSchema })),
  }),
  webhooks: object({
    sent: numberSchema,
    absent: optionalSchema(named),
    waits: object({ overdue: numberSchema, buckets: recordSchema(numberSchema) }),
  }),
  changes: listSchema(change),
  hours: listSchema(object({ hour: textSchema, calls: numberSchema, changed: numberSchema })),
  outage: optionalSchema(
    object({
      ...{ calls: numberSchema, failed: numberSchema, unchecked: numberSchema },
      repair: listSchema(object({ reason: textSchema, count: numberSchema, samples: listSchema(sample) })),
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
}: ReadBy<typeof report>): Omit<Extract<ReplayReading, { outcome: 'read' }>, 'outcome'> {
  const shownSamples = [...changes, ...(outage?.repair ?? [])].flatMap(one => one.samples);
  const { replayed, same, reused, withoutRule = 0, leftOut } = calls;
  const tally: ReplayTally = {
    ...newTally(),
    ...{
      lines: log.lines,
      unseen: log.unseen,
      replayed,
      same,
      reused,
      withoutRule,
      leftOut,
      sent: webhooks.sent,
      overdue: webhooks.waits.overdue,
    },
    broken: { count: log.broken.count, first: log.broken.first.map(({ file, line, reason }) => ({ source: file, line, reason })) },
    firstMs: log.from ?? undefined,
    lastMs: log.to ?? undefined,
    unknown: Object.fromEntries(calls.unknown.map(({ reason, count }) => [reason, count])),
    absent: Object.fromEntries((webhooks.absent ?? []).map(({ name, count }) => [name, count])),
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

function groupOf({
  change: type,
  by,
  message,
  count,
  namespaces,
  resources,
  users,
  first,
  last,
  samples: shown,
}: ReadBy<typeof change>): Group {
  const counts = (names: ReadBy<typeof named>): Record<string, number> => Object.fromEntries(names.map(one => [one.name, one.count]));
  return {
    ...{ change: type, by, message, count },
    ...{ namespaces: counts(namespaces), kinds: counts(resources), users: counts(users) },
    ...{ firstMs: first ?? undefined, lastMs: last ?? undefined, samples: shown.map(sampleOf) },
  };
}

function sampleOf({ file, line, auditID, time: at, call, user }: ReadBy<typeof sample>): TallySample {
  return { source: file, line, auditId: auditID, atMs: at ?? undefined, call, user };
}
