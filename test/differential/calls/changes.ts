import type { Random } from '../random.js';
import { isObject, type Json, type JsonObject } from './scene.js';
import type { Seeds } from './seeds.js';

const odd: readonly Json[] = [
  null,
  true,
  5,
  -1,
  'x',
  '',
  {},
  [],
  1.5,
  ['a'],
  { a: 'b' },
  '9223372036854775808',
  'ü<b>',
  2147483648,
  'a'.repeat(64),
];

/** A changed copy of an object: members replaced, added and removed, items doubled and moved. Its kind, name and namespace stay. */
export function changed(r: Random, object: JsonObject, seeds: Seeds, times = 1 + r.below(3)): JsonObject {
  const copy = structuredClone(object);
  for (let i = 0; i < times; i += 1) {
    const places = placesOf(copy);
    if (places.length > 0) changeAt(r, r.pick(places), seeds);
  }
  return copy;
}

/** A member or item, with its container and the container's name. */
interface Place {
  readonly holder: JsonObject | Json[];
  readonly key: string | number;
  readonly heldBy: string;
}

function placesOf(object: JsonObject): Place[] {
  const found: Place[] = [];
  const visit = (holder: Json, heldBy: string): void => {
    const keys = Array.isArray(holder) ? holder.keys() : isObject(holder) ? Object.keys(holder) : [];
    for (const key of keys) {
      const at = { holder: holder as JsonObject, key, heldBy };
      if (!isFixed(at)) found.push(at);
      visit((holder as JsonObject)[key] ?? null, typeof key === 'string' ? key : heldBy);
    }
  };
  visit(object, '');
  return found;
}

/** Fields that identify the object, and fields that affect other scenes. */
function isFixed({ heldBy, key }: Place): boolean {
  if (heldBy === '') return key === 'apiVersion' || key === 'kind' || key === 'metadata';
  return heldBy === 'metadata' && ['name', 'namespace', 'managedFields', 'generateName', 'uid', 'resourceVersion'].includes(String(key));
}

function changeAt(r: Random, { holder, key, heldBy }: Place, seeds: Seeds): void {
  if (Array.isArray(holder)) {
    const at = Number(key);
    const [item] = holder.slice(at, at + 1);
    if (r.chance(30)) holder.splice(at, 1);
    else if (r.chance(50) && item !== undefined) holder.push(structuredClone(item));
    else if (r.chance(50)) holder.reverse();
    else holder[at] = structuredClone(seeds.valueOf(r, heldBy) ?? r.pick(odd));
    return;
  }
  const name = String(key);
  const what = r.below(100);
  if (what < 20) delete holder[name];
  else if (what < 50) holder[name] = structuredClone(seeds.valueOf(r, name) ?? r.pick(odd));
  else if (what < 62) holder[name] = structuredClone(r.pick(odd));
  else {
    const added = what < 95 ? seeds.memberOf(r, heldBy) : r.pick(['unknown', 'Name', 'é']);
    const isNew = added !== undefined && !isFixed({ holder, key: added, heldBy });
    if (isNew) holder[added] = structuredClone(seeds.valueOf(r, added) ?? r.pick(odd));
  }
}

/** Returns the merge patch between two objects. */
export function mergePatchOf(from: Json, to: Json): Json {
  if (!isObject(from) || !isObject(to)) return to;
  const patch: JsonObject = {};
  for (const [key, value] of Object.entries(to)) {
    const before = from[key];
    if (before === undefined) patch[key] = value;
    else if (JSON.stringify(before) !== JSON.stringify(value)) patch[key] = mergePatchOf(before, value);
  }
  for (const key of Object.keys(from)) if (to[key] === undefined) patch[key] = null;
  return patch;
}

/** Returns a JSON patch between two objects, member by member. */
export function jsonPatchOf(from: Json, to: Json, path = ''): JsonObject[] {
  if (!isObject(from) || !isObject(to)) return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ op: 'replace', path, value: to }];
  const at = (key: string): string => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const written = Object.entries(to).flatMap(([key, value]) => {
    const before = from[key];
    return before === undefined ? [{ op: 'add', path: at(key), value }] : jsonPatchOf(before, value, at(key));
  });
  const removed = Object.keys(from).filter(key => to[key] === undefined);
  return [...written, ...removed.map(key => ({ op: 'remove', path: at(key) }))];
}
