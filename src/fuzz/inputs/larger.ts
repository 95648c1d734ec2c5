import { isList, isMap, type Value } from '../../go/value.js';
import { randomFrom } from '../values/random.js';
import type { FuzzInput } from './input.js';
import { sitesOf } from './sites.js';
import { enlarged } from './sweep.js';
import { withValue } from './with-value.js';

const [moreItems, maxItems] = [4, 12_000];
const [longer, maxLength] = [6, 200_000];

/** No choice of a run: whether an object is enlarged depends on time. The members of new items that identify them all differ. */
const fixed = randomFrom(() => 0.5);

/** Returns the call with its longest list or map larger, and with its longest text longer: an answer that takes long may take too long then. */
export function largerOf(input: FuzzInput): FuzzInput[] {
  const sites = sitesOf(input.object, input.target.shape);
  const [widest] = sites.filter(({ value }) => itemsOf(value) > 0).sort((a, b) => itemsOf(b.value) - itemsOf(a.value));
  const [longest] = sites.filter(({ value }) => typeof value === 'string').sort((a, b) => lengthOf(b.value) - lengthOf(a.value));
  const found: FuzzInput[] = [];
  const size = widest === undefined ? 0 : Math.min(maxItems, itemsOf(widest.value) * moreItems);
  const larger = widest === undefined || size <= itemsOf(widest.value) ? undefined : enlarged(widest, size, { random: fixed });
  if (widest !== undefined && larger !== undefined) found.push({ ...input, object: withValue(input.object, widest.path, larger) });
  if (longest !== undefined && typeof longest.value === 'string' && longest.value.length * longer <= maxLength)
    found.push({ ...input, object: withValue(input.object, longest.path, longest.value.repeat(longer)) });
  return found;
}

/** Returns the number of items of the largest list or map of an object. */
export function mostItems(value: Value): number {
  const own = itemsOf(value);
  const members = isMap(value) ? [...value.values()] : isList(value) && own < manyItems ? value : [];
  return members.reduce((most: number, member) => Math.max(most, mostItems(member)), own);
}

/** Items of so many are not looked at. */
const manyItems = 200;

function itemsOf(value: Value): number {
  return isList(value) ? value.length : isMap(value) ? value.size : 0;
}

function lengthOf(value: Value): number {
  return typeof value === 'string' ? value.length : 0;
}
