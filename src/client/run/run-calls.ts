import { NotReproduced } from '../../apiserver/admission/not-reproduced.js';
import { handleCall } from '../../apiserver/handle-call.js';
import { DecodeError } from '../../apiserver/objects/codec.js';
import { replayReview } from '../../apiserver/replay-review.js';
import type { Report } from '../../apiserver/report/report.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { newWrittenObjects } from '../../kubernetes/written-objects.js';
import type { CallStep } from '../calls/call-step.js';
import type { PlannedCall } from '../calls/planned-call.js';
import { CliError } from '../cli-error.js';
import type { CallFinding, CallReport } from './call-report.js';
import { isPatched, patchNotes } from './patch-notes.js';
import { callInCluster, readAsNeeded } from './read-as-needed.js';
import { recordExchanges } from './recorded-exchanges.js';
import { refusalNotes } from './refusal-notes.js';
import { addLinesInOrder, addLinesInPart, onlyResult } from './results-in-order.js';
import { stateAfter } from './state-after.js';
import type { AnsweredStep, MadeStep, StepResult } from './step-result.js';

/** Context of the calls of one command. */
export interface CallSurroundings {
  readonly state: ClusterState;
  readonly callWebhook: CallWebhook;
  /** Side effects of one call, given how webhooks are called, what exists, and the number of the call in the run, from 0. */
  readonly effects: (callWebhook: CallWebhook, state: ClusterState, number: number) => Effects;
  /** Notes in every report. */
  readonly notes: readonly string[];
  /** Every call sees `state`, and no changes by other calls. */
  readonly isIndependent?: boolean | undefined;
  /** Keeps what existed before so many first calls, which can then be made again. */
  readonly keptStates?: number | undefined;
  /** Numbers of the steps to make, of independent calls that several threads share; all by default. A step is taken when its number is. */
  readonly part?: Iterable<number> | AsyncIterable<number> | undefined;
  /** Completes the state after a call changed it: registers webhooks, and applies the immediate effects of controllers. */
  readonly settled?: ((before: ClusterState, after: ClusterState, report: Report) => ClusterState) | undefined;
  /** Makes a call where clients of webhooks see the state, and adds what they did to its report. */
  readonly observe?: ObserveCall | undefined;
  /** Additional reviews of a call, in the state before it. */
  readonly check?: ((made: AnsweredStep, state: ClusterState, number: number) => Promise<CheckedFindings>) | undefined;
}

/** Makes a call with `answer`. `isRepeated`: what clients wrote before in the same case is taken back. */
export type ObserveCall = (
  made: { readonly call: ApiCall; readonly state: ClusterState; readonly isRepeated: boolean },
  answer: () => Promise<Report>,
) => Promise<Report>;

/** Result of additional reviews. */
export interface CheckedFindings {
  readonly findings: readonly CallFinding[];
  readonly notes: readonly string[];
}

/** Number of concurrent calls if calls are independent. */
const maxConcurrent = 8;

/** Makes the calls in order, each in the state that the calls before it left. Results come in order, each as soon as it is final. */
export function runSteps(steps: readonly CallStep[], surroundings: CallSurroundings): AsyncGenerator<StepResult> {
  if (surroundings.part !== undefined) return addLinesInPart(makeConcurrently(steps, surroundings));
  return addLinesInOrder(
    surroundings.isIndependent === true ? makeConcurrently(steps, surroundings) : makeOneAfterAnother(steps, surroundings),
  );
}

/** Makes the only call of a plan: the result that {@link runSteps} has for it, without queues, which take longer than a small call. */
export async function runOnlyStep(step: CallStep, surroundings: CallSurroundings): Promise<StepResult> {
  const { state, isIndependent } = surroundings;
  const own = isIndependent === true ? state : { ...state, written: newWrittenObjects() };
  return onlyResult(await makeStep(step, { ...surroundings, state: own, number: 0 }));
}

/** Returns the reports of answered steps. Throws CliError for the first step that cannot be used. */
export async function collectReports(results: AsyncIterable<StepResult>): Promise<CallReport[]> {
  const reports: CallReport[] = [];
  for await (const result of results) {
    if (result.outcome === 'unusable') throw result.error;
    if (result.outcome === 'answered') reports.push(result.report);
  }
  return reports;
}

async function* makeOneAfterAnother(steps: readonly CallStep[], surroundings: CallSurroundings): AsyncGenerator<MadeStep> {
  const written = newWrittenObjects();
  let state: ClusterState = { ...surroundings.state, written };
  for (const [number, step] of steps.entries()) {
    const writtenBefore = number < (surroundings.keptStates ?? 0) ? written.copy() : undefined;
    const result = await makeStep(step, { ...surroundings, state, number });
    // Only later steps use it.
    if (result.outcome === 'answered' && result.made.planned.captured === undefined && step !== steps.at(-1))
      state = await settleState(state, result.made, surroundings);
    yield result.outcome === 'answered' ? { ...result, writtenBefore } : result;
  }
}

function settleState(before: ClusterState, { planned, report }: AnsweredStep, { settled }: CallSurroundings): Promise<ClusterState> {
  return readAsNeeded(before.source, () => {
    const after = stateAfter(before, planned.call, report);
    return settled?.(before, after, report) ?? after;
  });
}

async function* makeConcurrently(steps: readonly CallStep[], surroundings: CallSurroundings): AsyncGenerator<MadeStep> {
  const running: Promise<MadeStep>[] = [];
  for await (const number of surroundings.part ?? steps.keys()) {
    const step = steps[number];
    if (step === undefined) throw new RangeError(`there is no step ${number}`);
    const made = makeStep(step, { ...surroundings, number });
    // A rejection is handled when its turn comes.
    made.catch(() => {});
    running.push(made);
    const first = running.length >= maxConcurrent ? running.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const rest of running) yield await rest;
}

/** Context of one call: the state before it, and its number in the run. */
type StepSurroundings = CallSurroundings & { readonly number: number };

async function makeStep(step: CallStep, surroundings: StepSurroundings): Promise<MadeStep> {
  const { state } = surroundings;
  try {
    const planning = state.source === undefined ? step.plan(state) : readAsNeeded(state.source, () => step.plan(state));
    const planned = planning instanceof Promise ? await planning : planning;
    if ('skipped' in planned) return { outcome: 'skipped', reason: planned.skipped };
    return { outcome: 'answered', made: await makeCall(planned, surroundings), state };
  } catch (error) {
    if (error instanceof CliError) return { outcome: 'unusable', error };
    throw error;
  }
}

async function makeCall(planned: PlannedCall, surroundings: StepSurroundings): Promise<AnsweredStep> {
  const { state, number } = surroundings;
  const { call, command, captured, notes: own = [] } = planned;
  let recorded = recordExchanges(surroundings.callWebhook);
  const effects = (): Effects => {
    recorded = recordExchanges(surroundings.callWebhook);
    return surroundings.effects(recorded.callWebhook, state, number);
  };
  const answer = (): Promise<Report> =>
    captured === undefined
      ? answerWithEffects(call, state, effects)
      : readAsNeeded(state.source, () => replayReview(captured, state, effects()));
  const report = await (surroundings.observe?.({ call, state, isRepeated: false }, answer) ?? answer());
  const notes = [
    ...report.notes,
    ...own,
    ...(report.webhooks.some(isPatched) ? await patchNotes(report, state) : []),
    ...refusalNotes(report, call, state),
    ...surroundings.notes,
  ];
  const made = { planned, report: { ...report, notes }, command, exchanges: recorded.exchanges(), findings: [] };
  if (surroundings.check === undefined) return made;
  const checked = await surroundings.check(made, state, number);
  return { ...made, findings: checked.findings, report: { ...made.report, notes: [...notes, ...checked.notes] } };
}

/** Makes one call, with side effects of its own for every attempt. Throws CliError for behavior that is not reproduced. */
export async function answerWithEffects(call: ApiCall, state: ClusterState, effects: () => Effects): Promise<Report> {
  try {
    return await (state.source === undefined ? handleCall(call, state, effects()) : callInCluster(call, state, effects));
  } catch (error) {
    if (error instanceof NotReproduced)
      throw new CliError('not-there-yet', `${call.method} ${call.path.split('?', 1)[0]}: ${error.message}`, { cause: error });
    // Bodies that cannot be decoded are answers; what is left is an object that exists.
    if (error instanceof DecodeError)
      throw new CliError('invalid-manifest', `an object that exists cannot be decoded: ${error.message}`, { cause: error });
    throw error;
  }
}
