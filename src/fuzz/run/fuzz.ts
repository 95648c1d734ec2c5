import { copyOf, stringAt, type ValueMap } from '../../go/value.js';
import type { WebhookAnswer } from '../../kubernetes/webhook-call.js';
import { isUnreachable } from '../checks/crash.js';
import { generatedObject } from '../inputs/generated-object.js';
import type { Input } from '../inputs/input.js';
import { inputOf } from '../inputs/make-input.js';
import { mutated } from '../inputs/mutate.js';
import { repair } from '../inputs/repair.js';
import { presentFields } from '../inputs/sites.js';
import type { Generator } from '../values/generate.js';
import type { MadeCall } from './pipeline.js';
import { examined, type FuzzOptions, isValidCall, newRun, progressOf, type Run } from './run-state.js';
import { signaturesOf } from './signature.js';
import { isCreation, nextSlot, type Slot } from './slots.js';
import { firstCreations, newSweeps } from './sweep-run.js';

/** Changes of a seed, one at a time, before changes are combined. */
const changesOfSeed = 150;

/** Share of planned calls, in percent, while there are any. */
const plannedShare = 65;

/** How often the API server's refusal of an object is used to repair it. */
const maxRepairs = 3;

/** Searches for calls that break webhooks until the run is over. The calls depend on the seed and on the answers only. */
export async function fuzz(options: FuzzOptions): Promise<Run> {
  const run = newRun(options);
  for (const target of options.targets) for (const object of options.startingObjects(target)) run.corpus.add(target, object);
  const [creations, others] = startingCalls(run);
  await makeStartingCalls(run, [...creations, ...others.filter(({ round }) => round === 0)]);
  await changeSeeds(run);
  for (const { slot, input } of firstCreations(run)) {
    if (isOver(run)) break;
    await makeCall(run, slot, input);
  }
  await makeStartingCalls(
    run,
    others.filter(({ round }) => round > 0),
  );
  const sweeps = newSweeps(run);
  while (!isOver(run)) {
    const { random } = options;
    const planned = random.chance(plannedShare) ? sweeps.next() : undefined;
    if (planned !== undefined) {
      await makeCall(run, planned.slot, planned.input);
      continue;
    }
    const slot = nextSlot(run.slots, random);
    if (slot === undefined) break;
    const base = random.chance(4) ? generatedObject(slot.target, run.generator) : run.corpus.pick(slot.target, random);
    if (base !== undefined) await makeChanged(run, slot, base, random.pick([1, 1, 2, 3, 5, 8]));
  }
  return run;
}

function isOver({ options, calls, unreachable }: Run): boolean {
  return unreachable !== undefined || options.isOver(calls);
}

/** An action with one of the starting objects. */
interface StartingCall {
  readonly slot: Slot;
  readonly round: number;
}

/** Returns every action with every starting object: creations, then the others. */
function startingCalls(run: Run): readonly [creations: readonly StartingCall[], others: readonly StartingCall[]] {
  const { targets, startingObjects } = run.options;
  const rounds = Math.max(0, ...targets.map(target => startingObjects(target).length));
  const inRounds = (slots: readonly Slot[]): StartingCall[] =>
    Array.from({ length: rounds }, (_, round) => slots.map(slot => ({ slot, round }))).flat();
  return [inRounds(run.slots.filter(isCreation)), inRounds(run.slots.filter(slot => !isCreation(slot)))];
}

async function makeStartingCalls(run: Run, calls: readonly StartingCall[]): Promise<void> {
  for (const { slot, round } of calls) {
    const object = run.options.startingObjects(slot.target)[round];
    if (object === undefined || isOver(run)) continue;
    const input = inputOf(slot.target, slot.action, copyOf(object), run.generator);
    await makeCall(run, slot, { ...input, isDryRun: false, user: undefined });
  }
}

/** Changes the user's objects one thing at a time. */
async function changeSeeds(run: Run): Promise<void> {
  const { targets, seedsOf, random } = run.options;
  for (const target of targets) {
    const slots = run.slots.filter(slot => slot.target === target);
    for (const seed of seedsOf(target)) {
      for (let i = 0; i < changesOfSeed && !isOver(run); i += 1) {
        const slot = nextSlot(slots, random);
        if (slot !== undefined) await makeChanged(run, slot, seed, 1);
      }
    }
  }
}

async function makeChanged(run: Run, slot: Slot, base: ValueMap, times: number): Promise<void> {
  const { object, changes } = mutated(base, slot.target.shape, run.generator, { times, prefersNew: isCreation(slot) });
  await makeCall(run, slot, inputOf(slot.target, slot.action, object, run.generator, changes));
}

const keptCalls = 4;

/** Makes a call, and again with the object repaired while the API server refuses it. */
async function makeCall(run: Run, slot: Slot, input: Input): Promise<void> {
  let next: Input | undefined = input;
  for (let repairs = 0; next !== undefined && repairs <= maxRepairs && !isOver(run); repairs += 1) {
    const made = await makeOnce(run, slot, next);
    next = made === undefined ? undefined : repaired(made, run.generator);
  }
}

async function makeOnce(run: Run, slot: Slot, input: Input): Promise<MadeCall | undefined> {
  const { options, generator } = run;
  run.calls += 1;
  slot.made += 1;
  const made = await options.pipeline.make(input, options.seed + run.calls);
  options.onProgress(progressOf(run));
  if (made === undefined) return undefined;
  const isNew = learn(run, slot, made);
  const failed = made.exchanges.flatMap(({ answer }) => (answer.outcome === 'answered' ? [] : [answer])).find(isNoConnection);
  run.isReached ||= made.exchanges.some(({ answer }) => answer.outcome === 'answered' || !isNoConnection(answer));
  if (!run.isReached && failed !== undefined) {
    run.unreachable = failed.message;
    return made;
  }
  const { bugs, lines } = await examined(made, { ...run, isNew, isReduction: false, waitsForEnd: false });
  for (const bug of bugs) await run.findings.add(bug, made, lines, run.previous);
  run.previous.unshift(made);
  run.previous.splice(keptCalls);
  if (options.checks.includes('unsteady') && bugs.length === 0) {
    for (const { bug, made: shown } of await run.recent.compare(made, options)) await run.findings.add(bug, shown, []);
  }
  // Updates of valid objects are refused for other reasons.
  if (input.operation === 'create') for (const change of input.changes) generator.knowledge.learnOutcome(change, isValidCall(made));
  return made;
}

/** Reports whether the webhook took no connection. One that breaks connections has been reached. */
function isNoConnection(answer: Exclude<WebhookAnswer, { outcome: 'answered' }>): boolean {
  return answer.outcome === 'noClient' || answer.class === 'dns' || answer.class === 'tls' || isUnreachable(answer.message);
}

/** Learns from the answers to a call; reports whether one is unlike all before. */
function learn({ options, generator, answers, corpus }: Run, slot: Slot, made: MadeCall): boolean {
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
  if (isValid && (isNew || newFields.length > 0)) corpus.add(input.target, input.object);
  return isNew;
}

/** Returns the call with what the API server refused repaired; undefined if it refused nothing that can be. */
function repaired({ input, report: { decision } }: MadeCall, generator: Generator): Input | undefined {
  if (decision.allowed || decision.decidedBy !== undefined || decision.status === undefined) return undefined;
  if (stringAt(decision.status, 'reason') !== 'Invalid') return undefined;
  const object = copyOf(input.object);
  return repair(object, input.target.shape, decision.status, generator) ? { ...input, object } : undefined;
}
