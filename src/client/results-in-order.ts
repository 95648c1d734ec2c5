import type { CallReport } from './call-report.js';
import { dependsOnOtherFailures, linesOf } from './kubectl-lines.js';
import type { AnsweredStep, MadeStep, StepResult } from './step-result.js';

/**
 * Adds kubectl's lines to results, which stay in order. Some lines differ for the only failure of a command: from such a failure on,
 * results wait for a second failure, or for the end.
 */
export async function* inOrder(made: AsyncIterable<MadeStep>): AsyncGenerator<StepResult> {
  let failures = 0;
  let waiting: MadeStep[] = [];
  for await (const result of made) {
    if (isFailure(result)) failures += 1;
    waiting.push(result);
    const first = waiting[0];
    if (failures === 1 && first !== undefined && waitsForOthers(first)) continue;
    yield* waiting.map(one => finalResult(one, false));
    waiting = [];
  }
  yield* waiting.map(one => finalResult(one, failures === 1));
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
  const { made, state } = result;
  return { outcome: 'answered', planned: made.planned, report: callReport(made, isOnlyFailure), state };
}

function callReport(made: AnsweredStep, isOnlyFailure: boolean): CallReport {
  const { command, exchanges, findings } = made;
  // The objects are part of the state now.
  const { sideWrites: _, ...report } = made.report;
  let lines: readonly string[] | undefined;
  return {
    report,
    command,
    exchanges,
    findings,
    get kubectl() {
      lines ??= linesOf(made, { isOnlyFailure });
      return lines;
    },
  };
}
