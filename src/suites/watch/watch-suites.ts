import { affected, type WatchedSuite } from './affected.js';
import { withOwnSignal } from './own-signal.js';
import { watchFiles } from './watch-files.js';

/** Functions that watch mode needs to run suites. */
export interface SuiteWatching<T extends WatchedSuite> {
  /** Where suites are searched: files and folders, absolute. */
  readonly roots: readonly string[];
  /** Reloads all suites. Undefined when that failed: the error was printed, and the user will fix it. */
  readonly load: () => Promise<readonly T[] | undefined>;
  /** Runs these suites, and restarts the processes of those in `restart`. `signal` is of this run. Must not reject. */
  readonly run: (suites: readonly T[], restart: readonly T[], signal: AbortSignal) => Promise<void>;
  /** Aborted at the end of watch mode. */
  readonly signal: AbortSignal;
  /** Quiet period before suites are rerun. */
  readonly quietMs: number;
}

/** Runs all suites, and reruns those affected by changed files, until it is aborted. */
export async function watchSuites<T extends WatchedSuite>(watching: SuiteWatching<T>): Promise<void> {
  const { roots, load, run, signal, quietMs } = watching;
  let known = (await load()) ?? [];
  let first = Promise.resolve();
  const handleChange = async (files: readonly string[]): Promise<void> => {
    await first;
    const { rerun, mayBeNew } = affected(files, known);
    if (signal.aborted || (known.length > 0 && rerun.length === 0 && !mayBeNew)) return;
    const fresh = await load();
    if (fresh === undefined) return;
    const isNew = ({ file }: T): boolean => !known.some(suite => suite.file === file);
    const concerned = affected(files, fresh);
    const wanted = fresh.filter(suite => concerned.rerun.includes(suite) || isNew(suite));
    const restart = fresh.filter(suite => concerned.restart.includes(suite));
    known = fresh;
    watch.follow([...roots, ...pathsOf(known)]);
    if (wanted.length > 0) await withOwnSignal(signal, own => run(wanted, restart, own));
  };
  const watch = watchFiles({ paths: [...roots, ...pathsOf(known)], quietMs, onChange: handleChange });
  try {
    first = withOwnSignal(signal, own => run(known, [], own));
    await waitUntilAborted(signal);
  } finally {
    await first;
    await watch.close();
  }
}

function waitUntilAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function pathsOf(suites: readonly WatchedSuite[]): string[] {
  return suites.flatMap(({ inputs, sources }) => [...inputs, ...sources]);
}
