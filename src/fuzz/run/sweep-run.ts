import type { ValueMap } from '../../go/value.js';
import type { FuzzInput } from '../inputs/input.js';
import { fuzzInputOf } from '../inputs/make-input.js';
import { type Examples, firstOf, sweepOf, withWords } from '../inputs/sweep.js';
import { users } from '../inputs/users.js';
import { smallestOf } from './finding-log.js';
import type { FuzzRun } from './run-state.js';
import { isCreation, type Slot, weightOf } from './slots.js';

/** The calls of a run that follow a plan, between its random ones. */
export interface Sweeps {
  /** Returns the next call with its slot; undefined when none is left for now. */
  readonly next: () => { readonly slot: Slot; readonly input: FuzzInput } | undefined;
}

/** Calls after which words that the webhooks mentioned since are tried the first time; later twice as many each time. */
const wordInterval = 300;
/** Kinds whose objects have such words: most code that reads annotations does so for any kind. */
const maxWordKinds = 5;

/** Returns the planned creations that follow the first ones. */
export function newSweeps(run: FuzzRun): Sweeps {
  const { dictionary, random, startingObjects } = run.options;
  const slots = plannedSlots(run);
  const plainOf = (slot: Slot): ValueMap | undefined => smallestOf(startingObjects(slot.target));
  let open = slots.flatMap(slot => {
    const plain = plainOf(slot);
    return plain === undefined ? [] : [{ slot, inputs: planned(run, slot, plain)[Symbol.iterator]() }];
  });
  let known = 0;
  let [dueAt, interval] = [0, wordInterval];
  const withMostCalls = slots.slice(0, maxWordKinds);
  let words: { slot: Slot; input: FuzzInput }[] = [];
  return {
    next: () => {
      if (dictionary.texts().length > known && run.calls >= dueAt) {
        const fresh = dictionary.texts().slice(known);
        [known, dueAt, interval] = [dictionary.texts().length, run.calls + interval, interval * 2];
        words = withMostCalls.flatMap((slot, i) => {
          const plain = plainOf(slot);
          const objects = plain === undefined ? [] : withWords(plain, fresh, i === 0);
          return objects.map(object => ({ slot, input: creation(run, slot, object) }));
        });
      }
      const word = words.shift();
      if (word !== undefined) return word;
      for (;;) {
        const sweep = random.weighted(open, ({ slot }) => weightOf(slot.target));
        if (sweep === undefined) return undefined;
        const { value, done } = sweep.inputs.next();
        if (done !== true) return { slot: sweep.slot, input: value };
        open = open.filter(one => one !== sweep);
      }
    },
  };
}

/** Returns the slots whose creations are planned: those that reach a webhook, or whose definitions have one; the kinds that webhooks are mostly for first. */
function plannedSlots(run: FuzzRun): Slot[] {
  return run.slots
    .filter(slot => isCreation(slot) && (slot.reached > 0 || slot.target.resource.custom))
    .sort((a, b) => weightOf(b.target) - weightOf(a.target));
}

/** Yields the creations that break most webhooks, which are made before all random ones: kinds in turn, so that none has to wait for another. */
export function* firstCreations(run: FuzzRun): Iterable<{ readonly slot: Slot; readonly input: FuzzInput }> {
  const open = plannedSlots(run).flatMap(slot => {
    const plain = smallestOf(run.options.startingObjects(slot.target));
    return plain === undefined ? [] : [{ slot, inputs: first(run, slot, plain)[Symbol.iterator]() }];
  });
  while (open.length > 0) {
    for (const sweep of [...open]) {
      for (let i = 0; i < weightOf(sweep.slot.target); i += 1) {
        const { value, done } = sweep.inputs.next();
        if (done === true) {
          open.splice(open.indexOf(sweep), 1);
          break;
        }
        yield { slot: sweep.slot, input: value };
      }
    }
  }
}

function* first(run: FuzzRun, slot: Slot, plain: ValueMap): Iterable<FuzzInput> {
  if (run.slots.filter(isCreation).indexOf(slot) === 0) {
    for (const object of withWords(plain, run.options.dictionary.texts(), false)) yield creation(run, slot, object);
  }
  for (const object of firstOf(slot.target, examplesOf(run, slot, plain), run.generator)) yield creation(run, slot, object);
  for (const user of users) yield { ...creation(run, slot, plain), user };
}

function* planned(run: FuzzRun, slot: Slot, plain: ValueMap): Iterable<FuzzInput> {
  for (const object of sweepOf(slot.target, examplesOf(run, slot, plain), run.generator)) yield creation(run, slot, object);
}

function examplesOf(run: FuzzRun, slot: Slot, plain: ValueMap): Examples {
  return { plain, rich: largestOf(run, slot) ?? plain, others: run.options.startingObjects(slot.target) };
}

function creation(run: FuzzRun, { target, action }: Slot, object: ValueMap): FuzzInput {
  return { ...fuzzInputOf(target, action, object, run.generator), isDryRun: false, user: undefined };
}

/** Returns the object with the most fields; for custom resources, of those that the API server accepted. */
function largestOf({ options, corpus }: FuzzRun, { target }: Slot): ValueMap | undefined {
  const starting = options.startingObjects(target);
  const accepted = corpus.of(target).slice(starting.length);
  const choices = target.resource.custom && accepted.length > 0 ? accepted : starting;
  return [...choices].sort((a, b) => sizeOf(b) - sizeOf(a))[0];
}

function sizeOf(value: unknown): number {
  if (value instanceof Map) return 1 + [...value.values()].reduce((sum: number, one) => sum + sizeOf(one), 0);
  return Array.isArray(value) ? 1 + value.reduce((sum: number, one) => sum + sizeOf(one), 0) : 1;
}
