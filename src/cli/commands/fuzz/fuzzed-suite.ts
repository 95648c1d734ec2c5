import { CliError } from '../../../client/cli-error.js';
import { pickOptions } from '../../../client/options/option-names.js';
import { stateOptions } from '../../../client/options/state-options.js';
import type { SuiteProcess } from '../../../suites/suite.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { loadSuites } from '../../work/suites/load-suites.js';
import type { FuzzFlags } from './fuzz-options.js';
import { listening, processOf } from './fuzzed-process.js';

/** What is searched, with the options of a suite. */
export interface Fuzzed {
  readonly flags: FuzzFlags;
  /** Flags on the command line, and options of the suite. */
  readonly given: ReadonlySet<string>;
  readonly process: SuiteProcess | undefined;
}

/** Adds the webhooks, cluster, process and manifests of a suite to the flags, which override them. Throws CliError for a path without one suite. */
export async function addSuite(
  path: string | undefined,
  { flags, given }: Pick<Fuzzed, 'flags' | 'given'>,
  surroundings: Surroundings,
): Promise<Fuzzed> {
  const own = flags.exec === undefined ? undefined : processOf(flags.exec);
  if (path === undefined) return { flags, given, process: own };
  const [suite, other] = await loadSuites([path], surroundings);
  if (suite === undefined || other !== undefined) {
    throw new CliError('usage', `${path} has several suites`, { suggestions: ['pass one suite file'] });
  }
  const cluster = pickOptions(suite.cases[0]?.options ?? {}, stateOptions);
  const filename = [...new Set(suite.cases.flatMap(({ options }) => options.filename ?? []))].filter(file => file !== '-');
  const described: FuzzFlags = { ...cluster, ...suite.webhook, ...(filename.length === 0 ? {} : { filename }) };
  const chosen = Object.entries(flags).filter(([name, value]) => given.has(name) || (value !== undefined && !(name in described)));
  return {
    flags: { ...described, ...Object.fromEntries(chosen) },
    given: new Set([...given, ...Object.keys(described)]),
    process: own ?? (suite.process === undefined ? undefined : listening(suite.process)),
  };
}
