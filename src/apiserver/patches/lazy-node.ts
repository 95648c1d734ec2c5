import { isNullNode } from '../../go/json/node.js';
import { type JsonNode, JsonSyntaxError, readJson } from '../../go/json/reader.js';
import { compactRaw, compareKeys, goString } from '../../go/json/write.js';
import { AbortedConnection } from '../../kubernetes/status.js';
import { TooDeep } from '../../kubernetes/too-deep.js';

/** Value as text: `text.slice(node.start, node.end)`, without surrounding white space. */
export interface RawValue {
  readonly text: string;
  readonly node: JsonNode;
}

/**
 * Value in a document being patched. It keeps its text until an operation descends into it, so untouched values keep their key order and
 * spelling. A `null` read from the document is JavaScript's null, while one added by an operation is a node without text: they behave
 * differently, so both exist here. Source: evanphx/json-patch v4 lazyNode.
 */
export interface LazyNode {
  readonly raw: RawValue | undefined;
  inside: LazyContainer | undefined;
}

/** Node that an operation descended into. */
export type LazyContainer = ObjectContainer | ArrayContainer;

export interface ObjectContainer {
  readonly type: 'object';
  /** undefined: Go's nil map, from the document `null`; it can be read but not written. */
  readonly members: Map<string, LazyNode | null> | undefined;
}

export interface ArrayContainer {
  readonly type: 'array';
  readonly items: (LazyNode | null)[];
}

/** Thrown where Go would panic. */
export class PatchPanic extends AbortedConnection {}

/** Returns an unparsed node; a raw `null` differs from an operation's `null`, which has no text. */
export function newNode(raw: RawValue | undefined): LazyNode {
  return { raw, inside: undefined };
}

/** Returns the value as an object; undefined for other types. JSON's `null` is an object without members. */
export function readLazyObject(raw: RawValue | undefined): ObjectContainer | undefined {
  if (raw === undefined) return undefined;
  const { text, node } = raw;
  if (isNullNode(node)) return { type: 'object', members: undefined };
  if (node.type !== 'object') return undefined;
  return { type: 'object', members: new Map(node.members.map(m => [m.key, nodeOf(text, m.value)])) };
}

/** Returns the value as an array; undefined for other types. JSON's `null` is an empty array. */
export function readArray(raw: RawValue | undefined): ArrayContainer | undefined {
  if (raw === undefined) return undefined;
  const { text, node } = raw;
  if (isNullNode(node)) return { type: 'array', items: [] };
  if (node.type !== 'array') return undefined;
  return { type: 'array', items: node.items.map(item => nodeOf(text, item)) };
}

/** Parses a node to descend into it; undefined for scalars and for a node without text. */
export function goInto(node: LazyNode): LazyContainer | undefined {
  if (node.raw === undefined) return undefined;
  const wanted = node.raw.node.type === 'array' ? 'array' : 'object';
  if (node.inside?.type === wanted) return node.inside;
  const inside = wanted === 'array' ? readArray(node.raw) : readLazyObject(node.raw);
  if (inside !== undefined) node.inside = inside;
  return inside;
}

/** Returns the text that Go writes for a node: keys sorted where an operation descended, the old text compacted elsewhere. */
function textOfNode(node: LazyNode | null): string {
  if (node === null) return 'null';
  if (node.inside !== undefined) return textOfContainer(node.inside);
  return node.raw === undefined ? 'null' : compactRaw(slice(node.raw));
}

/** Returns the text that Go writes for a container that an operation descended into. */
export function textOfContainer(container: LazyContainer): string {
  if (container.type === 'array') return `[${container.items.map(textOfNode).join(',')}]`;
  if (container.members === undefined) return 'null';
  const members = [...container.members].sort(([a], [b]) => compareKeys(a, b));
  return `{${members.map(([key, node]) => `${goString(key)}:${textOfNode(node)}`).join(',')}}`;
}

/** Returns a copy through text, as the operation `copy` makes, and its size in bytes. Throws TooDeep: earlier operations may have nested copies in copies. */
export function copyNode(node: LazyNode | null): { readonly node: LazyNode | null; readonly bytes: number } {
  if (node === null) return { node: null, bytes: 0 };
  const text = textOfNode(node);
  return { node: newNode({ text, node: readAgain(text) }), bytes: Buffer.byteLength(text) };
}

function readAgain(text: string): JsonNode {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new TooDeep(error.message);
    throw error;
  }
}

/**
 * Reports equality for the operation `test`: objects and arrays by their parts, scalars by their text. Comparing parses both, so their keys
 * are written sorted afterwards. Throws PatchPanic where Go dereferences a nil pointer. Source: evanphx/json-patch v4 lazyNode.equal.
 */
export function equalNodes(a: LazyNode | null, b: LazyNode | null): boolean {
  if (a === null) throw new PatchPanic('null is compared inside an array');
  if (a.inside === undefined && !tryObject(a) && !tryArray(a)) {
    if (b === null) throw new PatchPanic('a scalar is compared with nothing');
    return b.inside === undefined && slice(a.raw) === slice(b.raw);
  }
  if (b === null) throw new PatchPanic('an object or array is compared with nothing');
  if (a.inside?.type === 'object') {
    if (b.inside === undefined && !tryObject(b)) return false;
    return b.inside?.type === 'object' && equalMembers(a.inside.members, b.inside.members);
  }
  if (b.inside?.type !== 'array' && !tryArray(b)) return false;
  const left = a.inside?.items ?? [];
  const right = b.inside?.type === 'array' ? b.inside.items : [];
  return left.length === right.length && left.every((item, i) => equalNodes(item, right[i] ?? null));
}

function equalMembers(
  left: ReadonlyMap<string, LazyNode | null> = new Map(),
  right: ReadonlyMap<string, LazyNode | null> = new Map(),
): boolean {
  if (left.size !== right.size) return false;
  for (const [key, a] of left) {
    const b = right.get(key);
    if (b === undefined || (a === null) !== (b === null)) return false;
    if (a !== null && !equalNodes(a, b)) return false;
  }
  return true;
}

function tryObject(node: LazyNode): boolean {
  node.inside = readLazyObject(node.raw) ?? node.inside;
  return node.inside?.type === 'object';
}

function tryArray(node: LazyNode): boolean {
  node.inside = readArray(node.raw) ?? node.inside;
  return node.inside?.type === 'array';
}

function nodeOf(text: string, node: JsonNode): LazyNode | null {
  return isNullNode(node) ? null : newNode({ text, node });
}

function slice(raw: RawValue | undefined): string {
  return raw === undefined ? '' : raw.text.slice(raw.node.start, raw.node.end);
}
