import type { Suite } from '../../../suites/suite.js';
import { choosesCluster } from '../../cluster/cluster-flags.js';
import type { SuiteFlags } from '../test-flags.js';
import { pathsIn } from '../watch-tests.js';

/** Returns why the cases of a suite cannot run in several threads; undefined if they can. */
export function whyOneThread(suite: Suite, flags: SuiteFlags): string | undefined {
  if (suite.apiserver !== undefined) return 'the writes of its clients are recorded for one case at a time';
  const calls = [flags, ...suite.cases.map(({ options }) => options)];
  if (calls.some(choosesCluster)) return 'its cases share one connection to a cluster';
  if ([suite.webhook, ...calls].some(options => pathsIn(options).includes('-'))) return 'stdin can be read only once';
  return undefined;
}
