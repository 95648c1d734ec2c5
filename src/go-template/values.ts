import { ownMember } from '../go/own-members.js';
import { encodeUtf8Bytes } from '../go/utf8.js';

/**
 * Value in a template: `undefined` is no value (a missing key), `null` a nil interface, `bigint` an int, `number` a float64.
 */
export type TemplateValue =
  | undefined
  | null
  | boolean
  | string
  | bigint
  | number
  | TemplateMap
  | GoList
  | GoStruct
  | GoInterface
  | GoInteger;

/** Element of a map or slice of interfaces: errors print its type as `interface {}`. */
export interface GoInterface {
  readonly kind: 'interface';
  readonly value: TemplateValue;
}

/** An integer of another type than int, which errors and verbs name: a byte of a string, or the result of arithmetic. */
export interface GoInteger {
  readonly kind: 'integer';
  readonly type: 'uint8' | 'int64';
  readonly value: bigint;
}

/** Returns an integer without its type; other values as they are. */
export function withoutType(value: TemplateValue): Exclude<TemplateValue, GoInteger> {
  return typeof value === 'object' && value !== null && value.kind === 'integer' ? value.value : value;
}

/** Returns the value inside an interface. */
export function inner(value: TemplateValue): TemplateValue {
  return typeof value === 'object' && value !== null && value.kind === 'interface' ? value.value : value;
}

/** Returns an element of a container as Go returns it. */
export function elementOf({ element }: TemplateMap | GoList, value: TemplateValue): TemplateValue {
  return element === 'interface {}' && value !== undefined && value !== null ? { kind: 'interface', value } : value;
}

/** A Go map with string keys. */
export interface TemplateMap {
  readonly kind: 'map';
  /** Type of its values: `interface {}`, `string`. */
  readonly element: string;
  readonly entries: ReadonlyMap<string, TemplateValue>;
}

/** A Go slice. */
export interface GoList {
  readonly kind: 'slice';
  readonly element: string;
  readonly items: readonly TemplateValue[];
}

/** A Go struct. */
export interface GoStruct {
  readonly kind: 'struct';
  /** Type as Go prints it: `v1.ObjectMeta`. */
  readonly type: string;
  /** Returns the value of an exported field; undefined if there is none. */
  readonly field: (name: string) => { readonly value: TemplateValue } | undefined;
  /** Returns the values of all fields in order. */
  readonly values: () => readonly TemplateValue[];
  /** Text that fmt prints, if the type has a String method. */
  readonly printed?: string | undefined;
  /** Returns the value as encoding/json writes it. */
  readonly json: () => string;
}

/** Creates a map with values of any type. */
export function goMap(entries: ReadonlyMap<string, TemplateValue>, element = 'interface {}'): TemplateMap {
  return { kind: 'map', element, entries };
}

/** Creates a slice with elements of any type. */
export function goList(items: readonly TemplateValue[], element = 'interface {}'): GoList {
  return { kind: 'slice', element, items };
}

export function isGoMap(value: TemplateValue): value is TemplateMap {
  return typeof value === 'object' && value !== null && value.kind === 'map';
}

export function isGoList(value: TemplateValue): value is GoList {
  return typeof value === 'object' && value !== null && value.kind === 'slice';
}

export function isGoStruct(value: TemplateValue): value is GoStruct {
  return typeof value === 'object' && value !== null && value.kind === 'struct';
}

/** Returns the type of a value as Go prints it. */
export function templateTypeOf(value: TemplateValue): string {
  switch (typeof value) {
    case 'undefined':
      return '<nil>';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    case 'bigint':
      return 'int';
    case 'number':
      return 'float64';
    default:
      if (value === null) return '<nil>';
      if (value.kind === 'struct') return value.type;
      if (value.kind === 'interface') return 'interface {}';
      if (value.kind === 'integer') return value.type;
      return value.kind === 'map' ? `map[string]${value.element}` : `[]${value.element}`;
  }
}

/** Returns the zero value that a Go map returns for a missing key. */
export function zeroOf(element: string): TemplateValue {
  const zeros: Readonly<Record<string, TemplateValue>> = { string: '', bool: false, int: 0n, float64: 0 };
  return ownMember(zeros, element) ?? null;
}

/** Reports whether a value is true for `if`. Source: text/template exec.go isTrue. */
export function truth(given: TemplateValue): boolean {
  const value = withoutType(given);
  if (isGoMap(value)) return value.entries.size > 0;
  if (isGoList(value)) return value.items.length > 0;
  if (isGoStruct(value)) return true;
  return value !== undefined && value !== null && value !== '' && value !== false && value !== 0n && value !== 0;
}

/** Returns the length of a string in bytes. A lone surrogate is one byte (see decodeUtf8Bytes). */
export function byteLength(text: string): number {
  return /\p{Cs}/u.test(text) ? encodeUtf8Bytes(text).length : Buffer.byteLength(text);
}

/** Returns the keys sorted by bytes, as in Go. */
export function sortedKeys(map: TemplateMap): string[] {
  return [...map.entries.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
