import { parseIndex } from './array-index.js';
import { type ArrayContainer, goInto, type LazyContainer, type LazyNode, PatchPanic } from './lazy-node.js';
import { PatchError } from './patch-error.js';

/** Target of an operation: a member of an object, or an index of an array. */
export interface MemberPosition {
  readonly container: LazyContainer;
  /** Decoded key: `~1` is a slash. */
  readonly key: string;
}

/**
 * Returns the place of a path, whether a value exists there or not; undefined when a parent is missing. Text before the first slash is
 * dropped. Source: evanphx/json-patch v4 findObject.
 */
export function findContainer(root: LazyContainer, path: string): MemberPosition | undefined {
  const tokens = path.split('/').slice(1).map(decodeToken);
  const key = tokens.pop();
  if (key === undefined) return undefined;
  let container = root;
  for (const token of tokens) {
    const next = peek(container, token);
    const inside = next === null ? undefined : goInto(next);
    if (inside === undefined) return undefined;
    container = inside;
  }
  return { container, key };
}

/** Returns the node at a place; JavaScript's null where it is missing or null. Throws PatchError for an invalid index. */
export function getFrom(container: LazyContainer, key: string): LazyNode | null {
  if (container.type === 'object') return container.members?.get(key) ?? null;
  return container.items[existingIndex(container, key)] ?? null;
}

/** Adds a node at a place: inserts into an array, sets a member. Throws PatchError, PatchPanic for the document `null`. */
export function addTo(container: LazyContainer, key: string, node: LazyNode | null): void {
  if (container.type === 'object') {
    setIn(container, key, node);
    return;
  }
  if (key === '-') {
    container.items.push(node);
    return;
  }
  const parsed = parseIndex(key);
  if ('error' in parsed) throw new PatchError(`value was not a proper array index: '${key}': ${parsed.error}`);
  container.items.splice(position(parsed.index, container.items.length + 1), 0, node);
}

/** Replaces a node at an existing place. Throws as addTo. */
export function setIn(container: LazyContainer, key: string, node: LazyNode | null): void {
  if (container.type === 'array') {
    container.items[existingIndex(container, key)] = node;
    return;
  }
  if (container.members === undefined) throw new PatchPanic('assignment to entry in nil map');
  container.members.set(key, node);
}

/** Removes the node at a place. Throws PatchError when there is none. */
export function removeFrom(container: LazyContainer, key: string): void {
  if (container.type === 'array') container.items.splice(existingIndex(container, key), 1);
  else if (container.members?.delete(key) !== true) throw new PatchError(`Unable to remove nonexistent key: ${key}: missing value`);
}

function peek(container: LazyContainer, token: string): LazyNode | null {
  try {
    return getFrom(container, token);
  } catch (error) {
    if (error instanceof PatchError) return null;
    throw error;
  }
}

function existingIndex(container: ArrayContainer, key: string): number {
  const parsed = parseIndex(key);
  if ('error' in parsed) throw new PatchError(parsed.error);
  return position(parsed.index, container.items.length);
}

/** Returns the array position; negative indexes count from the end. */
function position(index: bigint, length: number): number {
  if (index >= BigInt(length) || index < -BigInt(length))
    throw new PatchError(`Unable to access invalid index: ${index}: invalid index referenced`);
  return Number(index < 0n ? index + BigInt(length) : index);
}

function decodeToken(token: string): string {
  return token.replace(/~[01]/g, mark => (mark === '~1' ? '/' : '~'));
}
