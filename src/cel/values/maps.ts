import { adapt } from './found.js';
import { GoPanic } from './go-panic.js';
import { unescapePropertyName } from './property-name.js';
import type { CelMap, CelValue, ExtensionValue, FoundValue } from './value.js';

/** Keys and values of a map, as Go's maps of values keep them. */
export type IdentityMap = Map<unknown, readonly [key: CelValue, value: FoundValue]>;

/** Creates a map from entries; later ones replace earlier ones with the same key. Throws GoPanic. */
export function mapOf(entries: IdentityMap): CelMap {
  return { kind: 'map', entries: { keys: 'values', byIdentity: entries } };
}

/** The key by which Go's maps compare: the same for equal keys, but different for numbers of different types. Throws GoPanic. */
export function identityOf(key: CelValue): unknown {
  switch (typeof key) {
    case 'string':
      return `s${key}`;
    case 'bigint':
      return key;
    case 'boolean':
      return key;
    case 'number':
      return Number.isNaN(key) ? {} : key === 0 ? 0 : key;
    default:
      return identityOfObject(key);
  }
}

/** The value of a key, where numbers of all types are interchangeable; undefined when there is none. Source: cel-go common/types/map.go. */
export function findInMap(map: CelMap, key: CelValue): CelValue | undefined {
  const found = findExactly(map, key);
  if (found !== undefined) return found;
  if (map.entries.keys === 'strings' || celMapSize(map) === 0) return undefined;
  if (typeof key === 'number') return findDouble(map, key);
  if (typeof key === 'bigint') return key < 0n ? undefined : findExactly(map, { kind: 'uint', uint: key });
  if (typeof key === 'object' && key.kind === 'uint') return key.uint > maxInt ? undefined : findExactly(map, key.uint);
  return undefined;
}

export function celMapSize({ entries, schemed }: CelMap): number {
  if (schemed !== undefined) return schemed.raw.size;
  return entries.keys === 'strings' ? entries.byKey.size : entries.byIdentity.size;
}

/** The keys in insertion order; Go's order is random. */
export function mapKeys({ entries }: CelMap): readonly CelValue[] {
  return entries.keys === 'strings' ? [...entries.byKey.keys()] : [...entries.byIdentity.values()].map(([key]) => key);
}

/** Keys and values. */
export function mapEntries({ entries }: CelMap): readonly (readonly [key: CelValue, value: FoundValue])[] {
  return entries.keys === 'strings' ? [...entries.byKey] : [...entries.byIdentity.values()];
}

const maxInt = (1n << 63n) - 1n;
const maxUint = (1n << 64n) - 1n;

function identityOfObject(key: Exclude<CelValue, string | bigint | boolean | number>): unknown {
  switch (key.kind) {
    case 'uint':
      return `u${key.uint}`;
    case 'null':
      return 'n';
    case 'duration':
      return `d${key.nanoseconds}`;
    case 'timestamp':
      return `t${key.seconds}.${key.nanoseconds}.${key.offsetSeconds}`;
    case 'bytes':
      throw unhashable('types.Bytes');
    case 'extension':
      return extensionIdentity(key);
    default:
      return key;
  }
}

function extensionIdentity(key: ExtensionValue): unknown {
  if (key.hashedAs === 'nothing') throw unhashable(key.goType);
  return key.hashedAs === 'text' ? `x${key.goType} ${key.goText}` : key;
}

function unhashable(goType: string): GoPanic {
  return new GoPanic(`runtime error: hash of unhashable type ${goType}`);
}

function findExactly(map: CelMap, key: CelValue): CelValue | undefined {
  const { entries } = map;
  if (entries.keys === 'strings') {
    const name = memberName(map, key);
    const found = typeof name === 'string' ? entries.byKey.get(name) : undefined;
    return found === undefined ? undefined : adapt(found);
  }
  const found = entries.byIdentity.size === 0 ? undefined : entries.byIdentity.get(identityOf(key));
  return found === undefined ? undefined : adapt(found[1]);
}

/** The name of the member that a key selects. */
function memberName({ schemed, unescapes }: CelMap, key: CelValue): CelValue | undefined {
  if (typeof key !== 'string') return key;
  if (schemed?.hasEscapedNames === true || unescapes === 'always') return unescapePropertyName(key);
  return unescapes === 'ifEscaped' ? (unescapePropertyName(key) ?? key) : key;
}

function findDouble(map: CelMap, key: number): CelValue | undefined {
  if (!Number.isInteger(key)) return undefined;
  const whole = BigInt(key);
  const asInt = key > -(2 ** 63) && key < 2 ** 63 ? findExactly(map, whole) : undefined;
  if (asInt !== undefined) return asInt;
  return whole >= 0n && whole <= maxUint ? findExactly(map, { kind: 'uint', uint: whole }) : undefined;
}
