/** Node of a YAML or JSON text. Offsets are in UTF-16 units of the document's text. */
export type TextNode = MapTextNode | ListTextNode | ScalarTextNode | AliasTextNode;

export interface MapTextNode {
  readonly kind: 'map';
  readonly start: number;
  readonly end: number;
  /** In document order, with duplicates and merge keys. */
  readonly entries: MapTextEntry[];
}

export interface MapTextEntry {
  /** Key as in JSON; undefined for a merge key, and for a key that JSON cannot have. */
  readonly key: string | undefined;
  readonly isMerge: boolean;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: TextNode;
}

export interface ListTextNode {
  readonly kind: 'list';
  readonly start: number;
  readonly end: number;
  readonly items: TextNode[];
}

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

export interface ScalarTextNode {
  readonly kind: 'scalar';
  readonly start: number;
  readonly end: number;
  readonly style: ScalarStyle;
  /** Text of a string, or of any other scalar as written. */
  readonly value: string;
}

export interface AliasTextNode {
  readonly kind: 'alias';
  readonly start: number;
  readonly end: number;
  /** Never an alias. */
  readonly target: MapTextNode | ListTextNode | ScalarTextNode;
}

/** Follows an alias. */
export function targetOfAlias(node: TextNode): MapTextNode | ListTextNode | ScalarTextNode {
  return node.kind === 'alias' ? node.target : node;
}

/** Returns the entry that sets a key, the last one of several, possibly in a merged map. */
export function entryOf(node: TextNode, key: string): MapTextEntry | undefined {
  return entryWithin(targetOfAlias(node), key, new Set());
}

/** `around` holds the maps being searched: an anchor may be merged into itself. */
function entryWithin(map: TextNode, key: string, around: Set<TextNode>): MapTextEntry | undefined {
  if (map.kind !== 'map' || around.has(map)) return undefined;
  const own = map.entries.findLast(entry => entry.key === key);
  if (own !== undefined) return own;
  around.add(map);
  let found: MapTextEntry | undefined;
  for (const { isMerge, value } of map.entries) {
    if (!isMerge) continue;
    const merged = targetOfAlias(value);
    for (const part of merged.kind === 'list' ? merged.items.toReversed() : [merged])
      found = entryWithin(targetOfAlias(part), key, around) ?? found;
  }
  around.delete(map);
  return found;
}

/** Returns the value of a string member; empty if there is none. */
export function textAt(node: TextNode | undefined, ...keys: readonly string[]): string {
  let at = node;
  for (const key of keys) at = at === undefined ? undefined : entryOf(at, key)?.value;
  const target = at === undefined ? undefined : targetOfAlias(at);
  return target?.kind === 'scalar' ? target.value : '';
}
