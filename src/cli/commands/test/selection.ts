import { isNamed } from '../../../suites/case-pattern.js';
import { isInShard, type Shard } from '../../../suites/select.js';
import type { Suite, SuiteCase } from '../../../suites/suite.js';
import type { TestFlags } from '../../options/test-flags.js';

/** Cases to run. */
export interface CaseSelection {
  /** Reports whether a case runs in this shard. */
  readonly isSelected: (suite: Suite, suiteCase: SuiteCase) => boolean;
  /** Reports whether it runs, in this or another shard. */
  readonly isWanted: (suite: Suite, suiteCase: SuiteCase) => boolean;
  /** Reports whether it belongs to another shard. */
  readonly isElsewhere: (suite: Suite, suiteCase: Pick<SuiteCase, 'name'>) => boolean;
  readonly shard: Shard | undefined;
}

/** Returns the cases that `--run`, `--shard`, `--last-failed` and `only` select. */
export function caseSelectionOf(
  flags: Pick<TestFlags, 'run' | 'shard'>,
  suites: readonly Suite[],
  lastFailed: ReadonlySet<string> | undefined,
): CaseSelection {
  const { run, shard } = flags;
  const hasOnly = suites.some(suite => suite.cases.some(({ only }) => only));
  const isWanted: CaseSelection['isWanted'] = (suite, suiteCase) =>
    (!hasOnly || suiteCase.only) &&
    (run === undefined || isNamed(run, suite, suiteCase)) &&
    (lastFailed?.has(caseKey(suite, suiteCase)) ?? true);
  const isElsewhere: CaseSelection['isElsewhere'] = (suite, suiteCase) => shard !== undefined && !isInShard(suite, suiteCase, shard);
  return { shard, isWanted, isElsewhere, isSelected: (suite, suiteCase) => isWanted(suite, suiteCase) && !isElsewhere(suite, suiteCase) };
}

/** Returns the key of a case in the record of the last run. */
export function caseKey({ file }: Pick<Suite, 'file'>, { name }: Pick<SuiteCase, 'name'>): string {
  return `${file} > ${name}`;
}
