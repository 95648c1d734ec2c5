import { unstructuredOf } from '../../encoding/unstructured.js';
import type { JsonNode } from '../../go/json/node.js';
import { isMap, type Value, type ValueMap } from '../../go/value.js';

/** A document is not what it should be. */
export class MalformedDocument extends Error {
  override readonly name = 'MalformedDocument';
  /** Where in the text, from 0. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Reads one kind of value, or throws MalformedDocument; `path` is what messages call it. */
export interface Reader<T> {
  (node: JsonNode, path: string): T;
  /** As a member it may be missing. */
  readonly isOptional?: true;
}

/** A reader for each member: one that is forgotten does not compile. */
type MemberReaders<T> = {
  readonly [K in keyof T]-?: Reader<Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K]>;
};

/** Any text. */
export const text: Reader<string> = (node, path) => (node.type === 'string' ? node.value : fail(node, path, 'a text'));

/** Any number. */
export const number: Reader<number> = (node, path) => (node.type === 'number' ? Number(node.text) : fail(node, path, 'a number'));

/** A whole number, to the digit. */
export const integer: Reader<bigint> = (node, path) =>
  node.type === 'number' && /^-?\d+$/.test(node.text) ? BigInt(node.text) : fail(node, path, 'a whole number');

/** True or false. */
export const flag: Reader<boolean> = (node, path) =>
  node.type === 'literal' && node.value !== null ? node.value : fail(node, path, 'true or false');

/** Anything at all, as Kubernetes would read it. */
export const value: Reader<Value> = node => unstructuredOf(node);

/** An object of Kubernetes. */
export const valueMap: Reader<ValueMap> = (node, path) => {
  const read = unstructuredOf(node);
  return isMap(read) ? read : fail(node, path, 'an object');
};

/** One of these words. */
export function oneOf<T extends string>(...words: readonly T[]): Reader<T> {
  return (node, path) =>
    words.find(word => node.type === 'string' && node.value === word) ?? fail(node, path, `one of ${words.join(', ')}`);
}

/** A member that may be missing. */
export function optional<T>(reader: Reader<T>): Reader<T | undefined> {
  return Object.assign((node: JsonNode, path: string) => reader(node, path), { isOptional: true as const });
}

/** A member that may be null. */
export function nullable<T>(reader: Reader<T>): Reader<T | null> {
  return (node, path) => (node.type === 'literal' && node.value === null ? null : reader(node, path));
}

/** A list of such things. */
export function listOf<T>(item: Reader<T>): Reader<readonly T[]> {
  return (node, path) => (node.type === 'array' ? node.items.map((from, i) => item(from, `${path}[${i}]`)) : fail(node, path, 'a list'));
}

/** An object whose keys are anybody's. */
export function recordOf<T>(item: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (node, path) => {
    if (node.type !== 'object') return fail(node, path, 'an object');
    return Object.fromEntries(node.members.map(member => [member.key, item(member.value, `${path}.${member.key}`)]));
  };
}

/** An object with these members; others are passed over, as a later version may have more. */
export function object<T extends object>(members: MemberReaders<T>): Reader<T> {
  return (node, path) => {
    if (node.type !== 'object') return fail(node, path, 'an object');
    const found = new Map(node.members.map(member => [member.key, member.value]));
    const entries = (Object.entries(members) as [string, Reader<unknown>][]).flatMap(([key, read]) => {
      const from = found.get(key);
      const name = path === '' ? key : `${path}.${key}`;
      if (from !== undefined) return [[key, read(from, name)]];
      if (read.isOptional === true) return [];
      throw new MalformedDocument(`${name} is missing`, node.start);
    });
    return Object.fromEntries(entries) as T;
  };
}

/** One of several objects, told apart by the word under a key. */
export function unionBy<T>(key: string, readers: Readonly<Record<string, Reader<T>>>): Reader<T> {
  const word = oneOf(...Object.keys(readers));
  return (node, path) => {
    const from = node.type === 'object' ? node.members.findLast(member => member.key === key)?.value : undefined;
    if (from === undefined) throw new MalformedDocument(`${path}.${key} is missing`, node.start);
    const reader = readers[word(from, `${path}.${key}`)];
    return reader === undefined ? fail(from, path, 'known') : reader(node, path);
  };
}

function fail(node: JsonNode, path: string, wanted: string): never {
  throw new MalformedDocument(`${path === '' ? 'the document' : path} must be ${wanted}`, node.start);
}
