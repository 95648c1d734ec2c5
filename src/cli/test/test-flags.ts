import { Flags, type Interfaces } from '@oclif/core';
import { callFlags } from '../flags/call-flags.js';
import { numberFlag } from '../flags/values.js';
import { webhookFlags } from '../flags/webhook-flags.js';

const cases = { helpGroup: 'THE CASES' } as const;
const run = { helpGroup: 'THE RUN' } as const;
const snapshots = { helpGroup: 'SNAPSHOTS' } as const;

const { state, namespace, now } = callFlags;

/** What describes the calls of all cases that do not say it themselves. */
const clusterFlags = {
  state,
  namespace,
  'enable-admission-plugins': callFlags['enable-admission-plugins'],
  'disable-admission-plugins': callFlags['disable-admission-plugins'],
  'kubernetes-version': Flags.string({
    helpGroup: 'THE CLUSTER',
    helpValue: 'VERSION[,VERSION...]',
    description: 'which API servers to behave like; several run every case for each, the first one compared with the others',
  }),
};

export const testFlags = {
  ...webhookFlags,
  ...clusterFlags,
  run: Flags.string({ ...cases, helpValue: 'REGEX', description: 'only cases whose name, or `suite > name`, matches' }),
  shard: Flags.string({
    ...cases,
    helpValue: 'I/N',
    description: 'the I-th of N parts of all cases; a case stays in its part',
  }),
  'last-failed': Flags.boolean({ ...cases, description: 'only cases that did not pass in the last run in this folder' }),
  concurrency: numberFlag({ ...run, min: 1, max: 256, helpValue: 'N', description: 'how many cases run at the same time; 8 by default' }),
  retries: numberFlag({
    ...run,
    min: 0,
    max: 100,
    helpValue: 'N',
    description: 'try a case that fails so many times more; flaky ones are said',
  }),
  'fail-fast': Flags.boolean({ ...run, description: 'end with the first case that does not pass' }),
  watch: Flags.boolean({ ...run, description: 'run again what a change of files concerns, until interrupted' }),
  'fresh-connections': Flags.boolean({ ...run, description: 'a new connection for every review, instead of keeping them' }),
  seed: numberFlag({
    min: 0,
    max: 2 ** 32 - 1,
    ...run,
    helpValue: 'N',
    description: 'run in random order, with uids and generated names that repeat',
  }),
  now,
  check: Flags.boolean({
    ...snapshots,
    description: 'write nothing; missing, pending and obsolete snapshots fail; the default where CI is set',
  }),
  update: Flags.boolean({ ...snapshots, description: 'accept all snapshots at once, and remove obsolete ones' }),
  reporter: Flags.string({
    helpGroup: 'OUTPUT',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME[=FILE]',
    description: 'how to report; repeatable',
  }),
};

export type TestFlags = Interfaces.InferredFlags<typeof testFlags> & {
  readonly 'no-color'?: boolean | undefined;
};
