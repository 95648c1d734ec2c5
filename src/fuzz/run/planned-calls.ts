import { copyOf, type ValueMap } from '../../go/value.js';
import { generatedObject } from '../inputs/generated-object.js';
import type { FuzzInput } from '../inputs/input.js';
import { fuzzInputOf } from '../inputs/make-input.js';
import { mutated } from '../inputs/mutate.js';
import type { FuzzRun } from './run-state.js';
import { isCreation, nextSlot, type Slot } from './slots.js';
import { firstCreations, newSweeps } from './sweep-run.js';

/** An input with the slot that it counts for. */
export interface SlotInput {
  readonly slot: Slot;
  readonly input: FuzzInput;
}

/** Changes of a seed, one at a time, before changes are combined. */
const changesOfSeed = 150;

/** Share of planned calls, in percent, while there are any. */
const plannedShare = 65;

/**
 * Yields the calls of a run without an end: every action with every starting object, changes of seeds, the creations that break most webhooks,
 * then others by chance. Yields undefined where the next calls depend on the results of all before.
 */
export function* plannedCalls(run: FuzzRun): Iterable<SlotInput | undefined> {
  const { random } = run.options;
  const [creations, others] = startingCalls(run);
  yield* startingInputs(run, [...creations, ...others.filter(({ round }) => round === 0)]);
  yield undefined;
  yield* changesOfSeeds(run);
  yield* firstCreations(run);
  yield* startingInputs(
    run,
    others.filter(({ round }) => round > 0),
  );
  yield undefined;
  const sweeps = newSweeps(run);
  for (;;) {
    const planned = random.chance(plannedShare) ? sweeps.next() : undefined;
    if (planned !== undefined) {
      yield planned;
      continue;
    }
    const slot = nextSlot(run.slots, random);
    if (slot === undefined) return;
    const base = random.chance(4) ? generatedObject(slot.target, run.generator) : run.corpus.pick(slot.target, random);
    yield base === undefined ? undefined : changed(run, slot, base, random.pick([1, 1, 2, 3, 5, 8]));
  }
}

/** An action with one of the starting objects. */
interface StartingCall {
  readonly slot: Slot;
  readonly round: number;
}

/** Returns every action with every starting object: creations, then the others. */
function startingCalls(run: FuzzRun): readonly [creations: readonly StartingCall[], others: readonly StartingCall[]] {
  const { targets, startingObjects } = run.options;
  const rounds = Math.max(0, ...targets.map(target => startingObjects(target).length));
  const inRounds = (slots: readonly Slot[]): StartingCall[] =>
    Array.from({ length: rounds }, (_, round) => slots.map(slot => ({ slot, round }))).flat();
  return [inRounds(run.slots.filter(isCreation)), inRounds(run.slots.filter(slot => !isCreation(slot)))];
}

function* startingInputs({ options, generator }: FuzzRun, calls: readonly StartingCall[]): Iterable<SlotInput> {
  for (const { slot, round } of calls) {
    const object = options.startingObjects(slot.target)[round];
    if (object === undefined) continue;
    const input = fuzzInputOf(slot.target, slot.action, copyOf(object), generator);
    yield { slot, input: { ...input, isDryRun: false, user: undefined } };
  }
}

/** Changes the user's objects one thing at a time. */
function* changesOfSeeds(run: FuzzRun): Iterable<SlotInput> {
  const { targets, seedsOf, random } = run.options;
  for (const target of targets) {
    const slots = run.slots.filter(slot => slot.target === target);
    for (const seed of seedsOf(target)) {
      for (let i = 0; i < changesOfSeed; i += 1) {
        const slot = nextSlot(slots, random);
        if (slot !== undefined) yield changed(run, slot, seed, 1);
      }
    }
  }
}

function changed(run: FuzzRun, slot: Slot, base: ValueMap, times: number): SlotInput {
  const { object, changes } = mutated(base, slot.target.shape, run.generator, { times, prefersNew: isCreation(slot) });
  return { slot, input: fuzzInputOf(slot.target, slot.action, object, run.generator, changes) };
}
