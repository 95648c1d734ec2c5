import type { RawJson, ValueMap } from '../../kubernetes/value.js';
import type { Type } from './type.js';

/** A value of the language. Strings are JavaScript's, `bigint` is int and `number` double. */
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
  | Extension
  | CelError;

/**
 * What a variable holds or a look-up finds: a value of the language, or JSON data as the API server's objects hold it, not wrapped yet.
 * The difference shows in error messages that print Go types.
 */
export type Found = CelValue | null | readonly Found[] | ReadonlyMap<string, Found> | RawJson;

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
  /** Elements that came from JSON data are wrapped when they are looked at. */
  readonly items: readonly Found[];
  /** An accumulator: `+` appends to it. */
  readonly appendable?: Found[];
  readonly goType: 'baseList' | 'concatList' | 'mutableList';
  /** What Go holds inside: JSON data, or texts that a function made; undefined: values of the language. */
  readonly inside?: 'data' | 'texts';
  /** A list of an object with a schema; undefined for all others. */
  readonly schemed?: SchemedList;
}

/** What a schema says of a list: sets and lists of maps know their items again wherever they stand. */
export interface SchemedList {
  readonly type: 'atomic' | 'set' | 'map';
  /** As they stand in the object. */
  readonly raw: readonly Found[];
  /** The names of the members that tell items of a list of maps apart. */
  readonly keys: readonly string[];
  /** What an expression sees of an item. */
  readonly wrap: (raw: Found) => CelValue;
}

export interface CelMap {
  readonly kind: 'map';
  readonly entries: MapEntries;
  /** An accumulator: entries are inserted into it. */
  readonly insertable?: Map<unknown, readonly [key: CelValue, value: Found]>;
  /** An object with a schema; undefined for all others. */
  readonly schemed?: SchemedMap;
}

/** What a schema says of an object. Its entries are the members that the schema knows, under their own names. */
export interface SchemedMap {
  /** As it stands in the object: members that the schema does not know count for its size, and when it is compared. */
  readonly raw: ValueMap;
  /** Expressions use the escaped names of its members. */
  readonly hasEscapedNames: boolean;
}

/** JSON objects have string keys and are used as they are; other maps know their keys by what Go's maps compare. */
export type MapEntries =
  | { readonly keys: 'strings'; readonly byKey: ReadonlyMap<string, Found> }
  | { readonly keys: 'values'; readonly byIdentity: ReadonlyMap<unknown, readonly [key: CelValue, value: Found]> };

export interface Timestamp {
  readonly kind: 'timestamp';
  /** Since 1970. */
  readonly seconds: bigint;
  readonly nanoseconds: number;
  /** Of the zone it was written in; it prints in that. */
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
  /** Undefined: none. */
  readonly value: CelValue | undefined;
}

/** A value of one of Kubernetes' libraries: a quantity, an address, a decision ... */
export interface Extension {
  readonly kind: 'extension';
  readonly type: Type;
  readonly equals: (other: CelValue) => CelValue;
  /** What `size` would be, for costs; undefined when the value has none. */
  readonly size?: number | undefined;
  /** Its equality costs one, however large it is. */
  readonly unitEqualityCost: boolean;
  /** How Go prints the value and its type with %v and %T. */
  readonly goText: string;
  readonly goType: string;
  /** What Go holds inside, or the error it gives for that; undefined when that is the value itself. */
  readonly inner?: { readonly goType: string; readonly goText: string } | { readonly error: string } | undefined;
  /** What Go's maps compare it by as a key: what it prints as, the very value, or nothing: it cannot be a key. */
  readonly hashedAs: 'text' | 'itself' | 'nothing';
  /** `string(x)`, for the types that allow it. */
  readonly text?: string | undefined;
}

/** An evaluation went wrong: errors are values until the end, `&&` and `||` can absorb them. */
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

/** cel-go's error for operands that an operation does not take; a value that is an error already passes through. */
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
export function listOf(items: readonly Found[], goType: CelList['goType'] = 'baseList'): CelList {
  return { kind: 'list', items, goType };
}

/** A map with string keys. */
export function stringMap(byKey: ReadonlyMap<string, Found>): CelMap {
  return { kind: 'map', entries: { keys: 'strings', byKey } };
}

/** A duration. */
export function duration(nanoseconds: bigint): Duration {
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

/** Is this value an error? */
export function isError(value: CelValue): value is CelError {
  return typeof value === 'object' && value.kind === 'error';
}

export function isList(value: CelValue): value is CelList {
  return typeof value === 'object' && value.kind === 'list';
}

export function isMap(value: CelValue): value is CelMap {
  return typeof value === 'object' && value.kind === 'map';
}

export function isOptional(value: CelValue): value is Optional {
  return typeof value === 'object' && value.kind === 'optional';
}
