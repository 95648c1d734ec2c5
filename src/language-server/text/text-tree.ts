import { composeFirst } from '../../encoding/yaml/compose.js';
import { decodeScalarKey } from '../../encoding/yaml/jsonable.js';
import type { YamlNode } from '../../encoding/yaml/nodes.js';
import { isMergeKey } from '../../encoding/yaml/resolve.js';
import type { JsonNode } from '../../go/json/node.js';
import { type Lines, lineEnd, linesOfText, offsetAt } from './line-starts.js';
import { afterProperties, scalarEnd, styleAt } from './scalar-end.js';
import type { AliasTextNode, ListTextNode, MapTextNode, ScalarTextNode, TextNode } from './text-node.js';

/** Returns the tree of a YAML document; undefined for an empty one. Offsets are in `text`, whose lines may end in any way. Throws YamlError. */
export function treeOfYaml(text: string): TextNode | undefined {
  const root = composeFirst(text.replaceAll('\r\n', '\n'));
  return root === undefined ? undefined : new YamlTree(text).nodeOf(root, 0);
}

/** Converts nodes with positions into nodes with ranges. */
class YamlTree {
  readonly #text: string;
  readonly #lines: Lines;
  /** Targets of aliases are converted once. */
  readonly #converted = new Map<YamlNode, TextNode>();

  constructor(text: string) {
    this.#text = text;
    this.#lines = linesOfText(text);
  }

  /** `notBefore`: a missing value is directly after its key, wherever the parser noticed it. */
  nodeOf(node: YamlNode, notBefore: number): TextNode {
    const known = this.#converted.get(node);
    if (known !== undefined) return known;
    const start = offsetAt(this.#lines, node.line, node.column);
    if (node.kind === 'alias') return this.#aliasOf(node, start);
    if (node.kind === 'scalar') return this.#keep(node, this.#scalarOf(node, start, notBefore));
    if (node.kind === 'sequence') return this.#listOf(node, start);
    return this.#mapOf(node, start);
  }

  #keep<T extends TextNode>(node: YamlNode, converted: T): T {
    this.#converted.set(node, converted);
    return converted;
  }

  #aliasOf(node: YamlNode & { readonly kind: 'alias' }, start: number): AliasTextNode {
    const target = this.nodeOf(node.target, 0);
    if (target.kind === 'alias') throw new Error('an alias leads to an alias');
    return { kind: 'alias', start, end: start + 1 + node.name.length, target };
  }

  #scalarOf(node: YamlNode & { readonly kind: 'scalar' }, mark: number, notBefore: number): ScalarTextNode {
    const { value, implicit } = node;
    const start = afterProperties(this.#text, mark);
    if (value === '' && implicit) return emptyAt(Math.min(mark, notBefore === 0 ? mark : lineEnd(this.#text, notBefore)));
    const style = styleAt(this.#text, start, value === '');
    return { kind: 'scalar', start, end: scalarEnd(this.#text, start, { style, value }), style, value };
  }

  #listOf(node: YamlNode & { readonly kind: 'sequence' }, start: number): ListTextNode {
    const list: ListTextNode & { end: number } = { kind: 'list', start, end: start, items: [] };
    this.#keep(node, list);
    for (const item of node.items) list.items.push(this.nodeOf(item, 0));
    list.end = this.#collectionEnd(start, Math.max(start, ...list.items.slice(-1).map(({ end }) => end)));
    return list;
  }

  #mapOf(node: YamlNode & { readonly kind: 'mapping' }, start: number): MapTextNode {
    const map: MapTextNode & { end: number } = { kind: 'map', start, end: start, entries: [] };
    this.#keep(node, map);
    for (const { key, value } of node.pairs) {
      const { start: keyStart, end: keyEnd } = this.nodeOf(key, 0);
      const isMerge = key.kind === 'scalar' && isMergeKey(key);
      map.entries.push({ key: isMerge ? undefined : keyText(key), isMerge, keyStart, keyEnd, value: this.nodeOf(value, keyEnd) });
    }
    map.end = this.#collectionEnd(start, map.entries.at(-1)?.value.end ?? start);
    return map;
  }

  /** A flow collection ends at its bracket, after the last item. */
  #collectionEnd(start: number, lastEnd: number): number {
    const first = this.#text[afterProperties(this.#text, start)];
    const close = first === '{' ? '}' : first === '[' ? ']' : undefined;
    if (close === undefined) return Math.max(lastEnd, start);
    const end = this.#text.indexOf(close, Math.max(lastEnd, start));
    return end < 0 ? Math.max(lastEnd, start) : end + 1;
  }
}

function keyText(key: YamlNode): string | undefined {
  try {
    return decodeScalarKey(key);
  } catch {
    return undefined;
  }
}

function emptyAt(offset: number): ScalarTextNode {
  return { kind: 'scalar', start: offset, end: offset, style: 'plain', value: '' };
}

/** Returns the tree of a JSON value. */
export function treeOfJson(node: JsonNode, text: string): TextNode {
  const { start, end } = node;
  if (node.type === 'array') return { kind: 'list', start, end, items: node.items.map(item => treeOfJson(item, text)) };
  if (node.type !== 'object') {
    const value = node.type === 'string' ? node.value : text.slice(start, end);
    return { kind: 'scalar', start, end, style: node.type === 'string' ? 'double' : 'plain', value };
  }
  const entries = node.members.map(({ key, keyStart, value }) => {
    const colon = text.lastIndexOf('"', value.start - 1);
    const keyEnd = colon > keyStart ? colon + 1 : keyStart + key.length + 2;
    return { key, isMerge: false, keyStart, keyEnd, value: treeOfJson(value, text) };
  });
  return { kind: 'map', start, end, entries };
}
