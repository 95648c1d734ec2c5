import { sharedGetters } from '../../go/shared-getters.js';
import { lazy } from '../../kubernetes/memoize.js';
import { dependsOnOtherFailures, kubectlLinesOf } from '../kubectl-lines.js';
import type { CallReport } from './call-report.js';
import type { AnsweredStep, MadeStep, StepResult } from './step-result.js';

/**
 * Adds kubectl's lines to results, which stay in order. Some lines differ for the only failure of a command: from such a failure on,
 * results wait for a second failure, or for the end.
 */
export function addLinesInOrder(made: AsyncIterable<MadeStep>): AsyncGenerator<StepResult> {
  return yieldOnceFinal(made, { isFailure, waitsForOthers, final: finalResult });
}

/** Adds kubectl's lines to the results of a part of the steps, of whose first failure both possible lines are returned. */
export async function* addLinesInPart(made: AsyncIterable<MadeStep>): AsyncGenerator<StepResult> {
  let failures = 0;
  for await (const result of made) {
    if (isFailure(result)) failures += 1;
    const other = failures === 1 && waitsForOthers(result) ? finalResult(result, true) : undefined;
    const final = finalResult(result, false);
    yield final.outcome === 'answered' && other?.outcome === 'answered' ? { ...final, asOnlyFailure: other.report } : final;
  }
}

/** Returns results as soon as they are final, in order: those whose text depends on it wait for a second failure or for the end. */
export async function* yieldOnceFinal<Given, Final>(
  given: AsyncIterable<Given>,
  how: {
    readonly isFailure: (one: Given) => boolean;
    readonly waitsForOthers: (one: Given) => boolean;
    readonly final: (one: Given, isOnlyFailure: boolean) => Final;
  },
): AsyncGenerator<Final> {
  let failures = 0;
  let waiting: Given[] = [];
  for await (const result of given) {
    if (how.isFailure(result)) failures += 1;
    waiting.push(result);
    const first = waiting[0];
    if (failures === 1 && first !== undefined && how.waitsForOthers(first)) continue;
    yield* waiting.map(one => how.final(one, false));
    waiting = [];
  }
  yield* waiting.map(one => how.final(one, failures === 1));
}

/** Returns the result of a step without others. */
export function onlyResult(result: MadeStep): StepResult {
  return finalResult(result, isFailure(result) && waitsForOthers(result));
}

/** Input that cannot be used is one of kubectl's errors, too. */
function isFailure(result: MadeStep): boolean {
  return result.outcome === 'unusable' || (result.outcome === 'answered' && !result.made.report.decision.allowed);
}

function waitsForOthers(result: MadeStep): boolean {
  return result.outcome === 'answered' && dependsOnOtherFailures(result.made);
}

function finalResult(result: MadeStep, isOnlyFailure: boolean): StepResult {
  if (result.outcome !== 'answered') return result;
  const { made, state, writtenBefore } = result;
  return { outcome: 'answered', planned: made.planned, report: callReport(made, isOnlyFailure), state, writtenBefore };
}

function callReport(made: AnsweredStep, isOnlyFailure: boolean): CallReport {
  const { command, exchanges, findings } = made;
  // The objects are part of the state now.
  const { sideWrites: _, ...report } = made.report;
  const lines = lazy(() => kubectlLinesOf(made, { isOnlyFailure }));
  return withLines({ report, command, exchanges, findings }, { kubectl: lines });
}

const withLines = sharedGetters<Pick<CallReport, 'kubectl'>>('kubectl');
