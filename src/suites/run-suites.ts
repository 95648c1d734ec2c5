import { CaseFault } from './faults.js';
import type { CaseOutput, CaseResult, SuiteResult, TestFailure } from './results.js';
import { type CaseRunning, runCase } from './run-case.js';
import { shuffled } from './select.js';
import type { Suite, SuiteCase } from './suite.js';

/** A suite whose webhook is there to be called. */
export interface OpenSuite {
  readonly make: (suiteCase: SuiteCase) => Promise<CaseOutput>;
  /** Ends what was started for it. */
  readonly close: () => Promise<void>;
}

export interface SuiteRunning extends Omit<CaseRunning, 'make'> {
  /** Gets a suite ready; throws CaseFault when that cannot be done. */
  readonly open: (suite: Suite) => Promise<OpenSuite>;
  /** How many cases run at the same time. */
  readonly concurrency: number;
  /** Whether the first case that does not pass ends the run: those that run just then are cut off, and count as skipped. */
  readonly failFast: boolean;
  readonly isSelected: (suite: Suite, suiteCase: SuiteCase) => boolean;
  /** Chance for the order of cases; undefined: they start in their own order. */
  readonly random: (() => number) | undefined;
  /** Hears of every case as it ends, skipped ones too, and may leave out of its result what nobody will look at. */
  readonly onCase: (suite: Suite, result: CaseResult) => CaseResult;
  /** Hears of every suite as it ends. */
  readonly onSuite: (result: SuiteResult) => void;
}

export interface SuitesRun {
  readonly suites: readonly SuiteResult[];
  /** What is no fault of the user's: the run ended where it was thrown. */
  readonly crash: unknown;
}

/** Runs suites one after another, the cases of each side by side. Never rejects. */
export async function runSuites(suites: readonly Suite[], running: SuiteRunning): Promise<SuitesRun> {
  const end = endOf(running.signal);
  const results: SuiteResult[] = [];
  for (const suite of suites) {
    const result = await runSuite(suite, running, end);
    running.onSuite(result);
    results.push(result);
  }
  return { suites: results, crash: end.crash };
}

/** Whether, and why, no further case is to start, and those that run count no more. */
interface End {
  crash: unknown;
  /** Aborted when it is reached: by an interruption, a crash, or a case that does not pass and is to be the last one. */
  readonly reach: AbortController;
  /** Settles when it is reached. */
  readonly reached: Promise<undefined>;
  /** Settles when the run is interrupted: one for all suites, as listeners of a signal are counted. */
  readonly interrupted: Promise<undefined>;
}

function endOf(signal: AbortSignal): End {
  const reach = new AbortController();
  const interrupted = abortionOf(signal);
  interrupted.then(() => reach.abort());
  return { crash: undefined, reach, reached: abortionOf(reach.signal), interrupted };
}

async function runSuite(suite: Suite, running: SuiteRunning, end: End): Promise<SuiteResult> {
  const start = running.elapsedMs();
  const selected = suite.cases.filter(suiteCase => suiteCase.skip === undefined && running.isSelected(suite, suiteCase));
  const results = new Map<SuiteCase, CaseResult>();
  const started = new Set<SuiteCase>();
  let error: TestFailure | undefined;
  if (selected.length > 0 && !isOver(running, end)) {
    try {
      const ordered = running.random === undefined ? selected : shuffled(selected, running.random);
      await withOpenSuite(running.open(suite), end.interrupted, open =>
        runCases(suite, ordered, { running, make: open.make, results, started, end }),
      );
    } catch (fault) {
      if (fault instanceof CaseFault) error = fault.failure;
      else crashed(end, fault);
      if (running.failFast) end.reach.abort();
    }
  }
  const cases = suite.cases.map(suiteCase => results.get(suiteCase) ?? running.onCase(suite, skipped(suiteCase, started.has(suiteCase))));
  const { name, file } = suite;
  return { name, file, cases, durationMs: running.elapsedMs() - start, ...(error === undefined ? {} : { error }) };
}

/** Who is interrupted waits neither for a process to get ready nor for it to end: what is left of it ends with this process. */
async function withOpenSuite(
  opening: Promise<OpenSuite>,
  interrupted: Promise<undefined>,
  run: (open: OpenSuite) => Promise<void>,
): Promise<void> {
  const open = await Promise.race([opening, interrupted]);
  if (open === undefined) {
    opening.then(late => late.close()).catch(() => {});
    return;
  }
  try {
    await run(open);
  } finally {
    const closed = open.close();
    closed.catch(() => {});
    await Promise.race([closed, interrupted]);
  }
}

function abortionOf(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

interface RunningCases {
  readonly running: SuiteRunning;
  readonly make: OpenSuite['make'];
  readonly results: Map<SuiteCase, CaseResult>;
  /** Those that were begun: without a result, they were cut off. */
  readonly started: Set<SuiteCase>;
  readonly end: End;
}

/** So many workers, each taking the next case until there is none or the end is reached. */
async function runCases(suite: Suite, cases: readonly SuiteCase[], { running, make, results, started, end }: RunningCases): Promise<void> {
  const left = cases[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const suiteCase of left) {
      if (isOver(running, end)) return;
      started.add(suiteCase);
      const result = await runCase(suite, suiteCase, { ...running, make, signal: end.reach.signal });
      if (isOver(running, end)) return;
      results.set(suiteCase, running.onCase(suite, result));
      if (running.failFast && (result.outcome === 'failed' || result.outcome === 'broken')) end.reach.abort();
    }
  };
  const workers = Array.from({ length: Math.min(running.concurrency, cases.length) }, () => work().catch(error => crashed(end, error)));
  await Promise.race([Promise.all(workers), end.reached]);
}

/** An interruption counts at once. */
function isOver({ signal }: SuiteRunning, { reach }: End): boolean {
  return signal.aborted || reach.signal.aborted;
}

function crashed(end: End, error: unknown): void {
  end.crash ??= error;
  end.reach.abort();
}

function skipped({ name, place, skip }: SuiteCase, wasCutOff: boolean): CaseResult {
  const notes = wasCutOff ? ['the run ended before it did'] : skip === undefined ? [] : [skip];
  return { name, place, outcome: 'skipped', flaky: false, attempts: 0, durationMs: 0, failures: [], snapshot: undefined, calls: [], notes };
}
