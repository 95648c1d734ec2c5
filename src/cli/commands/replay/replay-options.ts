import { CliError } from '../../../client/cli-error.js';
import { serverFlagOptions } from '../../../client/options/call-options.js';
import {
  durationOption,
  free,
  many,
  numberOption,
  type OptionTable,
  type OptionValues,
  one,
  onOff,
  path,
  paths,
  textOption,
  word,
} from '../../../client/options/option.js';
import { clusterStateOptions } from '../../../client/options/state-options.js';
import { jobsValue } from '../../../client/options/value-type.js';
import { compareOptions, webhookOptions } from '../../../client/options/webhook-options.js';
import { replayFormats } from '../../../reports/replay/report.js';
import { maxJobs } from '../../options/jobs.js';
import { shardValue } from '../../options/shard.js';
import { latencyValue, outageValue, rateValue, sampleValue } from './replay-values.js';

const log = { group: 'LOG' } as const;
const load = { group: 'LOAD' } as const;

/** Options of `replay` of its own. */
const ownOptions = {
  filename: {
    ...paths,
    ...log,
    ...free,
    char: 'f',
    placeholder: 'PATH',
    description: 'an audit log, recordings, captured reviews, a folder of them, or - for stdin; gzip and zstd are recognized',
  },
  sample: { ...one(sampleValue), ...log, placeholder: '10%', description: 'make only this share of the calls, the same ones in every run' },
  only: {
    ...textOption,
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
    ...durationOption({ unit: 'Ms', minMs: 1, maxMs: 3_600_000 }),
    ...log,
    placeholder: '10s',
    description: 'how often --checkpoint keeps the progress; 10s by default, and at most a twentieth of the time',
  },
  jobs: {
    ...one(jobsValue(maxJobs)),
    ...log,
    ...free,
    placeholder: 'N|auto',
    description: 'threads; auto, the default, uses every core for 16 MiB of input and more',
  },
  shard: {
    ...one(shardValue(maxJobs)),
    ...log,
    ...free,
    placeholder: 'I/N',
    description: 'make only part I of N of the calls; report merge joins the reports',
  },
  qps: { ...numberOption(1, 1_000_000), ...log, placeholder: 'N', description: 'send at most this many reviews a second' },
  retries: {
    ...numberOption(0, 20),
    ...log,
    ...free,
    placeholder: 'N',
    description: 'send a review again if the webhook cannot be reached; 0 by default',
  },
  outage: {
    ...many(outageValue),
    ...log,
    placeholder: 'WEBHOOK[@FROM..TO]',
    description: 'assume that this webhook does not answer, always or in a part of the time of the log; repeatable',
  },
  latency: {
    ...many(latencyValue),
    ...log,
    placeholder: 'WEBHOOK=500ms',
    description: 'assume that this webhook answers later by this time; repeatable',
  },
  rate: {
    ...one(rateValue),
    ...load,
    placeholder: '200/s',
    description: 'send the reviews of the log at this rate, whether answers have arrived or not',
  },
  for: {
    ...durationOption({ unit: 'Ms', minMs: 1000, maxMs: 86_400_000 }),
    ...load,
    placeholder: '60s',
    description: 'with --rate: how long; 60s by default',
  },
  maxP99: {
    ...durationOption({ unit: 'Ms', minMs: 1, maxMs: 60_000 }),
    ...load,
    placeholder: '200ms',
    description: 'with --rate: exit code 1 if one percent of the answers takes longer',
  },
  output: {
    ...word(...replayFormats),
    group: 'OUTPUT',
    ...free,
    char: 'o',
    placeholder: replayFormats.join('|'),
    description: `how to print the result; ${replayFormats[0]} by default`,
  },
} as const satisfies OptionTable;

/** Options of `replay`. */
export const replayOptions = {
  ...ownOptions,
  ...clusterStateOptions,
  ...serverFlagOptions,
  ...webhookOptions,
  ...compareOptions,
} as const satisfies OptionTable;

export type ReplayFlagOptions = OptionValues<typeof replayOptions> & { readonly noColor?: boolean | undefined };

/** Throws CliError for options that contradict each other, before anything is read. */
export function checkReplayOptions(options: ReplayFlagOptions): void {
  if ((options.filename ?? []).length === 0)
    throw new CliError('usage', 'no log specified', { suggestions: ['pass an audit log with -f'] });
  if (options.compare !== undefined && (options.outage !== undefined || options.latency !== undefined))
    throw new CliError('usage', '--compare asks what webhooks answer, and --outage and --latency that they do not: use one of them');
  if (options.rate === undefined && (options.forMs !== undefined || options.maxP99Ms !== undefined))
    throw new CliError('usage', '--for and --max-p99 belong to a load', { suggestions: ['pass --rate 200/s'] });
}
