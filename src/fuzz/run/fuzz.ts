import { copyOf, stringAt } from '../../go/value.js';
import type { WebhookAnswer } from '../../kubernetes/webhook-call.js';
import { isUnreachable } from '../checks/crash.js';
import type { FuzzInput } from '../inputs/input.js';
import { repair } from '../inputs/repair.js';
import { presentFields } from '../inputs/sites.js';
import { unlessCutOff } from '../pipeline/cut-off.js';
import type { MadeCall } from '../pipeline/pipeline.js';
import type { Generator } from '../values/generate.js';
import type { Planned } from './ahead.js';
import { attributeFault } from './attribute.js';
import { findGrowing } from './growth.js';
import { plannedCalls } from './planned-calls.js';
import { examineCall, type FuzzOptions, type FuzzRun, isValidCall, newFuzzRun, progressOf } from './run-state.js';
import { signaturesOf } from './signature.js';
import type { Slot } from './slots.js';
import { tryCallsTogether } from './together.js';

/** Calls planned before the result of the first of them is known. The same for every webhook, so that a seed gives the same calls. */
const plannedAhead = 8;
/** Calls made at the same time: some servers wait longer for the network than they take to review. */
const maxWidth = 8;
/** Calls without trouble after which more are made at the same time again. */
const calmCalls = 64;

/** How often the API server's refusal of an object is used to repair it. */
const maxRepairs = 3;

/** Searches for calls that break webhooks until the run is over. The planned calls depend on the seed and on the answers only, not on time. */
export async function fuzz(options: FuzzOptions): Promise<FuzzRun> {
  const run = newFuzzRun(options);
  const { ahead } = run;
  for (const target of options.targets) for (const object of options.startingObjects(target)) run.corpus.add(target, object);
  await searchWithinLimits(run).catch(unlessCutOff);
  ahead.stop();
  return run;
}

async function searchWithinLimits(run: FuzzRun): Promise<void> {
  const { ahead, options } = run;
  const plan = planOf(run);
  while (run.unreachable === undefined && !options.isOver(run.calls)) {
    plan.fill();
    const landed = await ahead.next();
    if (landed !== undefined) {
      const wasReached = run.isReached;
      const result = await attributeFault(run, landed);
      const repairedInput = await read(run, result);
      if (repairedInput !== undefined && landed.repairs < maxRepairs) plan.repeat({ ...landed, input: repairedInput });
      if (result.made !== undefined) await findGrowing(run, result.made);
      const isFirst = run.isReached && !wasReached && landed.made !== undefined && !options.isOver(run.calls);
      if (isFirst && landed.made !== undefined) run.maxWidth = (await tryCallsTogether(landed.made, options)) ? maxWidth : 1;
      run.calm += 1;
      if (isFirst) ahead.width = run.maxWidth;
      else if (run.calm % calmCalls === 0) ahead.width = Math.min(run.maxWidth, ahead.width * 2);
    } else if (plan.isOver()) break;
  }
}

/** The calls of a run in their order. */
interface Plan {
  /** Plans the next calls. */
  readonly fill: () => void;
  /** Plans a call that was changed, before all others. */
  readonly repeat: (planned: Planned) => void;
  readonly isOver: () => boolean;
}

function planOf(run: FuzzRun): Plan {
  const { ahead, options } = run;
  const calls = plannedCalls(run)[Symbol.iterator]();
  const repaired: Planned[] = [];
  let number = 0;
  let isWaiting = false;
  let isOver = false;
  return {
    fill: () => {
      if (ahead.size() === 0 && repaired.length === 0) isWaiting = false;
      while (ahead.size() < plannedAhead && !options.isOver(number)) {
        const next = repaired.shift() ?? (isWaiting || isOver ? undefined : nextOf());
        if (next === undefined) return;
        number += 1;
        next.slot.made += 1;
        ahead.add({ ...next, number });
      }
    },
    repeat: planned => {
      repaired.push({ ...planned, repairs: planned.repairs + 1 });
    },
    isOver: () => isOver || options.isOver(number),
  };

  function nextOf(): Planned | undefined {
    const { value, done } = calls.next();
    if (done === true) isOver = true;
    else if (value === undefined) isWaiting = true;
    return done === true || value === undefined ? undefined : { ...value, number, repairs: 0 };
  }
}

/** A call with what is known about it. */
interface Read extends Planned {
  readonly made: MadeCall | undefined;
  readonly wasLate: boolean;
}

/** Previous calls that may have ended a process. */
const keptCalls = 12;

/** Share of the calls like others, in percent, that are examined with further reviews: an answer says little about the ones to the same object later. */
const examinedShare = 12;

/** Examines a call, and learns from it. Returns the input with what the API server refused repaired, if it can be. */
async function read(run: FuzzRun, { slot, input, number, made, wasLate }: Read): Promise<FuzzInput | undefined> {
  const { options, generator, findings } = run;
  run.calls = number;
  options.onProgress(progressOf(run));
  if (made === undefined) return undefined;
  const isChosen = options.examinedRandom.chance(examinedShare);
  const isNew = learn(run, slot, made) || isChosen;
  const failed = made.exchanges.flatMap(({ answer }) => (answer.outcome === 'answered' ? [] : [answer])).find(isNoConnection);
  run.isReached ||= made.exchanges.some(({ answer }) => answer.outcome === 'answered' || !isNoConnection(answer));
  if (!run.isReached && failed !== undefined) {
    run.unreachable = failed.message;
    return undefined;
  }
  const { bugs, lines } = await examineCall(made, { ...run, isNew, isReduction: false, wasLate, waitsForEnd: false });
  for (const bug of bugs) await findings.add(bug, made, { lines, earlier: run.previous });
  run.previous.unshift(made);
  run.previous.splice(keptCalls);
  if (options.checks.includes('unsteady') && bugs.length === 0) {
    const { pipeline, recover } = options;
    const how = { pipeline, recover, settle: run.ahead.settle, takesSeveral: run.maxWidth > 1 };
    for (const shown of await run.recent.compare(made, how)) await findings.add(shown.bug, shown.made, { lines: shown.lines });
  }
  // Updates of valid objects are refused for other reasons.
  if (input.operation === 'create') for (const change of input.changes) generator.knowledge.learnOutcome(change, isValidCall(made));
  return repaired(made, generator);
}

/** Reports whether the webhook took no connection. One that breaks connections has been reached. */
function isNoConnection(answer: Exclude<WebhookAnswer, { outcome: 'answered' }>): boolean {
  return answer.outcome === 'noClient' || answer.class === 'dns' || answer.class === 'tls' || isUnreachable(answer.message);
}

/** Learns from the answers to a call; reports whether one is unlike all before, or the object has a field that none had before. */
function learn({ options, generator, answers, corpus }: FuzzRun, slot: Slot, made: MadeCall): boolean {
  const { input, report } = made;
  const signatures = signaturesOf(made);
  if (signatures.length > 0) slot.reached += 1;
  const isNew = signatures.some(signature => !answers.has(signature));
  for (const signature of signatures) answers.add(signature);
  for (const entry of report.webhooks) if (entry.outcome !== 'skipped') options.dictionary.learn(entry);
  const isValid = isValidCall(made);
  if (!isValid && signatures.length === 0) return false;
  const isCreation = input.operation === 'create' && input.subresource === undefined;
  const newFields = isCreation ? presentFields(input.object, input.target.shape).filter(field => generator.knowledge.cover(field)) : [];
  const isUnlikeOthers = isNew || newFields.length > 0;
  if (isValid && isUnlikeOthers) corpus.add(input.target, input.object);
  return isUnlikeOthers;
}

/** Returns the call with what the API server refused repaired; undefined if it refused nothing that can be. */
function repaired({ input, report: { decision } }: MadeCall, generator: Generator): FuzzInput | undefined {
  if (decision.allowed || decision.decidedBy !== undefined || decision.status === undefined) return undefined;
  if (stringAt(decision.status, 'reason') !== 'Invalid') return undefined;
  const object = copyOf(input.object);
  return repair(object, input.target.shape, decision.status, generator) ? { ...input, object } : undefined;
}
