import type { ValueMap } from '../../go/value.js';
import type { FuzzedResource } from '../inputs/input.js';
import type { Random } from '../values/random.js';

/** Objects to make others from, by target. */
export interface Corpus {
  readonly add: (target: FuzzedResource, object: ValueMap) => void;
  /** Returns an object of a target; newer ones are preferred. */
  readonly pick: (target: FuzzedResource, random: Random) => ValueMap | undefined;
  readonly of: (target: FuzzedResource) => readonly ValueMap[];
}

/** Objects kept for a target; the first ones, templates and seeds, always. */
const maxKept = 200;

/** Returns an empty corpus. */
export function newCorpus(): Corpus {
  const kept = new Map<FuzzedResource, ValueMap[]>();
  const of = (target: FuzzedResource): ValueMap[] => kept.get(target) ?? [];
  return {
    of,
    add: (target, object) => {
      const objects = of(target);
      if (objects.length >= maxKept) objects.splice(maxKept / 4, 1);
      objects.push(object);
      kept.set(target, objects);
    },
    pick: (target, random) => {
      const objects = of(target);
      if (objects.length === 0) return undefined;
      if (random.chance(40)) return objects[Math.max(0, objects.length - 1 - random.below(Math.ceil(objects.length / 5)))];
      return random.pick(objects);
    },
  };
}
