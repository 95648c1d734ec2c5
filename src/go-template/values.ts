/**
 * A value that a template sees: `undefined` is none at all (a missing key), `null` a nil interface, `bigint` an int, `number` a float64.
 */
export type GoValue = undefined | null | boolean | string | bigint | number | GoMap | GoList | GoStruct | GoInterface;

/** An element of a map or slice of anything: errors name its type `interface {}`. */
export interface GoInterface {
  readonly kind: 'interface';
  readonly value: GoValue;
}

/** The value inside an interface. */
export function inner(value: GoValue): GoValue {
  return typeof value === 'object' && value !== null && value.kind === 'interface' ? value.value : value;
}

/** An element of a container as Go hands it out. */
export function elementOf({ element }: GoMap | GoList, value: GoValue): GoValue {
  return element === 'interface {}' && value !== undefined && value !== null ? { kind: 'interface', value } : value;
}

/** A Go map with string keys. */
export interface GoMap {
  readonly kind: 'map';
  /** The type of its values: `interface {}`, `string`. */
  readonly element: string;
  readonly entries: ReadonlyMap<string, GoValue>;
}

/** A Go slice. */
export interface GoList {
  readonly kind: 'slice';
  readonly element: string;
  readonly items: readonly GoValue[];
}

/** A Go struct. */
export interface GoStruct {
  readonly kind: 'struct';
  /** As Go prints the type: `v1.ObjectMeta`. */
  readonly type: string;
  /** The value of an exported field; undefined when there is no such field. */
  readonly field: (name: string) => { readonly value: GoValue } | undefined;
  /** The values of all fields in their order. */
  readonly values: () => readonly GoValue[];
  /** As encoding/json writes it. */
  readonly json: () => string;
}

/** A map of anything. */
export function goMap(entries: ReadonlyMap<string, GoValue>, element = 'interface {}'): GoMap {
  return { kind: 'map', element, entries };
}

/** A slice of anything. */
export function goList(items: readonly GoValue[], element = 'interface {}'): GoList {
  return { kind: 'slice', element, items };
}

export function isGoMap(value: GoValue): value is GoMap {
  return typeof value === 'object' && value !== null && value.kind === 'map';
}

export function isGoList(value: GoValue): value is GoList {
  return typeof value === 'object' && value !== null && value.kind === 'slice';
}

export function isGoStruct(value: GoValue): value is GoStruct {
  return typeof value === 'object' && value !== null && value.kind === 'struct';
}

/** The type of a value as Go prints it. */
export function typeOf(value: GoValue): string {
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
      return value.kind === 'map' ? `map[string]${value.element}` : `[]${value.element}`;
  }
}

/** What a map gives for a key that it does not have, where Go returns the zero value. */
export function zeroOf(element: string): GoValue {
  const zeros: Readonly<Record<string, GoValue>> = { string: '', bool: false, int: 0n, float64: 0 };
  return zeros[element] ?? null;
}

/** Is a value true for `if`? Source: text/template exec.go isTrue. */
export function truth(value: GoValue): boolean {
  if (isGoMap(value)) return value.entries.size > 0;
  if (isGoList(value)) return value.items.length > 0;
  if (isGoStruct(value)) return true;
  return value !== undefined && value !== null && value !== '' && value !== false && value !== 0n && value !== 0;
}

/** The length of a text in bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** Keys in Go's order: by bytes. */
export function sortedKeys(map: GoMap): string[] {
  return [...map.entries.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
