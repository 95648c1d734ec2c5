import { JsonTypeError, unstructuredOf } from '../../encoding/unstructured.js';
import { isNullNode, jsonKind } from '../../go/json/node.js';
import { type JsonNode, JsonSyntaxError, readJson } from '../../go/json/reader.js';
import { compactRaw, compareKeys, goString } from '../../go/json/write.js';
import { stringAt, type Value } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { addTo, findContainer, getFrom, removeFrom, setIn } from './containers.js';
import {
  copyNode,
  equalNodes,
  type LazyContainer,
  type LazyNode,
  newNode,
  PatchPanic,
  type RawValue,
  readArray,
  readLazyObject,
  textOfContainer,
} from './lazy-node.js';
import { PatchDecodeError, PatchError } from './patch-error.js';

export { PatchPanic } from './lazy-node.js';
export { PatchDecodeError, PatchError } from './patch-error.js';

/** Decoded JSON patch. Operations are validated only when they are applied. */
export interface JsonPatch {
  readonly operations: readonly JsonPatchOperation[];
}

/** Members of one operation as texts; undefined is JSON's null. */
export type JsonPatchOperation = ReadonlyMap<string, RawValue | undefined>;

/** Max bytes that `copy` may add in one patch. Source: apiserver endpoints/handlers/patch.go. */
const copyLimit = 3145728;

/**
 * Parses a JSON patch; `null` is a patch without operations. Throws PatchDecodeError, whose message names the index of an operation where the server is v1.38 or
 * later: it is built with Go 1.27. Source: evanphx/json-patch v4 DecodePatch, encoding/json UnmarshalTypeError.
 */
export function decodeJsonPatch(patchText: string, server?: ApiServer): JsonPatch {
  const node = read(patchText, message => new PatchDecodeError(message));
  if (isNullNode(node)) return { operations: [] };
  if (node.type !== 'array') throw new PatchDecodeError(cannotUnmarshal(node, 'Patch'));
  const index = node.items.findIndex(item => item.type !== 'object' && !isNullNode(item));
  const wrong = node.items[index];
  if (wrong !== undefined)
    throw new PatchDecodeError(cannotUnmarshal(wrong, 'Operation', server?.since('v1.38') === true ? `Patch.${index}` : undefined));
  return { operations: node.items.map(item => operationOf(patchText, item)) };
}

/** Returns the patch as the audit annotation shows it: keys of operations sorted, values as sent, compact. */
export function encodeJsonPatch(patch: JsonPatch): string {
  const operations = patch.operations.map(operation => {
    const members = [...operation].sort(([a], [b]) => compareKeys(a, b));
    return `{${members.map(([key, raw]) => `${goString(key)}:${raw === undefined ? 'null' : compactRaw(rawValueText(raw))}`).join(',')}}`;
  });
  return `[${operations.join(',')}]`;
}

/** Returns the operations as values, for a report: those that name an operation; none at all if a number is beyond float64. */
export function patchValues({ operations }: JsonPatch): Value[] {
  try {
    return operations
      .map(members => new Map([...members].map(([key, raw]) => [key, raw === undefined ? null : unstructuredOf(raw.node)] as const)))
      .filter(operation => stringAt(operation, 'op') !== '');
  } catch (error) {
    if (error instanceof JsonTypeError) return [];
    throw error;
  }
}

/**
 * Applies a JSON patch to a document and returns the new document's text. All or nothing: throws PatchError with the library's message,
 * PatchPanic where the library panics. An empty document stays empty. Source: evanphx/json-patch v4 Patch.Apply; deviations from RFC 6902
 * are the API server's.
 */
export function applyJsonPatch(documentText: string, patch: JsonPatch): string {
  if (documentText === '') return '';
  const work: Work = { root: readDocument(documentText), copied: 0 };
  for (const operation of patch.operations) applyOperation(work, operation);
  return textOfContainer(work.root);
}

interface Work {
  root: LazyContainer;
  /** Bytes copied so far. */
  copied: number;
}

const missing = 'missing value';

function readDocument(text: string): LazyContainer {
  const node = read(text, message => new PatchError(message));
  const wanted = text.startsWith('[') ? 'array' : 'object';
  const root = wanted === 'array' ? readArray({ text, node }) : readLazyObject({ text, node });
  if (root === undefined) throw new PatchError(cannotUnmarshal(node, wanted === 'array' ? 'partialArray' : 'partialDoc'));
  return root;
}

function applyOperation(work: Work, operation: JsonPatchOperation): void {
  const op = memberText(operation, 'op');
  const kind = 'text' in op ? op.text : 'unknown';
  const apply = appliers.get(kind);
  if (apply === undefined) throw new PatchError(`Unexpected kind: ${kind}`);
  apply(work, operation);
}

const appliers: ReadonlyMap<string, (work: Work, operation: JsonPatchOperation) => void> = new Map([
  ['add', add],
  ['remove', remove],
  ['replace', replace],
  ['move', move],
  ['test', test],
  ['copy', copy],
]);

function add(work: Work, operation: JsonPatchOperation): void {
  const path = textOfMember(operation, 'path', () => `add operation failed to decode path: ${missing}`);
  const place = findContainer(work.root, path);
  if (place === undefined) throw new PatchError(`add operation does not apply: doc is missing path: "${path}": ${missing}`);
  wrap(`error in add for path: '${path}'`, () => addTo(place.container, place.key, newValue(operation)));
}

function remove(work: Work, operation: JsonPatchOperation): void {
  const path = textOfMember(operation, 'path', () => `remove operation failed to decode path: ${missing}`);
  const place = findContainer(work.root, path);
  if (place === undefined) throw new PatchError(`remove operation does not apply: doc is missing path: "${path}": ${missing}`);
  wrap(`error in remove for path: '${path}'`, () => removeFrom(place.container, place.key));
}

function replace(work: Work, operation: JsonPatchOperation): void {
  const path = textOfMember(operation, 'path', why => `replace operation failed to decode path: ${why}`);
  if (path === '') {
    work.root = newRoot(newValue(operation));
    return;
  }
  const place = findContainer(work.root, path);
  if (place === undefined) throw new PatchError(`replace operation does not apply: doc is missing path: ${path}: ${missing}`);
  if (!canGet(place)) throw new PatchError(`replace operation does not apply: doc is missing key: ${path}: ${missing}`);
  wrap(`error in remove for path: '${path}'`, () => setIn(place.container, place.key, newValue(operation)));
}

function newRoot(value: LazyNode | null): LazyContainer {
  if (value === null) throw new PatchPanic('the whole document is replaced by no value');
  const root = readLazyObject(value.raw) ?? readArray(value.raw);
  // Go formats a missing error here, a bug of the library.
  if (root === undefined) throw new PatchError('replace operation value must be object or array: %!w(<nil>)');
  return root;
}

function move(work: Work, operation: JsonPatchOperation): void {
  const from = textOfMember(operation, 'from', why => `move operation failed to decode from: ${why}`);
  const source = findContainer(work.root, from);
  if (source === undefined) throw new PatchError(`move operation does not apply: doc is missing from path: ${from}: ${missing}`);
  const value = wrap(`error in move for path: '${source.key}'`, () => {
    const found = getFrom(source.container, source.key);
    removeFrom(source.container, source.key);
    return found;
  });
  const path = textOfMember(operation, 'path', why => `move operation failed to decode path: ${why}`);
  const place = findContainer(work.root, path);
  if (place === undefined) throw new PatchError(`move operation does not apply: doc is missing destination path: ${path}: ${missing}`);
  wrap(`error in move for path: '${path}'`, () => addTo(place.container, place.key, value));
}

function test(work: Work, operation: JsonPatchOperation): void {
  const path = textOfMember(operation, 'path', why => `test operation failed to decode path: ${why}`);
  if (!passes(work, operation, path)) throw new PatchError(`testing value ${path} failed: test failed`);
}

function passes(work: Work, operation: JsonPatchOperation, path: string): boolean {
  const wanted = newValue(operation);
  if (path === '') return equalNodes({ raw: undefined, inside: work.root }, wanted);
  const place = findContainer(work.root, path);
  if (place === undefined) throw new PatchError(`test operation does not apply: is missing path: ${path}: ${missing}`);
  const found = wrap(`error in test for path: '${path}'`, () => getFrom(place.container, place.key));
  if (found === null) return wanted?.raw === undefined;
  return wanted !== null && equalNodes(found, wanted);
}

function copy(work: Work, operation: JsonPatchOperation): void {
  const from = textOfMember(operation, 'from', why => `copy operation failed to decode from: ${why}`);
  const source = findContainer(work.root, from);
  if (source === undefined) throw new PatchError(`copy operation does not apply: doc is missing from path: ${from}: ${missing}`);
  const found = wrap(`error in copy for from: '${from}'`, () => getFrom(source.container, source.key));
  const path = textOfMember(operation, 'path', () => `copy operation failed to decode path: ${missing}`);
  const place = findContainer(work.root, path);
  if (place === undefined) throw new PatchError(`copy operation does not apply: doc is missing destination path: ${path}: ${missing}`);
  const copied = copyNode(found);
  work.copied += copied.bytes;
  if (work.copied > copyLimit)
    throw new PatchError(
      `Unable to complete the copy, the accumulated size increase of copy is ${work.copied}, exceeding the limit ${copyLimit}`,
    );
  wrap('error while adding value during copy', () => addTo(place.container, place.key, copied.node));
}

function canGet({ container, key }: { readonly container: LazyContainer; readonly key: string }): boolean {
  try {
    getFrom(container, key);
    return true;
  } catch (error) {
    if (error instanceof PatchError) return false;
    throw error;
  }
}

function wrap<T>(context: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof PatchError) throw new PatchError(`${context}: ${error.message}`);
    throw error;
  }
}

/** Returns the operation's `value`: undefined when the member is missing, a node without text when it is null. */
function newValue(operation: JsonPatchOperation): LazyNode | null {
  return operation.has('value') ? newNode(operation.get('value')) : null;
}

function textOfMember(operation: JsonPatchOperation, member: 'path' | 'from', message: (why: string) => string): string {
  const found = memberText(operation, member);
  if ('text' in found) return found.text;
  const absent = member === 'path' ? 'operation missing path field' : 'operation, missing from field';
  throw new PatchError(message(found.error ?? `${absent}: ${missing}`));
}

function memberText(operation: JsonPatchOperation, member: string): { readonly text: string } | { readonly error: string | undefined } {
  const raw = operation.get(member);
  if (raw === undefined) return { error: undefined };
  if (raw.node.type === 'string') return { text: raw.node.value };
  return { error: `json: cannot unmarshal ${jsonKind(raw.node)} into Go value of type string` };
}

function operationOf(text: string, node: JsonNode): JsonPatchOperation {
  if (node.type !== 'object') return new Map();
  return new Map(node.members.map(m => [m.key, isNullNode(m.value) ? undefined : { text, node: m.value }]));
}

function read(text: string, failure: (message: string) => Error): JsonNode {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw failure(error.message);
    throw error;
  }
}

function cannotUnmarshal(node: JsonNode, type: string, place = 'Go value'): string {
  return `json: cannot unmarshal ${jsonKind(node)} into ${place} of type jsonpatch.${type}`;
}

function rawValueText({ text, node }: RawValue): string {
  return text.slice(node.start, node.end);
}
