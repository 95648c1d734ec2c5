import { sameValue } from '../../go/value.js';
import { itemAt } from './found.js';
import { celMapSize, findInMap } from './maps.js';
import { type CelList, type CelMap, type CelValue, type FoundValue, isCelMapValue, type SchemedList, type SchemedMap } from './value.js';

type Equality = (a: CelValue, b: CelValue) => CelValue;

/**
 * Equality of a list with a schema: the first unequal item decides, even an error. Source: apiserver pkg/cel/common/valuesunstructured.go.
 */
export function schemedList(schemed: SchemedList): CelList {
  return { kind: 'list', items: schemed.raw.map(schemed.wrap), goType: 'baseList', schemed };
}

/** Compares a list with a schema to another list. Sets and lists of maps ignore the order. */
export function schemedListEqual(list: CelList, schemed: SchemedList, other: CelList, equal: Equality): CelValue {
  if (list.items.length !== other.items.length) return false;
  if (schemed.type === 'set') {
    const known = new Set(schemed.raw.map(rawIdentity));
    return other.items.every((_, i) => known.has(identityInside(itemAt(other, i))));
  }
  if (schemed.type === 'map') return mapListEqual(schemed, other, equal);
  for (let i = 0; i < list.items.length; i += 1) {
    const same = equal(itemAt(list, i), itemAt(other, i));
    if (same !== true) return same;
  }
  return true;
}

/** Compares an object with a schema to another object. Members that the schema does not declare are compared if both have them. */
export function schemedMapEqual(map: CelMap, schemed: SchemedMap, other: CelMap, equal: Equality): CelValue {
  if (celMapSize(map) !== celMapSize(other)) return false;
  for (const [name, raw] of schemed.raw) {
    if (map.entries.keys === 'strings' && map.entries.byKey.has(name)) {
      const same = membersEqual(findInMap(map, name), findInMap(other, name), equal);
      if (same !== true) return same;
    } else if (other.schemed !== undefined) {
      const otherRaw = other.schemed.raw.get(name);
      if (otherRaw !== undefined && !sameValue(raw, otherRaw)) return false;
    }
  }
  return true;
}

/** `a + b` for sets and lists of maps: new items of `b` are appended, and items of maps in both are taken from `b`. */
export function joined(schemed: SchemedList, other: CelList): CelList {
  const identity = schemed.type === 'set' ? rawIdentity : (item: FoundValue) => listItemKeyOf(schemed, item);
  const raw = [...schemed.raw];
  const places = new Map(raw.map((item, i) => [identity(item), i]));
  for (let i = 0; i < other.items.length; i += 1) {
    const item = rawInside(itemAt(other, i));
    const place = places.get(identity(item));
    if (place === undefined) {
      if (schemed.type === 'set') places.set(identity(item), raw.length);
      raw.push(item);
    } else if (schemed.type === 'map') raw[place] = item;
  }
  return schemedList({ ...schemed, raw });
}

function mapListEqual(schemed: SchemedList, other: CelList, equal: Equality): CelValue {
  const byKey = new Map(schemed.raw.map(item => [listItemKeyOf(schemed, item), item]));
  for (let i = 0; i < other.items.length; i += 1) {
    const item = itemAt(other, i);
    const mine = byKey.get(listItemKeyOf(schemed, rawInside(item)));
    if (mine === undefined) return false;
    const same = equal(schemed.wrap(mine), item);
    if (same !== true) return same;
  }
  return true;
}

function membersEqual(mine: CelValue | undefined, other: CelValue | undefined, equal: Equality): CelValue {
  if (mine === undefined || other === undefined) return mine === other;
  return equal(mine, other);
}

function listItemKeyOf({ keys }: SchemedList, item: FoundValue): string {
  return JSON.stringify(keys.map(key => (item instanceof Map ? rawIdentity(item.get(key) ?? null) : undefined)));
}

/** The value as in the object, if it came from one; also where its schema was lost. */
function rawInside(value: CelValue): FoundValue {
  if (!isCelMapValue(value)) return value;
  const { schemed, entries, typed } = value;
  if (schemed !== undefined) return schemed.raw;
  return entries.keys === 'strings' && typed === undefined ? entries.byKey : value;
}

/** Go compares its internal value: a time never equals the string it was parsed from. */
function identityInside(value: CelValue): unknown {
  return rawIdentity(rawInside(value));
}

function rawIdentity(value: FoundValue): unknown {
  switch (typeof value) {
    case 'string':
      return `s${value}`;
    case 'bigint':
      return `i${value}`;
    case 'number':
      return `f${value}`;
    case 'boolean':
      return `b${value}`;
    default:
      return value;
  }
}
