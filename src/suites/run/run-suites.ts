import { addEvidence, noEvidence, type SuiteEvidence, untestedSuite } from '../evidence/untested-suite.js';
import { CaseFault } from '../faults.js';
import type { CaseOutput, CaseResult, SuiteResult, TestFailure } from '../results.js';
import { shuffled } from '../select.js';
import type { Suite, SuiteCase } from '../suite.js';
import { type RanCaseOptions, type RunCase, runCaseHere } from './ran-case.js';
import type { CaseRunning } from './run-case.js';

/** A suite whose webhook is running. */
export interface OpenSuite {
  readonly serverOf: CaseRunning['serverOf'];
  readonly make: (suiteCase: SuiteCase) => Promise<CaseOutput>;
  /** Marks the output of the process under test; the result returns the last lines written since. */
  readonly watchOutput?: CaseRunning['watchOutput'];
  /**
   * Other threads that run its cases, each at most as many at a time as its share of `concurrency`, in the order in which they get them; undefined for one that cannot
   * open the suite.
   */
  readonly threads?: readonly Promise<RunCase | undefined>[];
  /** Stops everything started for it. */
  readonly close: () => Promise<void>;
}

export interface SuiteRunning extends Omit<RanCaseOptions, 'make' | 'serverOf' | 'watchOutput'> {
  /** Prepares a suite to run `count` of its cases, until the run is aborted. Throws CaseFault when that fails. */
  readonly open: (suite: Suite, selected: { readonly count: number; readonly signal: AbortSignal }) => Promise<OpenSuite>;
  /** Number of cases that run concurrently, in all threads. */
  readonly concurrency: number;
  /** Whether the first case that does not pass ends the run: running cases are interrupted and count as skipped. */
  readonly failFast: boolean;
  /** Whether this is a shard, of which no suite has to run a case. */
  readonly isShard: boolean;
  readonly isSelected: (suite: Suite, suiteCase: SuiteCase) => boolean;
  /** Random numbers for the order of cases; undefined for the order in the file. */
  readonly random: (() => number) | undefined;
  /** Called with every completed or skipped case; returns it as reporters show it. */
  readonly onCase: (suite: Suite, result: CaseResult) => CaseResult;
  /** Called with every completed suite. */
  readonly onSuite: (result: SuiteResult) => void;
}

export interface SuitesRun {
  readonly suites: readonly SuiteResult[];
  /** Set to an unexpected error, which ended the run. */
  readonly crash: unknown;
}

/** Runs suites sequentially, and the cases of each concurrently. Never rejects. */
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

/** Whether and why no further case is started; results of running cases are discarded. */
interface End {
  crash: unknown;
  /** Aborted at the end of the run: by an interruption, a crash, or the first failed case with failFast. */
  readonly reach: AbortController;
  /** Resolves at the end of the run. */
  readonly reached: Promise<undefined>;
  /** Resolves on interruption. Shared by all suites, because signals limit the number of listeners. */
  readonly interrupted: Promise<undefined>;
}

function endOf(signal: AbortSignal): End {
  const reach = new AbortController();
  const interrupted = waitForAbort(signal);
  interrupted.then(() => reach.abort());
  return { crash: undefined, reach, reached: waitForAbort(reach.signal), interrupted };
}

async function runSuite(suite: Suite, running: SuiteRunning, end: End): Promise<SuiteResult> {
  const start = running.elapsedMs();
  const selected = suite.cases.filter(suiteCase => suiteCase.skip === undefined && running.isSelected(suite, suiteCase));
  const results = new Map<SuiteCase, CaseResult>();
  const taken: TakenCases[] = [];
  const evidence = noEvidence();
  let error: TestFailure | undefined;
  if (selected.length > 0 && !isOver(running, end)) {
    try {
      const ordered = running.random === undefined ? selected : shuffled(selected, running.random);
      const opening = running.open(suite, { count: ordered.length, signal: end.reach.signal });
      await runOpenSuite(opening, end.interrupted, open => runCases(suite, ordered, { running, open, results, taken, evidence, end }));
    } catch (fault) {
      if (fault instanceof CaseFault) error = fault.failure;
      else crashed(end, fault);
      if (running.failFast) end.reach.abort();
    }
  }
  const cases = suite.cases.map(
    suiteCase => results.get(suiteCase) ?? running.onCase(suite, running.reduced(skipped(suiteCase, taken.some(isRunning(suiteCase))))),
  );
  const { name, file } = suite;
  if (error === undefined && !running.isShard && !isOver(running, end)) error = untestedSuite(suite, evidence);
  return { name, file, cases, durationMs: running.elapsedMs() - start, ...(error === undefined ? {} : { error }) };
}

/** An interruption does not wait for a process to become ready or to exit: its processes are killed when this process exits. */
async function runOpenSuite(
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

function waitForAbort(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Cases that a thread has taken and not completed, in order: the first run, as many as it has places, and the others wait for them in the thread. */
interface TakenCases {
  readonly places: number;
  readonly cases: SuiteCase[];
}

interface RunningCases {
  readonly running: SuiteRunning;
  readonly open: OpenSuite;
  readonly results: Map<SuiteCase, CaseResult>;
  /** Of each thread; those that run at the end were interrupted. */
  readonly taken: TakenCases[];
  readonly evidence: SuiteEvidence;
  readonly end: End;
}

/**
 * Cases that wait in another thread for each that it runs. The main thread reads messages between its own cases: without a supply the others would wait for
 * it half of the time.
 */
const waitingPerPlace = 2;

/** Distributes the places for cases evenly among the threads; for each, the next case is taken until there is none or the run ends. */
async function runCases(
  suite: Suite,
  cases: readonly SuiteCase[],
  { running, open, results, taken, evidence, end }: RunningCases,
): Promise<void> {
  const left = [...cases].reverse();
  const here: RunCase = suiteCase => runCaseHere(suite, suiteCase, { ...running, ...open, signal: end.reach.signal });
  const work = async (run: RunCase, { cases: own }: TakenCases, reserve: number): Promise<void> => {
    while (left.length > reserve) {
      const suiteCase = left.pop();
      if (suiteCase === undefined || isOver(running, end)) return;
      own.push(suiteCase);
      const { result, evidence: found } = await run(suiteCase);
      if (isOver(running, end)) return;
      addEvidence(evidence, found);
      results.set(suiteCase, running.onCase(suite, result));
      own.splice(own.indexOf(suiteCase), 1);
      if (running.failFast && (result.outcome === 'failed' || result.outcome === 'broken')) end.reach.abort();
    }
  };
  // What clients do is recorded for one case at a time.
  const concurrency = Math.min(suite.apiserver === undefined ? running.concurrency : 1, cases.length);
  const threads = [Promise.resolve(here), ...(open.threads ?? [])];
  const workIn = async (thread: Promise<RunCase | undefined>, number: number): Promise<void> => {
    const run = await thread;
    if (run === undefined) return;
    const own: TakenCases = { places: placesOf(number, threads.length, concurrency), cases: [] };
    taken.push(own);
    const start = (count: number, reserve: number) => Array.from({ length: count }, () => work(run, own, reserve));
    // The last cases are left to whoever is free first.
    const waiting = number === 0 ? [] : start(waitingPerPlace * own.places, waitingPerPlace * concurrency);
    await Promise.all([...start(own.places, 0), ...waiting]);
  };
  const workers = threads.map((thread, number) => workIn(thread, number).catch(error => crashed(end, error)));
  await Promise.race([Promise.all(workers), end.reached]);
}

/** Returns how many of `total` places a thread has: the first threads have one more if they cannot be equal. */
export function placesOf(thread: number, threads: number, total: number): number {
  return Math.ceil((total - thread) / threads);
}

function isRunning(suiteCase: SuiteCase): (taken: TakenCases) => boolean {
  return ({ cases, places }) => cases.slice(0, places).includes(suiteCase);
}

/** An interruption takes effect immediately. */
function isOver({ signal }: SuiteRunning, { reach }: End): boolean {
  return signal.aborted || reach.signal.aborted;
}

function crashed(end: End, error: unknown): void {
  end.crash ??= error;
  end.reach.abort();
}

function skipped({ name, place, skip }: SuiteCase, wasCutOff: boolean): CaseResult {
  const notes = wasCutOff ? ['interrupted by the end of the run'] : skip === undefined ? [] : [skip];
  return { name, place, outcome: 'skipped', flaky: false, attempts: 0, durationMs: 0, failures: [], snapshot: undefined, calls: [], notes };
}
