import { binary, type FunctionDeclaration, fn, memberDeclaration, overload, unary } from '../check/declarations.js';
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint } from '../values/convert.js';
import { celMapSize } from '../values/maps.js';
import { matchesRegex } from '../values/regex.js';
import { codePointCount } from '../values/text.js';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  STRING,
  TIMESTAMP,
  type Type,
  traits,
  typeOfType,
  typeParam,
  UINT,
} from '../values/type.js';
import { celTypeOf } from '../values/type-of.js';
import { type CelValue, noSuchOverload, typeValue } from '../values/value.js';

const A = typeParam('A');
const listOfA = listType(A);
const mapOfAB = mapType(A, typeParam('B'));

/** `size`, conversions, and the standard string functions. */
export const standardFunctions: readonly FunctionDeclaration[] = [
  {
    ...fn(
      'size',
      overload('size_bytes', [BYTES], INT),
      memberDeclaration('bytes_size', [BYTES], INT),
      overload('size_list', [listOfA], INT),
      memberDeclaration('list_size', [listOfA], INT),
      overload('size_map', [mapOfAB], INT),
      memberDeclaration('map_size', [mapOfAB], INT),
      overload('size_string', [STRING], INT),
      memberDeclaration('string_size', [STRING], INT),
    ),
    singleton: { implementation: unary(size), trait: traits.sizer },
  },
  {
    ...fn('type', overload('type', [A], typeOfType(A))),
    singleton: { implementation: unary(value => typeValue(celTypeOf(value))), trait: 0 },
  },
  conversion('bool', { result: BOOL, convert: toBool }, [
    ['bool_to_bool', BOOL],
    ['string_to_bool', STRING],
  ]),
  conversion('bytes', { result: BYTES, convert: toBytes }, [
    ['bytes_to_bytes', BYTES],
    ['string_to_bytes', STRING],
  ]),
  conversion('double', { result: DOUBLE, convert: toDouble }, [
    ['double_to_double', DOUBLE],
    ['int64_to_double', INT],
    ['string_to_double', STRING],
    ['uint64_to_double', UINT],
  ]),
  conversion('duration', { result: DURATION, convert: toDuration }, [
    ['duration_to_duration', DURATION],
    ['int64_to_duration', INT],
    ['string_to_duration', STRING],
  ]),
  { ...fn('dyn', overload('to_dyn', [A], DYN)), singleton: { implementation: unary(value => value), trait: 0 } },
  conversion('int', { result: INT, convert: toInt }, [
    ['int64_to_int64', INT],
    ['double_to_int64', DOUBLE],
    ['duration_to_int64', DURATION],
    ['string_to_int64', STRING],
    ['timestamp_to_int64', TIMESTAMP],
    ['uint64_to_int64', UINT],
  ]),
  conversion('string', { result: STRING, convert: toText }, [
    ['string_to_string', STRING],
    ['bool_to_string', BOOL],
    ['bytes_to_string', BYTES],
    ['double_to_string', DOUBLE],
    ['duration_to_string', DURATION],
    ['int64_to_string', INT],
    ['timestamp_to_string', TIMESTAMP],
    ['uint64_to_string', UINT],
  ]),
  conversion('timestamp', { result: TIMESTAMP, convert: toTimestamp }, [
    ['timestamp_to_timestamp', TIMESTAMP],
    ['int64_to_timestamp', INT],
    ['string_to_timestamp', STRING],
  ]),
  conversion('uint', { result: UINT, convert: toUint }, [
    ['uint64_to_uint64', UINT],
    ['double_to_uint64', DOUBLE],
    ['int64_to_uint64', INT],
    ['string_to_uint64', STRING],
  ]),
  textTest('contains', 'contains_string', (text, part) => text.includes(part)),
  textTest('endsWith', 'ends_with_string', (text, part) => text.endsWith(part)),
  textTest('startsWith', 'starts_with_string', (text, part) => text.startsWith(part)),
  {
    ...fn('matches', overload('matches', [STRING, STRING], BOOL), memberDeclaration('matches_string', [STRING, STRING], BOOL)),
    singleton: { implementation: binary(matchText), trait: traits.matcher },
  },
];

/** Number of elements, entries, bytes or characters of a value; undefined for values without a size. */
export function celSizeOf(value: CelValue): number | undefined {
  if (typeof value === 'string') return codePointCount(value);
  if (typeof value !== 'object') return undefined;
  if (value.kind === 'bytes') return value.bytes.length;
  if (value.kind === 'list') return value.items.length;
  if (value.kind === 'map') return celMapSize(value);
  return value.kind === 'extension' ? value.size : undefined;
}

function size(value: CelValue): CelValue {
  const count = celSizeOf(value);
  return count === undefined ? noSuchOverload(value) : BigInt(count);
}

function conversion(
  name: string,
  { result, convert }: { readonly result: Type; readonly convert: (value: CelValue) => CelValue },
  from: readonly (readonly [id: string, type: Type])[],
): FunctionDeclaration {
  return fn(name, ...from.map(([id, type]) => overload(id, [type], result, unary(convert))));
}

function textTest(name: string, id: string, holds: (text: string, part: string) => boolean): FunctionDeclaration {
  const test = binary((text, part) => {
    if (typeof text !== 'string') return noSuchOverload(text);
    return typeof part === 'string' ? holds(text, part) : noSuchOverload(part);
  });
  return { ...fn(name, memberDeclaration(id, [STRING, STRING], BOOL, test)), unguarded: true };
}

function matchText(text: CelValue, pattern: CelValue): CelValue {
  if (typeof text !== 'string') return noSuchOverload(text);
  return typeof pattern === 'string' ? matchesRegex(text, pattern) : noSuchOverload(pattern);
}
