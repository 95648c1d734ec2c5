import type { FlagValues, Suite } from '../../../suites/suite.js';
import type { SuiteFlags } from '../test-flags.js';
import { pathsIn } from '../watch-tests.js';

/** Returns why the cases of a suite cannot run in several threads; undefined if they can. */
export function whyOneThread(suite: Suite, flags: SuiteFlags): string | undefined {
  if (suite.apiserver !== undefined) return 'the writes of its clients are recorded for one case at a time';
  const all = [flags as FlagValues, suite.webhook, ...suite.cases.map(suiteCase => suiteCase.flags)];
  if (all.some(readsCluster)) return 'its cases share one connection to a cluster';
  if (all.some(given => pathsIn(given).includes('-'))) return 'stdin can be read only once';
  return undefined;
}

function readsCluster(flags: FlagValues): boolean {
  return flags['context'] !== undefined || flags['kubeconfig'] !== undefined || flags['against-cluster'] === true;
}
