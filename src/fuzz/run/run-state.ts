import type { ValueMap } from '../../go/value.js';
import { checksOf } from '../checks/all-checks.js';
import { closesConnection, isUnreachable } from '../checks/crash.js';
import type { CallCheck, CheckContext, FuzzCheckName, ShownFinding } from '../checks/finding.js';
import type { FuzzedResource } from '../inputs/input.js';
import type { CallPipeline, MadeCall } from '../pipeline/pipeline.js';
import { newKnowledge } from '../schemas/knowledge.js';
import type { Generator } from '../values/generate.js';
import { poolsOf } from '../values/pools.js';
import type { Random } from '../values/random.js';
import { type Ahead, newAhead } from './ahead.js';
import { type Corpus, newCorpus } from './corpus.js';
import type { Dictionary } from './dictionary.js';
import { endOfFailure, endsProcess, failureOf } from './failures.js';
import { type FindingLog, newFindingLog } from './finding-log.js';
import { type RecentReviews, recentReviews } from './recent-reviews.js';
import { type Slot, slotsOf } from './slots.js';
import { blocksNext, isBlockedBy } from './together.js';

/** What to search, and until when. */
export interface FuzzOptions {
  readonly targets: readonly FuzzedResource[];
  /** Objects to start from: seeds of the user first, then templates. */
  readonly startingObjects: (target: FuzzedResource) => readonly ValueMap[];
  /** The user's own objects. */
  readonly seedsOf: (target: FuzzedResource) => readonly ValueMap[];
  readonly pipeline: CallPipeline;
  /** Chooses the calls. */
  readonly random: Random;
  /** Chooses calls that are examined with further reviews; a source of its own, so that it does not change which calls follow. */
  readonly examinedRandom: Random;
  readonly seed: number;
  readonly dictionary: Dictionary;
  readonly checks: readonly FuzzCheckName[];
  /** Reports whether the run ends before the call of this number. */
  readonly isOver: (calls: number) => boolean;
  /** Time for the reduction of the first finding; later ones have less. */
  readonly reduceMs: number;
  readonly monotonicMs: () => number;
  readonly isInterrupted: () => boolean;
  readonly recover: Recover;
  readonly onProgress: (progress: FuzzProgress) => void;
  /** Called for each new finding, before it is reduced. */
  readonly onFinding: (bug: ShownFinding, calls: number) => void;
}

/**
 * Makes the webhook reachable after it broke a connection (`failed`) or gave no answer in time (`timeout`); `none` waits a moment for a process
 * that ends after its answer. Returns the last lines of a process that ended, and undefined if none did.
 */
export type Recover = (failure: 'failed' | 'timeout' | 'none') => Promise<readonly string[] | undefined>;

/** How far a run is. */
export interface FuzzProgress {
  readonly calls: number;
  readonly resources: number;
  readonly operations: number;
  readonly fields: number;
  readonly findings: number;
}

/** A run in progress. */
export interface FuzzRun {
  readonly options: FuzzOptions;
  readonly corpus: Corpus;
  readonly slots: readonly Slot[];
  readonly generator: Generator;
  /** Signatures of the answers until now. */
  readonly answers: Set<string>;
  readonly checks: readonly CallCheck[];
  readonly findings: FindingLog;
  readonly recent: RecentReviews;
  /** Calls that were planned, of which several are made at the same time. */
  readonly ahead: Ahead;
  /** Calls that the webhooks take at the same time. */
  maxWidth: number;
  /** Calls since one was doubtful. */
  calm: number;
  /** How often it was searched for a call after which a webhook does not answer. */
  blockedSearches: number;
  /** Calls with long answers that were made again with larger objects. */
  enlarged: number;
  /** Duration of the fastest answer. */
  fastestMs: number;
  /** The last calls, newest first: one of them may have ended the process that a later one misses. */
  readonly previous: MadeCall[];
  calls: number;
  /** Whether a webhook has answered, or at least taken a connection. */
  isReached: boolean;
  /** Why no webhook could be called at all; ends the run. */
  unreachable: string | undefined;
}

/** Returns a run before its first call. */
export function newFuzzRun(options: FuzzOptions): FuzzRun {
  const { targets, random, dictionary, seed } = options;
  const knowledge = newKnowledge();
  const checks = checksOf(options.checks);
  const run: FuzzRun = {
    options,
    corpus: newCorpus(),
    slots: slotsOf(targets),
    generator: { random, pools: poolsOf(seed), dictionary: dictionary.texts, supported: knowledge.supported, knowledge },
    answers: new Set(),
    checks,
    findings: newFindingLog({
      ...options,
      settle: () => run.ahead.settle(),
      width: () => run.maxWidth,
      onNew: bug => {
        options.onFinding(bug, run.calls);
        return run.calls;
      },
      show: async (input, { message }) => {
        const first = await options.pipeline.make(input, seed);
        // The call before may have ended the process.
        if (first !== undefined && isRefused(first)) await options.recover('failed');
        const made = first !== undefined && isRefused(first) ? await options.pipeline.make(input, seed) : first;
        if (made === undefined) return undefined;
        const waitsForEnd = message.startsWith(endsProcess);
        const shown = await examineCall(made, { options, checks, isNew: true, isReduction: true, wasLate: false, waitsForEnd });
        const webhook = made.exchanges.at(-1)?.call.webhook;
        if (message !== blocksNext || webhook === undefined || !(await isBlockedBy(made, options))) return { made, shown };
        await options.recover('timeout');
        return { made, shown: { ...shown, bugs: [...shown.bugs, { check: 'slow', webhook, message }] } };
      },
    }),
    recent: recentReviews(),
    ahead: newAhead(({ input, number }) => options.pipeline.make(input, seed + number)),
    maxWidth: 1,
    calm: 0,
    enlarged: 0,
    fastestMs: Number.POSITIVE_INFINITY,
    blockedSearches: 0,
    previous: [],
    calls: 0,
    isReached: false,
    unreachable: undefined,
  };
  return run;
}

/** Returns how far the run is. */
export function progressOf({ calls, slots, generator, findings }: FuzzRun): FuzzProgress {
  const reached = slots.filter(slot => slot.reached > 0);
  return {
    calls,
    resources: new Set(reached.map(({ target }) => target)).size,
    operations: reached.length,
    fields: generator.knowledge.covered(),
    findings: findings.all().length,
  };
}

/** What a call shows: bugs, and the last lines of a process that it ended. */
export interface Examined {
  readonly bugs: readonly ShownFinding[];
  readonly lines: readonly string[];
}

/** Reports whether nothing took the connections of a call. */
function isRefused({ exchanges }: MadeCall): boolean {
  return exchanges.some(({ answer }) => answer.outcome === 'failed' && isUnreachable(answer.message));
}

/** How calls are examined. */
export interface Examination extends Pick<FuzzRun, 'options' | 'checks'>, Pick<CheckContext, 'isNew' | 'isReduction' | 'wasLate'> {
  /** Waits for a process that ends after its answer. */
  readonly waitsForEnd: boolean;
}

/** Runs the checks of a call, then waits for a webhook that broke its connection. */
export async function examineCall(made: MadeCall, examination: Examination): Promise<Examined> {
  const { options, checks, isNew, isReduction, wasLate, waitsForEnd } = examination;
  const context: CheckContext = {
    isNew,
    isReduction,
    wasLate,
    effects: () => {
      const { effects, callWebhook, state } = options.pipeline.scene();
      return effects(callWebhook, state, options.seed);
    },
    bare: () => options.pipeline.makeBare(made.input, options.seed),
    repeated: () => options.pipeline.makeUnchanged(made),
  };
  const bugs: ShownFinding[] = [];
  for (const check of checks) bugs.push(...(await check(made, context)));
  const failure = failureOf(made) ?? (waitsForEnd ? 'none' : undefined);
  const lines = failure === undefined ? [] : ((await options.recover(failure)) ?? []);
  const end = endOfFailure(made, lines);
  if (end === undefined || !options.checks.includes('crash')) return { bugs, lines };
  // A process that ended is a crash, whether it answered, broke the connection, or had ended because of the call before.
  const others = bugs.filter(({ check, message }) => check !== 'crash' || !message.startsWith(closesConnection));
  return { bugs: [...others, end], lines };
}

/** Reports whether nothing of the input was refused by the API server itself. */
export function isValidCall({ report: { decision } }: MadeCall): boolean {
  return decision.allowed || decision.decidedBy !== undefined;
}
