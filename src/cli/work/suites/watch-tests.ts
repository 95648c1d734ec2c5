import path from 'node:path';
import { builtPathIn } from '../../../client/manifests/input-path.js';
import { pathsOfOptions } from '../../../suites/reading/suite-fields.js';
import type { CaseOptions, Suite } from '../../../suites/suite.js';
import type { WatchedSuite } from '../../../suites/watch/affected.js';
import { watchSuites } from '../../../suites/watch/watch-suites.js';
import { printError } from '../../shell/print-error.js';
import type { Surroundings } from '../../shell/surroundings.js';

/** What to watch, and how to react to changes. */
export interface TestWatching {
  readonly paths: readonly string[];
  /** Reads all suites; throws CliError. */
  readonly load: () => Promise<readonly Suite[]>;
  /** Runs some of all suites and reports; throws CliError. */
  readonly run: (suites: {
    readonly suites: readonly Suite[];
    readonly known: readonly Suite[];
    readonly signal: AbortSignal;
  }) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Quiet period before suites run again. */
const quietMs = 150;

/** Runs all suites, then those affected by changed files, each with a new process, until it is aborted. */
export async function watchTests({ paths, load, run, signal }: TestWatching, surroundings: Surroundings): Promise<void> {
  const { cwd, stderr } = surroundings;
  let known: readonly Suite[] = [];
  const printErrors = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act();
    } catch (error) {
      // The user is about to fix it.
      printError(error, false, surroundings);
      return undefined;
    }
  };
  await watchSuites<Watched>({
    roots: paths.map(given => path.resolve(cwd, given)),
    quietMs,
    signal,
    load: () =>
      printErrors(async () => {
        known = await load();
        return known.map(suite => watched(suite, cwd));
      }),
    run: async (suites, _, own) => {
      await printErrors(() => run({ suites: suites.map(({ suite }) => suite), known, signal: own }));
      if (!signal.aborted) stderr.write('watching for changes; press Ctrl-C to end\n');
    },
  });
}

/** A suite with its input files. */
export interface Watched extends WatchedSuite {
  readonly suite: Suite;
}

/** Returns a suite with its input files. The sources of a process are all files in its working directory. */
export function watched(suite: Suite, cwd: string): Watched {
  const files = [suite.webhook, ...optionsIn(suite)].flatMap(pathsIn);
  const absolute = [...new Set([suite.file, ...files])].map(file => path.resolve(cwd, file));
  return {
    file: path.resolve(cwd, suite.file),
    inputs: absolute,
    sources: suite.process === undefined ? [] : [path.resolve(cwd, suite.process.cwd)],
    suite,
  };
}

/** Returns the options of all cases of a suite, and of their steps. */
export function optionsIn({ cases }: Suite): CaseOptions[] {
  return cases.flatMap(({ options, steps = [] }) => [options, ...steps.map(step => step.options)]);
}

/** Returns the values of options that are paths. */
export function pathsIn(options: object): string[] {
  return pathsOfOptions(options).flatMap(filesOf);
}

function filesOf(given: string): string[] {
  const built = builtPathIn(given);
  return built === undefined ? [given] : [built.folder, ...built.values];
}
