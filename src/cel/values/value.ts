import type { RawJson, ValueMap } from '../../go/value.js';
import type { Type } from './type.js';

/** A CEL value. Strings are JavaScript strings, `bigint` is int and `number` double. */
export type CelValue =
  | boolean
  | bigint
  | number
  | string
  | CelNull
  | Uint
  | Bytes
  | CelList
  | CelMap
  | Timestamp
  | Duration
  | TypeValue
  | Optional
  | ExtensionValue
  | CelError;

/**
 * A variable's value or the result of a look-up: a CEL value, or unwrapped JSON data of an object. The difference is visible in error
 * messages that print Go types.
 */
export type FoundValue = CelValue | null | readonly FoundValue[] | ReadonlyMap<string, FoundValue> | RawJson;

export interface CelNull {
  readonly kind: 'null';
}

export interface Uint {
  readonly kind: 'uint';
  readonly uint: bigint;
}

export interface Bytes {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

export interface CelList {
  readonly kind: 'list';
  /** Elements from JSON data are wrapped on access. */
  readonly items: readonly FoundValue[];
  /** A mutable accumulator: `+` appends to it. */
  readonly appendable?: FoundValue[];
  readonly goType: 'baseList' | 'concatList' | 'mutableList';
  /** Go's internal elements: JSON data, or strings from a function; undefined: CEL values. */
  readonly inside?: 'data' | 'texts';
  /** For a list of an object with a schema; undefined for others. */
  readonly schemed?: SchemedList;
  /** For a list of an object with a Go type; undefined for others. */
  readonly typed?: true;
}

/** List semantics of a schema: sets and lists of maps identify their items independently of order. */
export interface SchemedList {
  readonly type: 'atomic' | 'set' | 'map';
  /** As in the object. */
  readonly raw: readonly FoundValue[];
  /** Names of the key members of a list of maps. */
  readonly keys: readonly string[];
  /** The CEL value of an item. */
  readonly wrap: (raw: FoundValue) => CelValue;
}

export interface CelMap {
  readonly kind: 'map';
  readonly entries: MapEntries;
  /** A mutable accumulator: entries are inserted into it. */
  readonly insertable?: Map<unknown, readonly [key: CelValue, value: FoundValue]>;
  /** For an object with a schema; undefined for others. */
  readonly schemed?: SchemedMap;
  /** For a map or struct of an object with a Go type; undefined for others. */
  readonly typed?: TypedMap;
  /** Keys are unescaped: in any case, or where that makes another key; undefined: they are used as they are. */
  readonly unescapes?: 'always' | 'ifEscaped';
}

/** Comparison of a map or struct with a Go type; without `struct` it is a map. */
export interface TypedMap {
  readonly struct?: { readonly name: string; readonly raw: ValueMap; readonly isEqualTo: (other: ValueMap) => boolean };
}

/** Object semantics of a schema. Its entries are the declared members, under their unescaped names. */
export interface SchemedMap {
  /** As in the object: undeclared members count for its size and for comparison. */
  readonly raw: ValueMap;
  /** Expressions use the escaped names of its members. */
  readonly hasEscapedNames: boolean;
}

/** JSON objects have string keys and are used directly; other maps index their entries by Go's map keys. */
export type MapEntries =
  | { readonly keys: 'strings'; readonly byKey: ReadonlyMap<string, FoundValue> }
  | { readonly keys: 'values'; readonly byIdentity: ReadonlyMap<unknown, readonly [key: CelValue, value: FoundValue]> };

export interface Timestamp {
  readonly kind: 'timestamp';
  /** Nanoseconds since 1970. */
  readonly seconds: bigint;
  readonly nanoseconds: number;
  /** Offset of the zone it was written in, used for printing. */
  readonly offsetSeconds: number;
}

export interface Duration {
  readonly kind: 'duration';
  readonly nanoseconds: bigint;
}

export interface TypeValue {
  readonly kind: 'type';
  readonly type: Type;
}

export interface Optional {
  readonly kind: 'optional';
  /** Undefined for none. */
  readonly value: CelValue | undefined;
}

/** An extension value of Kubernetes' libraries: a quantity, an address, a decision ... */
export interface ExtensionValue {
  readonly kind: 'extension';
  readonly type: Type;
  readonly equals: (other: CelValue) => CelValue;
  /** Its `size`, used for costs; undefined when it has none. */
  readonly size?: number | undefined;
  /** Comparing it costs one, independently of its size. */
  readonly unitEqualityCost: boolean;
  /** How Go prints the value and its type with %v and %T. */
  readonly goText: string;
  readonly goType: string;
  /** Go's internal value, or the error of its conversion; undefined when that is the value itself. */
  readonly inner?: { readonly goType: string; readonly goText: string } | { readonly error: string } | undefined;
  /** Key in Go's maps: its printed form, the value itself, or none if it cannot be a key. */
  readonly hashedAs: 'text' | 'itself' | 'nothing';
  /** `string(x)`, for types that support it. */
  readonly text?: string | undefined;
}

/** An evaluation error: errors are values until the end, and `&&` and `||` can absorb them. */
export interface CelError {
  readonly kind: 'error';
  readonly message: string;
}

export const celNull: CelNull = { kind: 'null' };
export const optionalNone: Optional = { kind: 'optional', value: undefined };

/** An error with a message. */
export function celError(message: string): CelError {
  return { kind: 'error', message };
}

/** cel-go's error for operands without a matching overload; an operand that is an error is returned. */
export function noSuchOverload(value?: CelValue): CelError {
  return value !== undefined && isError(value) ? value : celError('no such overload');
}

/** An unsigned integer. */
export function uint(value: bigint): Uint {
  return { kind: 'uint', uint: value };
}

/** Bytes. */
export function bytes(value: Uint8Array): Bytes {
  return { kind: 'bytes', bytes: value };
}

/** A list of values. */
export function celListOf(items: readonly FoundValue[], goType: CelList['goType'] = 'baseList'): CelList {
  return { kind: 'list', items, goType };
}

/** A map with string keys. */
export function stringMap(byKey: ReadonlyMap<string, FoundValue>): CelMap {
  return { kind: 'map', entries: { keys: 'strings', byKey } };
}

/** A duration. */
export function celDuration(nanoseconds: bigint): Duration {
  return { kind: 'duration', nanoseconds };
}

/** An optional that holds a value. */
export function optionalOf(value: CelValue): Optional {
  return { kind: 'optional', value };
}

/** The type as a value. */
export function typeValue(type: Type): TypeValue {
  return { kind: 'type', type };
}

/** Reports whether this value is an error. */
export function isError(value: CelValue): value is CelError {
  return typeof value === 'object' && value.kind === 'error';
}

export function isCelListValue(value: CelValue): value is CelList {
  return typeof value === 'object' && value.kind === 'list';
}

export function isCelMapValue(value: CelValue): value is CelMap {
  return typeof value === 'object' && value.kind === 'map';
}

export function isCelOptionalValue(value: CelValue): value is Optional {
  return typeof value === 'object' && value.kind === 'optional';
}
