import type { MapTextEntry, TextNode } from '../text/text-node.js';

/** A value of a document, its entry, and the maps and lists around it, the innermost first. */
export interface NodeAt {
  readonly node: TextNode;
  readonly entry: MapTextEntry | undefined;
  readonly around: readonly TextNode[];
}

/** Returns the outermost value below the root that starts at an offset; undefined if none does. */
export function nodeStartingAt(root: TextNode, offset: number): NodeAt | undefined {
  for (const at of nodesAround(root, offset)) if (at.around.length > 0 && at.node.start === offset) return at;
  return undefined;
}

/** Yields the values around an offset, the outermost first. Aliases are not followed: their values are elsewhere. */
export function* nodesAround(root: TextNode, offset: number): Generator<NodeAt> {
  let at: NodeAt | undefined = { node: root, entry: undefined, around: [] };
  while (at !== undefined) {
    yield at;
    at = childAt(at, offset);
  }
}

function childAt({ node, around }: NodeAt, offset: number): NodeAt | undefined {
  const inside = [node, ...around];
  if (node.kind === 'list') {
    const item = node.items.find(({ start, end }) => start <= offset && offset <= end);
    return item === undefined ? undefined : { node: item, entry: undefined, around: inside };
  }
  if (node.kind !== 'map') return undefined;
  const entry = node.entries.find(({ keyStart, value }) => keyStart <= offset && offset <= Math.max(value.end, keyStart));
  return entry === undefined ? undefined : { node: entry.value, entry, around: inside };
}
