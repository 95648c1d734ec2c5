import { copyOf, type ValueMap } from '../go/value.js';
import { lazy } from '../kubernetes/memoize.js';
import { generatedObject } from './inputs/generated-object.js';
import type { FuzzedResource } from './inputs/input.js';
import { newKnowledge } from './schemas/knowledge.js';
import { templatesOf } from './templates/templates.js';
import { poolsOf } from './values/pools.js';
import type { Random } from './values/random.js';

/** Objects generated from a definition to start from. */
const generated = 12;

/** Returns the objects to start from: the user's, then templates, or generated ones for custom resources. */
export function startingObjectsOf(
  seedsOf: (target: FuzzedResource) => readonly ValueMap[],
  random: Random,
  seed: number,
): (target: FuzzedResource) => readonly ValueMap[] {
  const known = new Map<FuzzedResource, readonly ValueMap[]>();
  const knowledge = newKnowledge();
  const generator = lazy(() => ({ random, pools: poolsOf(seed), dictionary: () => [], supported: knowledge.supported, knowledge }));
  return target => {
    const found = known.get(target) ?? [
      ...seedsOf(target).map(copyOf),
      ...(target.resource.custom
        ? Array.from({ length: generated }, () => generatedObject(target, generator()))
        : templatesOf(target.resource)),
    ];
    known.set(target, found);
    return found;
  };
}
