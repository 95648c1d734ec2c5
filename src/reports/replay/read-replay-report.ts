import type { ChangeType } from '../../replay/outcome.js';
import { type Group, newTally, type Sample, type Tally } from '../../replay/tally.js';
import type { ReplayRun } from './replay-document.js';

/** A report of `replay -o json`, read again, or why it cannot be read. */
export type ReplayReading =
  | { readonly run: Omit<ReplayRun, 'commandOf'>; readonly commands: ReadonlyMap<string, string> }
  | { readonly error: string };

type Document = Readonly<Record<string, unknown>>;

/** Is this the report of a replay? */
export function isReplayReport(document: unknown): document is Document {
  return isObject(document) && document['kind'] === 'ReplayReport';
}

/** Reads a report of `replay -o json`. */
export function readReplayReport(document: Document): ReplayReading {
  if (document['apiVersion'] !== 'webhook-cli.dev/v1alpha1')
    return { error: `unknown apiVersion ${JSON.stringify(document['apiVersion'])}` };
  try {
    return readDocument(document);
  } catch (error) {
    if (error instanceof Malformed) return { error: error.message };
    throw error;
  }
}

class Malformed extends Error {}

function readDocument(document: Document): ReplayReading {
  const log = objectAt(document, 'log');
  const broken = objectAt(log, 'broken');
  const calls = objectAt(document, 'calls');
  const webhooks = objectAt(document, 'webhooks');
  const waits = objectAt(webhooks, 'waits');
  const shard = document['shard'] === undefined ? undefined : objectAt(document, 'shard');
  const outage = document['outage'] === undefined ? undefined : objectAt(document, 'outage');
  const commands = new Map<string, string>();
  const samples = (parent: Document): Sample[] => listAt(parent, 'samples').map(sample => sampleOf(sample, commands));
  const tally: Tally = {
    ...newTally(),
    lines: numberAt(log, 'lines'),
    unseen: numberAt(log, 'unseen'),
    broken: {
      count: numberAt(broken, 'count'),
      first: listAt(broken, 'first').map(one => ({
        source: textAt(one, 'file'),
        line: numberAt(one, 'line'),
        reason: textAt(one, 'reason'),
      })),
    },
    firstMs: timeAt(log, 'from'),
    lastMs: timeAt(log, 'to'),
    replayed: numberAt(calls, 'replayed'),
    same: numberAt(calls, 'same'),
    reused: numberAt(calls, 'reused'),
    leftOut: numberAt(calls, 'leftOut'),
    unknown: countsAt(calls, 'unknown', 'reason'),
    sent: numberAt(webhooks, 'sent'),
    overdue: numberAt(waits, 'overdue'),
    waits: Object.fromEntries(Object.entries(objectAt(waits, 'buckets')).map(([bucket, count]) => [bucket, Number(count)])),
    groups: Object.fromEntries(
      listAt(document, 'changes').map(change => {
        const group = groupOf(change, samples(change));
        return [JSON.stringify([group.change, group.by, group.message]), group];
      }),
    ),
    hours: Object.fromEntries(
      listAt(document, 'hours').map(one => [
        textAt(one, 'hour').slice(0, 13),
        { calls: numberAt(one, 'calls'), changed: numberAt(one, 'changed') },
      ]),
    ),
  };
  if (outage !== undefined) {
    const repair = listAt(outage, 'repair').map(
      one => [textAt(one, 'reason'), { count: numberAt(one, 'count'), samples: samples(one) }] as const,
    );
    tally.outage = {
      calls: numberAt(outage, 'calls'),
      failed: numberAt(outage, 'failed'),
      unchecked: numberAt(outage, 'unchecked'),
      repair: Object.fromEntries(repair),
    };
  }
  return {
    run: {
      kubernetesVersion: textAt(document, 'kubernetesVersion'),
      complete: document['complete'] === true,
      shard: shard === undefined ? undefined : { index: numberAt(shard, 'index'), count: numberAt(shard, 'count') },
      tally,
    },
    commands,
  };
}

function groupOf(change: Document, samples: Sample[]): Group {
  return {
    // Reports of later versions may have other words, which are kept.
    change: textAt(change, 'change') as ChangeType,
    by: textAt(change, 'by'),
    message: textAt(change, 'message'),
    count: numberAt(change, 'count'),
    namespaces: countsAt(change, 'namespaces', 'name'),
    kinds: countsAt(change, 'resources', 'name'),
    users: countsAt(change, 'users', 'name'),
    firstMs: timeAt(change, 'first'),
    lastMs: timeAt(change, 'last'),
    samples,
  };
}

function sampleOf(sample: Document, commands: Map<string, string>): Sample {
  const auditId = textAt(sample, 'auditID');
  commands.set(auditId, textAt(sample, 'command'));
  return {
    ...{ source: textAt(sample, 'file'), line: numberAt(sample, 'line'), auditId },
    ...{ atMs: timeAt(sample, 'time'), call: textAt(sample, 'call'), user: textAt(sample, 'user') },
  };
}

function countsAt(parent: Document, key: string, name: string): Record<string, number> {
  return Object.fromEntries(listAt(parent, key).map(one => [textAt(one, name), numberAt(one, 'count')]));
}

function isObject(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectAt(parent: Document, key: string): Document {
  const value = parent[key];
  if (!isObject(value)) throw new Malformed(`${key} is not an object`);
  return value;
}

function listAt(parent: Document, key: string): Document[] {
  const value = parent[key];
  if (!Array.isArray(value) || !value.every(isObject)) throw new Malformed(`${key} is not a list of objects`);
  return value;
}

function numberAt(parent: Document, key: string): number {
  const value = parent[key];
  if (typeof value !== 'number') throw new Malformed(`${key} is not a number`);
  return value;
}

function textAt(parent: Document, key: string): string {
  const value = parent[key];
  if (typeof value !== 'string') throw new Malformed(`${key} is not a string`);
  return value;
}

function timeAt(parent: Document, key: string): number | undefined {
  const value = parent[key];
  if (value === null) return undefined;
  const ms = Date.parse(textAt(parent, key));
  if (Number.isNaN(ms)) throw new Malformed(`${key} is not a time`);
  return ms;
}
