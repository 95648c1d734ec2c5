import { free, many, numberOption, one, onOff, path } from '../../client/options/option.js';
import { minorsValue } from '../../client/options/version-values.js';
import { casePatternValue } from '../../suites/case-pattern.js';
import { callFlags, clusterFlags } from './call-flags.js';
import { jobs } from './jobs-option.js';
import { flagsOfOptions, withMember } from './option-flags.js';
import type { OptionsOf } from './options-of-flags.js';
import { includeStepsOption, openOption } from './output-options.js';
import { reporterValue } from './reporter.js';
import { shardValue } from './shard.js';
import { againstFlags, compareFlags, forwardFlags, webhookFlags } from './webhook-flags.js';

const cases = { group: 'CASES' } as const;
const run = { group: 'RUN' } as const;
const snapshots = { group: 'SNAPSHOTS' } as const;
const output = { group: 'OUTPUT' } as const;

const { state, namespace, now } = callFlags;

/** `--kubernetes-version` with several versions. */
const versions = flagsOfOptions({
  kubernetesVersion: {
    ...one(minorsValue),
    ...free,
    group: 'CLUSTER',
    placeholder: 'VERSION[,VERSION...]',
    description:
      'versions of the API server, separated by commas; several run each case once per version, and compare the first with the others',
  },
});

/** Defaults of the calls of all cases. */
const callDefaults = {
  state,
  ...clusterFlags,
  namespace,
  'enable-admission-plugins': callFlags['enable-admission-plugins'],
  'disable-admission-plugins': callFlags['disable-admission-plugins'],
  'kubernetes-version': withMember('kubernetesVersions', versions['kubernetes-version']),
};

/** Flags that suites override. */
export const suiteFlags = { ...webhookFlags, ...compareFlags, ...againstFlags, ...forwardFlags, ...callDefaults };

/** Reporters of runs of tests. */
export const reporterOption = {
  ...many(reporterValue),
  ...output,
  placeholder: 'NAME[=FILE]',
  description: 'a reporter; repeatable',
} as const;

/** Options of runs of tests. */
const runOptions = {
  run: {
    ...one(casePatternValue),
    ...cases,
    ...free,
    placeholder: 'REGEX',
    description: 'only cases whose name, or `suite > name`, matches this regular expression',
  },
  shard: {
    ...one(shardValue(999_999)),
    ...cases,
    ...free,
    placeholder: 'I/N',
    description: 'the I-th of N shards; a case is always in the same shard',
  },
  lastFailed: { ...onOff, ...cases, ...free, description: 'only cases that did not pass in the last run in this folder' },
  concurrency: {
    ...numberOption(1, 256),
    ...run,
    ...free,
    placeholder: 'N',
    description: 'max number of concurrent cases; 8 for each job by default',
  },
  jobs: {
    ...jobs,
    ...run,
    description: 'number of threads that run cases; auto, the default, is one for each core for suites of 1,000 cases and more',
  },
  retries: {
    ...numberOption(0, 100),
    ...run,
    ...free,
    placeholder: 'N',
    description: 'max number of retries of a failed case; flaky cases are reported',
  },
  failFast: { ...onOff, ...run, ...free, description: 'stop after the first case that does not pass' },
  watch: { ...onOff, ...run, ...free, description: 'run suites again when their files change, until interrupted' },
  coverage: {
    ...onOff,
    ...run,
    ...free,
    description: 'count the rules, match conditions and validations that the cases reach, true and false',
  },
  freshConnections: { ...onOff, ...run, ...free, description: 'a new connection for every review' },
  seed: {
    ...numberOption(0, 2 ** 32 - 1),
    ...run,
    ...free,
    placeholder: 'N',
    description: 'seed of the order of cases, uids and generated names',
  },
  check: {
    ...onOff,
    ...snapshots,
    ...free,
    description: 'write nothing; missing, pending and obsolete snapshots fail; the default where CI is set',
  },
  update: { ...onOff, ...snapshots, description: 'accept all snapshots, and remove obsolete ones' },
  webhookLog: { ...path, ...output, placeholder: 'FILE', description: 'write all output of the webhooks that suites start to this file' },
  open: openOption,
  include: includeStepsOption,
  reporter: reporterOption,
} as const;

export const testFlags = { ...suiteFlags, ...flagsOfOptions(runOptions), now };

export type SuiteFlags = OptionsOf<typeof suiteFlags> & Partial<Pick<TestFlags, 'freshConnections' | 'seed' | 'now'>>;

export type TestFlags = OptionsOf<typeof testFlags> & {
  readonly noColor?: boolean | undefined;
};
