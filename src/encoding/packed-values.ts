import { isList, isMap, isRawJson, type RawJson, type Value, type ValueMap } from '../go/value.js';

/**
 * Values as data that JSON holds and `JSON.parse` reads quickly: a list starts with 0, an object with the number of its list of keys (from 1,
 * in their order), a float64 with -1, an int64 beyond JavaScript's integers with -2, raw JSON with -3.
 */
export type Packed = null | boolean | string | number | Packed[];

export interface PackedValues {
  /** Lists of keys: most objects share theirs with others. */
  readonly keys: readonly (readonly string[])[];
  readonly values: readonly Packed[];
}

const [listMark, floatMark, integerMark, rawMark] = [0, -1, -2, -3] as const;

/** Max nesting, because packing is recursive. */
const maximumDepth = 200;

/** Returns values as JSON data; undefined for values that are nested too deeply. */
export function packValues(values: readonly Value[]): PackedValues | undefined {
  const keys: string[][] = [];
  const numbers = new Map<string, number>();
  const numberOf = (names: string[]): number => {
    const id = JSON.stringify(names);
    const known = numbers.get(id);
    if (known !== undefined) return known;
    numbers.set(id, keys.push(names));
    return keys.length;
  };
  let isDeep = false;
  const pack = (value: Value, depth: number): Packed => {
    isDeep ||= depth > maximumDepth;
    if (isDeep) return null;
    if (isList(value)) return [listMark, ...value.map(item => pack(item, depth + 1))];
    if (isMap(value)) return [numberOf([...value.keys()]), ...[...value.values()].map(member => pack(member, depth + 1))];
    if (isRawJson(value)) return [rawMark, value.rawJson, ...(value.sent === undefined ? [] : [value.sent])];
    if (typeof value === 'number') return [floatMark, Object.is(value, -0) ? '-0' : value];
    if (typeof value !== 'bigint') return value;
    return Number.isSafeInteger(Number(value)) ? Number(value) : [integerMark, String(value)];
  };
  const packed = values.map(value => pack(value, 0));
  return isDeep ? undefined : { keys, values: packed };
}

/** Returns the values again; for other data than that of `packValues` it throws a TypeError, SyntaxError or RangeError, or returns any values. */
export function unpackValues({ keys, values }: PackedValues): Value[] {
  const unpack = (packed: Packed): Value => {
    if (typeof packed === 'number') return BigInt(packed);
    if (!Array.isArray(packed)) return packed;
    const mark = packed[0];
    if (typeof mark !== 'number') throw new TypeError('not a packed value');
    if (mark > 0) return unpackMap(keys[mark - 1] ?? [], packed);
    if (mark === listMark) return unpackItems(packed);
    return unpackOther(mark, packed);
  };
  const unpackMap = (names: readonly string[], packed: readonly Packed[]): ValueMap => {
    const map: ValueMap = new Map();
    for (let i = 0; i < names.length; i += 1) map.set(names[i] ?? '', unpack(packed[i + 1] ?? null));
    return map;
  };
  const unpackItems = (packed: readonly Packed[]): Value[] => {
    const list: Value[] = [];
    for (let i = 1; i < packed.length; i += 1) list.push(unpack(packed[i] ?? null));
    return list;
  };
  return values.map(unpack);
}

function unpackOther(mark: number, [, content, sent]: readonly Packed[]): RawJson | bigint | number {
  if (mark === floatMark && (typeof content === 'number' || content === '-0')) return Number(content);
  if (mark === integerMark && typeof content === 'string') return BigInt(content);
  if (mark !== rawMark || typeof content !== 'string') throw new TypeError('not a packed value');
  return typeof sent === 'string' ? { rawJson: content, sent } : { rawJson: content };
}
