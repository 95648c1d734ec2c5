import { pointerToken } from '../../encoding/json-pointer.js';
import type { ManifestDocument } from '../../encoding/yaml-stream.js';
import { isList, isMap, type Value } from '../../go/value.js';
import { InvalidSuite } from '../faults.js';
import type { SuitePlace } from '../place.js';
import { readableJson } from '../readable-json.js';

/** A value of a suite file, with its position. */
export interface SuiteField {
  readonly value: Value;
  /** Path for messages: `cases[0].expect.code`; empty for the whole file. */
  readonly name: string;
  readonly pointer: string;
  readonly source: SuiteFieldSource;
}

/** The suite file. */
export interface SuiteFieldSource {
  readonly file: string;
  readonly document: ManifestDocument;
  /** Errors found so far: reading continues, so that one run reports all. */
  readonly errors: InvalidSuite[];
}

/** Returns what `read` returns; undefined if it throws InvalidSuite, which is added to the errors of the source. */
export function noted<T>({ source }: SuiteField, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidSuite)) throw error;
    source.errors.push(error);
    return undefined;
  }
}

/** Reads a member of a map; undefined when it is absent or null, and when `read` throws InvalidSuite, which is added to the errors of the source. */
export function readMember<T>(field: SuiteField, key: string, read: (at: SuiteField) => T): T | undefined {
  const at = memberField(field, key);
  return at === undefined ? undefined : noted(at, () => read(at));
}

/** Position of a field. */
export function placeOfField({ pointer, source }: SuiteField): SuitePlace {
  return { file: source.file, ...source.document.positionOf(pointer) };
}

/** Creates an error for a field: `what` continues a sentence that starts with its name. */
export function invalidField(field: SuiteField, what: string, more: ConstructorParameters<typeof InvalidSuite>[2] = {}): InvalidSuite {
  const { name, pointer } = field;
  return new InvalidSuite(`${name === '' ? 'the suite' : name} ${what}`, placeOfField(field), { pointer, ...more });
}

/** A member of a map; undefined when it is absent or null. */
export function memberField(field: SuiteField, key: string): SuiteField | undefined {
  const value = isMap(field.value) ? field.value.get(key) : undefined;
  return value === undefined || value === null ? undefined : below(field, key, value);
}

/** All members of a map. Throws InvalidSuite for another type; unknown members are errors of the source. Without `known`, all are allowed. */
export function members(field: SuiteField, known?: readonly string[]): readonly (readonly [key: string, field: SuiteField])[] {
  if (!isMap(field.value)) throw unexpected(field, 'a map');
  return [...field.value].map(([key, value]) => {
    const found = below(field, key, value);
    if (known !== undefined && !known.includes(key)) {
      const message = `${field.name === '' ? 'a suite' : field.name} has no field ${JSON.stringify(key)}`;
      field.source.errors.push(new InvalidSuite(message, placeOfField(found), { unknown: { word: key, known }, pointer: found.pointer }));
    }
    return [key, found];
  });
}

/** The items of a list. Throws InvalidSuite for another type. */
export function items(field: SuiteField): readonly SuiteField[] {
  if (!isList(field.value)) throw unexpected(field, 'a list');
  return field.value.map((value, i) => ({
    value,
    name: `${field.name}[${i}]`,
    pointer: `${field.pointer}/${i}`,
    source: field.source,
  }));
}

/** A string. Throws InvalidSuite for another type. */
export function textOfField(field: SuiteField, wanted = 'a string'): string {
  if (typeof field.value === 'string') return field.value;
  const isPlain = typeof field.value === 'bigint' || typeof field.value === 'number' || typeof field.value === 'boolean';
  throw unexpected(field, wanted, isPlain && wanted.startsWith('a string') ? ['put it in quotes'] : []);
}

/** true or false. Throws InvalidSuite for another type. */
export function booleanOf(field: SuiteField): boolean {
  if (typeof field.value === 'boolean') return field.value;
  throw unexpected(field, 'true or false');
}

/** An integer within bounds. Throws InvalidSuite for another value. */
export function wholeNumberOf(field: SuiteField, { min, max }: { readonly min: number; readonly max: number }): number {
  const { value } = field;
  if (typeof value === 'bigint' && value >= BigInt(min) && value <= BigInt(max)) return Number(value);
  throw unexpected(field, `an integer from ${min} to ${max}`);
}

/** Error for a value of another type than the expected one: `invalid cases[0].timeout: expected a duration, found the number 5`. */
export function unexpected(field: SuiteField, expected: string, suggestions: readonly string[] = []): InvalidSuite {
  return new InvalidSuite(`invalid ${nameOf(field)}: expected ${expected}, found ${described(field.value)}`, placeOfField(field), {
    suggestions,
    pointer: field.pointer,
  });
}

/** Error for an invalid value of the expected type: `invalid cases[0].timeout "40s": expected a duration from 1s to 30s`. */
export function invalidFieldValue(field: SuiteField, value: string, expected: string, suggestions: readonly string[] = []): InvalidSuite {
  return new InvalidSuite(`invalid ${nameOf(field)} ${value}: expected ${expected}`, placeOfField(field), {
    pointer: field.pointer,
    suggestions,
  });
}

function nameOf({ name }: SuiteField): string {
  return name === '' ? 'suite' : name;
}

function below(field: SuiteField, key: string, value: Value): SuiteField {
  const isPlain = /^[\w-]+$/.test(key);
  const step = isPlain ? (field.name === '' ? key : `.${key}`) : `[${JSON.stringify(key)}]`;
  const pointer = `${field.pointer}/${pointerToken(key)}`;
  return { value, name: field.name + step, pointer, source: field.source };
}

const maxShown = 60;

function described(value: Value): string {
  if (value === null) return 'empty';
  const json = readableJson(value);
  const shown = json.length > maxShown ? `${json.slice(0, maxShown)}...` : json;
  if (typeof value === 'string') return `the text ${shown}`;
  if (typeof value === 'boolean') return shown;
  if (isList(value)) return `the list ${shown}`;
  return isMap(value) ? `the map ${shown}` : `the number ${shown}`;
}
