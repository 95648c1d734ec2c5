import { Flags } from '@oclif/core';
import { minorsValue } from '../../client/options/list-values.js';
import { callFlags, clusterFlags } from './call-flags.js';
import { maxJobs } from './jobs.js';
import { withMember } from './option-flags.js';
import type { OptionsOf } from './options-of-flags.js';
import { includeStepsFlag, openFlag } from './output-flags.js';
import { shardValue } from './shard.js';
import { jobsFlag, numberFlag, valueFlag } from './values.js';
import { againstFlags, compareFlags, forwardFlags, webhookFlags } from './webhook-flags.js';

const cases = { helpGroup: 'CASES' } as const;
const run = { helpGroup: 'RUN' } as const;
const snapshots = { helpGroup: 'SNAPSHOTS' } as const;

const { state, namespace, now } = callFlags;

/** Defaults of the calls of all cases. */
const callDefaults = {
  state,
  ...clusterFlags,
  namespace,
  'enable-admission-plugins': callFlags['enable-admission-plugins'],
  'disable-admission-plugins': callFlags['disable-admission-plugins'],
  'kubernetes-version': withMember(
    'kubernetesVersions',
    valueFlag(minorsValue, {
      helpGroup: 'CLUSTER',
      helpValue: 'VERSION[,VERSION...]',
      description:
        'versions of the API server, separated by commas; several run each case once per version, and compare the first with the others',
    }),
  ),
};

/** Flags that suites override. */
export const suiteFlags = { ...webhookFlags, ...compareFlags, ...againstFlags, ...forwardFlags, ...callDefaults };

export const testFlags = {
  ...suiteFlags,
  run: Flags.string({
    ...cases,
    helpValue: 'REGEX',
    description: 'only cases whose name, or `suite > name`, matches this regular expression',
  }),
  shard: valueFlag(shardValue(999_999), {
    ...cases,
    helpValue: 'I/N',
    description: 'the I-th of N shards; a case is always in the same shard',
  }),
  'last-failed': Flags.boolean({ ...cases, description: 'only cases that did not pass in the last run in this folder' }),
  concurrency: numberFlag({
    ...run,
    min: 1,
    max: 256,
    helpValue: 'N',
    description: 'max number of concurrent cases; 8 for each job by default',
  }),
  jobs: jobsFlag({
    ...run,
    max: maxJobs,
    helpValue: 'N|auto',
    description: 'number of threads that run cases; auto, the default, is one for each core for suites of 1,000 cases and more',
  }),
  retries: numberFlag({
    ...run,
    min: 0,
    max: 100,
    helpValue: 'N',
    description: 'max number of retries of a failed case; flaky cases are reported',
  }),
  'fail-fast': Flags.boolean({ ...run, description: 'stop after the first case that does not pass' }),
  watch: Flags.boolean({ ...run, description: 'run suites again when their files change, until interrupted' }),
  coverage: Flags.boolean({
    ...run,
    description: 'count the rules, match conditions and validations that the cases reach, true and false',
  }),
  'fresh-connections': Flags.boolean({ ...run, description: 'a new connection for every review' }),
  seed: numberFlag({
    min: 0,
    max: 2 ** 32 - 1,
    ...run,
    helpValue: 'N',
    description: 'seed of the order of cases, uids and generated names',
  }),
  now,
  check: Flags.boolean({
    ...snapshots,
    description: 'write nothing; missing, pending and obsolete snapshots fail; the default where CI is set',
  }),
  update: Flags.boolean({ ...snapshots, description: 'accept all snapshots, and remove obsolete ones' }),
  'webhook-log': Flags.string({
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
    description: 'write all output of the webhooks that suites start to this file',
  }),
  open: openFlag,
  include: includeStepsFlag,
  reporter: Flags.string({
    helpGroup: 'OUTPUT',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME[=FILE]',
    description: 'a reporter; repeatable',
  }),
};

export type SuiteFlags = OptionsOf<typeof suiteFlags> & Partial<Pick<TestFlags, 'freshConnections' | 'seed' | 'now'>>;

export type TestFlags = OptionsOf<typeof testFlags> & {
  readonly noColor?: boolean | undefined;
};
