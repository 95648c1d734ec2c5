import { CliError, invalidFlag } from '../../../client/cli-error.js';
import { inputOptions, serverOptions } from '../../../client/options/call-options.js';
import { durationMs } from '../../../client/options/duration.js';
import {
  duration,
  number,
  type OptionTable,
  type OptionValues,
  onOff,
  path,
  paths,
  text,
  texts,
  word,
} from '../../../client/options/option.js';
import { compareOptions, webhookOptions } from '../../../client/options/webhook-options.js';
import type { Disturbances, Latency, Outage } from '../../../replay/outages.js';
import { replayFormats } from '../../../reports/replay/report.js';

const log = { group: 'LOG' } as const;
const load = { group: 'LOAD' } as const;

/** Options of `replay` of its own. */
const ownOptions = {
  filename: {
    ...paths,
    ...log,
    char: 'f',
    placeholder: 'PATH',
    description: 'an audit log, recordings, captured reviews, a folder of them, or - for stdin; gzip and zstd are recognized',
  },
  sample: { ...text, ...log, placeholder: '10%', description: 'make only this share of the calls, the same ones in every run' },
  only: {
    ...text,
    ...log,
    placeholder: 'AUDIT_ID',
    description: 'make only the call with this audit ID or uid of a review, and print it as review does',
  },
  noDedupe: { ...onOff, ...log, description: 'make every call, also those that are equal to an earlier one' },
  checkpoint: {
    ...path,
    ...log,
    placeholder: 'FILE',
    description: 'keep the progress in this file, and continue from it after an interruption',
  },
  checkpointEvery: {
    ...duration({ unit: 'Ms', minMs: 1, maxMs: 3_600_000 }),
    ...log,
    placeholder: '10s',
    description: 'how often --checkpoint keeps the progress; 10s by default, and at most a twentieth of the time',
  },
  jobs: {
    ...text,
    ...log,
    placeholder: 'N|auto',
    description: 'threads; auto, the default, uses every core for 16 MiB of input and more',
  },
  shard: { ...text, ...log, placeholder: 'I/N', description: 'make only part I of N of the calls; report merge joins the reports' },
  qps: { ...number(1, 1_000_000), ...log, placeholder: 'N', description: 'send at most this many reviews a second' },
  retries: {
    ...number(0, 20),
    ...log,
    placeholder: 'N',
    description: 'send a review again if the webhook cannot be reached; 0 by default',
  },
  outage: {
    ...texts,
    ...log,
    placeholder: 'WEBHOOK[@FROM..TO]',
    description: 'assume that this webhook does not answer, always or in a part of the time of the log; repeatable',
  },
  latency: {
    ...texts,
    ...log,
    placeholder: 'WEBHOOK=500ms',
    description: 'assume that this webhook answers later by this time; repeatable',
  },
  rate: {
    ...text,
    ...load,
    placeholder: '200/s',
    description: 'send the reviews of the log at this rate, whether answers have arrived or not',
  },
  for: {
    ...duration({ unit: 'Ms', minMs: 1000, maxMs: 86_400_000 }),
    ...load,
    placeholder: '60s',
    description: 'with --rate: how long; 60s by default',
  },
  maxP99: {
    ...duration({ unit: 'Ms', minMs: 1, maxMs: 60_000 }),
    ...load,
    placeholder: '200ms',
    description: 'with --rate: exit code 1 if one percent of the answers takes longer',
  },
  output: {
    ...word(...replayFormats),
    group: 'OUTPUT',
    char: 'o',
    placeholder: replayFormats.join('|'),
    description: `how to print the result; ${replayFormats[0]} by default`,
  },
} as const satisfies OptionTable;

const { state, context, kubeconfig, clusterTimeout } = inputOptions;

/** Options of `replay`. */
export const replayOptions = {
  ...ownOptions,
  ...{ state, context, kubeconfig, clusterTimeout },
  ...serverOptions,
  ...webhookOptions,
  ...compareOptions,
} as const satisfies OptionTable;

export type ReplayOptions = OptionValues<typeof replayOptions> & { readonly noColor?: boolean | undefined };

/** A part of the calls: one shard of several. Numbers start at 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Parses `--shard I/N`. Throws CliError. */
export function shardOf({ shard }: Pick<ReplayOptions, 'shard'>): Shard | undefined {
  if (shard === undefined) return undefined;
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(shard)?.map(Number) ?? [];
  if (index === undefined || count === undefined || index < 1 || index > count || count > 64)
    throw invalidFlag('shard', shard, 'I/N, with I from 1 to N and N at most 64');
  return { index, count };
}

/** Parses `--sample 10%` to a share from 0 to 1. Throws CliError. */
export function sampleOf({ sample }: Pick<ReplayOptions, 'sample'>): number {
  if (sample === undefined) return 1;
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(sample)?.[1];
  if (percent === undefined || Number(percent) > 100 || Number(percent) <= 0)
    throw invalidFlag('sample', sample, 'a percentage such as 10%');
  return Number(percent) / 100;
}

/** Parses `--rate 200/s` to reviews a second. Throws CliError. */
export function rateOf(rate: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(?:\/(s|m))?$/.exec(rate) ?? [];
  const perSecond = Number(count) / (unit === 'm' ? 60 : 1);
  if (count === undefined || perSecond <= 0 || perSecond > 100_000) throw invalidFlag('rate', rate, 'a rate such as 200/s');
  return perSecond;
}

/** Parses `--outage` and `--latency`. Throws CliError. */
export function disturbancesOf({ outage = [], latency = [] }: Pick<ReplayOptions, 'outage' | 'latency'>): Disturbances {
  return { outages: outage.map(outageOf), latencies: latency.map(latencyOf) };
}

function outageOf(text: string): Outage {
  const [, webhook = '', from, to] = /^([^@]+)(?:@(.*)\.\.(.*))?$/.exec(text) ?? [];
  const time = (given: string | undefined): number | undefined => (given === undefined || given === '' ? undefined : Date.parse(given));
  const [fromMs, toMs] = [time(from), time(to)];
  if (webhook === '' || Number.isNaN(fromMs) || Number.isNaN(toMs))
    throw invalidFlag('outage', text, 'WEBHOOK or WEBHOOK@FROM..TO, with times such as 2026-01-02T15:04:05Z');
  return { webhook, fromMs, toMs };
}

function latencyOf(text: string): Latency {
  const [, webhook = '', duration = ''] = /^(.+)=(.+)$/.exec(text) ?? [];
  const ms = durationMs(duration);
  if (webhook === '' || ms === undefined) throw invalidFlag('latency', text, 'WEBHOOK=500ms');
  return { webhook, ms };
}

/** Throws CliError for options that cannot be parsed, or that contradict each other, before anything is read. */
export function checkReplayOptions(options: ReplayOptions): void {
  if ((options.filename ?? []).length === 0)
    throw new CliError('usage', 'no log specified', { suggestions: ['pass an audit log with -f'] });
  shardOf(options);
  sampleOf(options);
  const { outages, latencies } = disturbancesOf(options);
  if (options.compare !== undefined && outages.length + latencies.length > 0)
    throw new CliError('usage', '--compare asks what webhooks answer, and --outage and --latency that they do not: use one of them');
  if (options.rate === undefined && (options.forMs !== undefined || options.maxP99Ms !== undefined))
    throw new CliError('usage', '--for and --max-p99 belong to a load', { suggestions: ['pass --rate 200/s'] });
}
