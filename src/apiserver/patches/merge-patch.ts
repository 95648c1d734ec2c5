import { type JsonNode, JsonSyntaxError, readJson } from '../../go/json/reader.js';
import { type LazyNode, type ObjectContainer, readArray, readLazyObject, textOfContainer } from './lazy-node.js';
import { PatchError } from './patch-error.js';

/**
 * Applies a JSON merge patch (RFC 7386) to a document and returns the new text. Objects that the patch changes are written with sorted
 * keys, the rest keeps its text. Throws PatchError: `Invalid JSON Document`, `Invalid JSON Patch`. Source: evanphx/json-patch v4
 * MergePatch.
 */
export function applyMergePatch(documentText: string, patchText: string): string {
  const documentNode = readOrFail(documentText, 'Invalid JSON Document');
  const patchNode = readOrFail(patchText, 'Invalid JSON Patch');
  const document = readLazyObject({ text: documentText, node: documentNode });
  const patch = readLazyObject({ text: patchText, node: patchNode });
  if (document !== undefined && document.members === undefined) throw new PatchError('Invalid JSON Document');
  if (patch !== undefined && patch.members === undefined) throw new PatchError('Invalid JSON Patch');
  if (patch === undefined) return replacement(patchText, patchNode);
  if (document === undefined) {
    pruneMembers(patch);
    return textOfContainer(patch);
  }
  mergeMembers(document, patch);
  return textOfContainer(document);
}

function readOrFail(text: string, message: string): JsonNode {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new PatchError(message);
    throw error;
  }
}

/** Returns the text of a patch that is an array, which replaces the document; throws for a scalar. */
function replacement(text: string, node: JsonNode): string {
  const array = readArray({ text, node });
  if (array === undefined) throw new PatchError('Invalid JSON Patch');
  for (const item of array.items) if (item !== null) pruneNulls(item);
  return textOfContainer(array);
}

function mergeMembers(document: ObjectContainer, patch: ObjectContainer): void {
  for (const [key, wanted] of patch.members ?? []) {
    if (wanted === null) document.members?.delete(key);
    else document.members?.set(key, merged(document.members.get(key) ?? null, wanted));
  }
}

function merged(current: LazyNode | null, wanted: LazyNode): LazyNode {
  const into = current === null ? undefined : objectOf(current);
  if (current === null || into === undefined) {
    pruneNulls(wanted);
    return wanted;
  }
  const patch = objectOf(wanted);
  if (patch === undefined) return wanted;
  mergeMembers(into, patch);
  return current;
}

/** Removes nulls from new values, also in objects within arrays. */
function pruneNulls(node: LazyNode): void {
  const object = objectOf(node);
  if (object !== undefined) {
    pruneMembers(object);
    return;
  }
  const array = readArray(node.raw);
  if (array === undefined) return;
  node.inside = array;
  for (const item of array.items) if (item !== null) pruneNulls(item);
}

function pruneMembers(object: ObjectContainer): void {
  for (const [key, node] of object.members ?? []) {
    if (node === null) object.members?.delete(key);
    else pruneNulls(node);
  }
}

function objectOf(node: LazyNode): ObjectContainer | undefined {
  if (node.inside?.type === 'object') return node.inside;
  const object = readLazyObject(node.raw);
  if (object !== undefined) node.inside = object;
  return object;
}
