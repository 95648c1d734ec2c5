import type { VariableDeclaration } from '../check/declarations.js';
import type { StructDeclaration, TypeProvider } from '../check/type-provider.js';
import { CIDR } from '../library/cidr.js';
import { IP } from '../library/ip.js';
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  LIST,
  listType,
  MAP,
  mapType,
  NULL,
  nullableType,
  OPTIONAL,
  STRING,
  structType,
  TIMESTAMP,
  TYPE,
  type Type,
  typeOfType,
  typeParam,
  UINT,
} from '../values/type.js';

/** The names of the language's types. Source: cel-go common/stdlib/standard.go. */
export const typeVariables: readonly VariableDeclaration[] = [
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listType(typeParam('A')),
  mapType(typeParam('A'), typeParam('B')),
  NULL,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
].map(type => ({ name: type.name, type: typeOfType(type) }));

/**
 * The types an environment knows besides its own. Source: cel-go common/types/provider.go NewRegistry, apiserver pkg/cel/types.go
 * findScalar.
 */
export function typeProvider(own: Iterable<readonly [string, StructDeclaration]>): TypeProvider {
  return {
    structs: new Map([...messages, ...scalars, ...own]),
    idents: new Map([...runtimeTypes].map(type => [type.name, type])),
    enums: new Map([['google.protobuf.NullValue.NULL_VALUE', 0n]]),
  };
}

const empty = structType('google.protobuf.Empty');
const runtimeTypes = [
  ...[BOOL, BYTES, DOUBLE, DURATION, INT, LIST, MAP, NULL, STRING, TIMESTAMP, TYPE, UINT],
  ...[empty, OPTIONAL, IP, CIDR],
];

const scalars: readonly (readonly [string, StructDeclaration])[] = [
  ...[BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT].map(type => [type.name, withoutFields(type)] as const),
  ['duration', withoutFields(DURATION)],
  ['timestamp', withoutFields(TIMESTAMP)],
  ['list', withoutFields(listType(ANY))],
  ['map', withoutFields(mapType(ANY, ANY))],
];

const anyList = listType(DYN);
const anyMap = mapType(STRING, DYN);
const secondsAndNanos = { seconds: INT, nanos: INT };

const messages: readonly (readonly [string, StructDeclaration])[] = [
  message('Any', ANY, { type_url: STRING, value: BYTES }),
  message('Duration', DURATION, secondsAndNanos),
  message('Empty', empty, {}),
  message('Timestamp', TIMESTAMP, secondsAndNanos),
  message('Struct', anyMap, { fields: anyMap }),
  message('ListValue', anyList, { values: anyList }),
  message('Value', DYN, {
    null_value: INT,
    number_value: DOUBLE,
    string_value: STRING,
    bool_value: BOOL,
    struct_value: anyMap,
    list_value: anyList,
  }),
  ...[
    ['BoolValue', BOOL] as const,
    ['BytesValue', BYTES] as const,
    ['DoubleValue', DOUBLE] as const,
    ['FloatValue', DOUBLE] as const,
    ['Int32Value', INT] as const,
    ['Int64Value', INT] as const,
    ['StringValue', STRING] as const,
    ['UInt32Value', UINT] as const,
    ['UInt64Value', UINT] as const,
  ].map(([name, value]) => message(name, nullableType(value), { value })),
];

function message(name: string, type: Type, fields: Readonly<Record<string, Type>>): readonly [string, StructDeclaration] {
  return [`google.protobuf.${name}`, { type, fields: new Map(Object.entries(fields)) }];
}

function withoutFields(type: Type): StructDeclaration {
  return { type, fields: new Map() };
}
