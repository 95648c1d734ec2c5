import { compilePattern } from '../../../cel/values/regex.js';
import { CliError } from '../../../client/cli-error.js';
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

/** Returns the cases that `--run`, `--shard`, `--last-failed` and `only` select. Throws CliError for invalid patterns and shards. */
export function caseSelectionOf(flags: TestFlags, suites: readonly Suite[], lastFailed: ReadonlySet<string> | undefined): CaseSelection {
  const { shard } = flags;
  const isNamed = flags.run === undefined ? () => true : nameFilter(flags.run);
  const hasOnly = suites.some(suite => suite.cases.some(({ only }) => only));
  const isWanted: CaseSelection['isWanted'] = (suite, suiteCase) =>
    (!hasOnly || suiteCase.only) && isNamed(suite, suiteCase) && (lastFailed?.has(caseKey(suite, suiteCase)) ?? true);
  const isElsewhere: CaseSelection['isElsewhere'] = (suite, suiteCase) => shard !== undefined && !isInShard(suite, suiteCase, shard);
  return { shard, isWanted, isElsewhere, isSelected: (suite, suiteCase) => isWanted(suite, suiteCase) && !isElsewhere(suite, suiteCase) };
}

/** Returns the key of a case in the record of the last run. */
export function caseKey({ file }: Pick<Suite, 'file'>, { name }: Pick<SuiteCase, 'name'>): string {
  return `${file} > ${name}`;
}

function nameFilter(pattern: string): CaseSelection['isSelected'] {
  const compiled = compilePattern(pattern);
  if ('error' in compiled) throw new CliError('usage', `invalid --run: not a regular expression: ${compiled.error}`);
  return (suite, suiteCase) => compiled.regex.test(suiteCase.name) || compiled.regex.test(`${suite.name} > ${suiteCase.name}`);
}
