import { entryOf, type MapTextEntry, type MapTextNode, type TextNode, targetOfAlias, textAt } from './text-node.js';

/** Node of a field, or the nearest one around it. */
export interface FieldInText {
  readonly node: TextNode;
  /** Entry of the node in its map; undefined for an item of a list and for the root. */
  readonly entry: MapTextEntry | undefined;
  /** The rest of the path, which the text does not have: empty if the field was found. */
  readonly missing: string;
}

/**
 * Finds the field of an error: `webhooks[0].rules[1].operations[0]`, `metadata.labels[a.b/c]`, `.spec.ports[port=80,protocol="TCP"]`. Names may contain dots:
 * the longest key that fits is taken.
 */
export function fieldInText(root: TextNode, field: string): FieldInText {
  let found: FieldInText = { node: root, entry: undefined, missing: field };
  for (let rest = field; rest !== ''; rest = found.missing) {
    const next = stepInto(found.node, rest);
    if (next === undefined) return { ...found, missing: rest };
    found = next;
  }
  return found;
}

function stepInto(node: TextNode, path: string): FieldInText | undefined {
  const target = targetOfAlias(node);
  if (target.kind === 'map') return intoMap(target, path);
  if (target.kind !== 'list') return undefined;
  const [whole = '', inside = ''] = /^\.?\[((?:"(?:[^"\\]|\\.)*"|[^\]])*)\]/.exec(path) ?? /^\.?(\d+)(?=\.|\[|$)/.exec(path) ?? [];
  if (whole === '') return undefined;
  const item = /^\d+$/.test(inside) ? target.items[Number(inside)] : target.items.find(candidate => hasKeys(candidate, inside));
  return item === undefined ? undefined : { node: item, entry: undefined, missing: path.slice(whole.length) };
}

function intoMap(map: MapTextNode, path: string): FieldInText | undefined {
  const open = path.startsWith('[') || path.startsWith('.[');
  const from = (path.startsWith('.') ? 1 : 0) + (open ? 1 : 0);
  const names = keysIn(map).filter(name => startsWithName(path.slice(from), name, open));
  const name = names.reduce<string | undefined>((longest, next) => (next.length > (longest ?? '').length ? next : longest), undefined);
  const entry = name === undefined ? undefined : entryOf(map, name);
  if (name === undefined || entry === undefined) return undefined;
  return { node: entry.value, entry, missing: path.slice(from + name.length + (open ? 1 : 0)) };
}

function startsWithName(path: string, name: string, inBrackets: boolean): boolean {
  if (name === '' || !path.startsWith(name)) return false;
  const after = path[name.length];
  return inBrackets ? after === ']' : after === undefined || after === '.' || after === '[';
}

/** Returns the keys of a map and of those merged into it. */
export function keysIn(node: TextNode, around: ReadonlySet<TextNode> = new Set()): string[] {
  const map = targetOfAlias(node);
  if (map.kind === 'list') return map.items.flatMap(item => keysIn(item, around));
  if (map.kind !== 'map' || around.has(map)) return [];
  const inside = new Set([...around, map]);
  return map.entries.flatMap(({ key, isMerge, value }) => (isMerge ? keysIn(value, inside) : key === undefined ? [] : [key]));
}

/** Has an item these keys, `port=80,protocol="TCP"`, or this value, `="a"`, or this name? */
function hasKeys(item: TextNode, inside: string): boolean {
  const pairs = [...inside.matchAll(/([^=,]*)=("(?:[^"\\]|\\.)*"|[^,]*)/g)];
  if (pairs.length === 0) return textAt(item) === inside || textAt(item, 'name') === inside;
  return pairs.every(([, key = '', value = '']) => textAt(item, ...(key === '' ? [] : [key])) === value.replace(/^"|"$/g, ''));
}
