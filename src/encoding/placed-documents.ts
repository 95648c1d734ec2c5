import type { Document, Pair, Node as YamlNode } from 'yaml';
import { type JsonNode, JsonSyntaxError, readValue } from '../go/json/reader.js';
import { skipWhitespace } from '../go/json/tokens.js';
import { ownMember } from '../go/own-members.js';
import { YamlError, yamlToJson } from './yaml.js';

/** Node of a text to edit, with offsets into the text. Anchors and tags precede `start`. */
export type PlacedNode = PlacedMap | PlacedList | PlacedScalar;

export interface PlacedMap {
  readonly kind: 'map';
  readonly start: number;
  readonly end: number;
  /** In flow style, with braces. */
  readonly flow: boolean;
  /** In document order, aliases followed; `merged` ones come from elsewhere and count if there is no other of the name. */
  readonly entries: readonly PlacedEntry[];
}

export interface PlacedEntry {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: PlacedNode;
  /** Range of the alias, if the value is one: `*ca`. */
  readonly alias: { readonly start: number; readonly end: number } | undefined;
  readonly merged: boolean;
}

export interface PlacedList {
  readonly kind: 'list';
  readonly start: number;
  readonly end: number;
  readonly items: readonly PlacedNode[];
}

export interface PlacedScalar {
  readonly kind: 'scalar';
  readonly start: number;
  readonly end: number;
  readonly style: 'plain' | 'single' | 'double' | 'block';
  readonly value: unknown;
}

/** Not valid YAML or JSON, or rejected by kubectl. Line and column count from 1. */
export class MalformedText extends Error {
  override readonly name = 'MalformedText';
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, place: { readonly line: number | undefined; readonly column: number | undefined }) {
    super(message);
    this.line = place.line;
    this.column = place.column;
  }
}

/**
 * Parses the documents of a YAML or JSON text with all positions, for edits that leave everything else unchanged. Throws MalformedText for
 * invalid text, also if only kubectl's YAML parser rejects it.
 */
export async function placeDocuments(text: string): Promise<{ readonly json: boolean; readonly documents: readonly PlacedNode[] }> {
  if (/^\s*[{[]/.test(text)) {
    const json = placeJson(text);
    if (!(json instanceof JsonSyntaxError)) return { json: true, documents: json };
    // YAML has braces, too; text that is not even YAML was meant to be JSON.
    return placeYaml(text).catch((error: unknown) => {
      throw error instanceof MalformedText ? malformedAt(text, json.offset, json.message) : error;
    });
  }
  return placeYaml(text);
}

function placeJson(text: string): PlacedNode[] | JsonSyntaxError {
  const documents: PlacedNode[] = [];
  try {
    for (let at = skipWhitespace(text, 0); at < text.length; ) {
      const { node, end } = readValue(text, at);
      documents.push(placedJson(node));
      at = skipWhitespace(text, end);
    }
    return documents;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
}

function placedJson(node: JsonNode): PlacedNode {
  const { start, end } = node;
  if (node.type === 'array') return { kind: 'list', start, end, items: node.items.map(placedJson) };
  if (node.type !== 'object') {
    return {
      kind: 'scalar',
      start,
      end,
      style: node.type === 'string' ? 'double' : 'plain',
      value: node.type === 'number' ? node.text : node.value,
    };
  }
  const entries = node.members.map(({ key, keyStart, value }) => ({
    ...{ key, keyStart, keyEnd: keyStart + JSON.stringify(key).length, value: placedJson(value), alias: undefined, merged: false },
  }));
  return { kind: 'map', start, end, flow: true, entries };
}

async function placeYaml(text: string): Promise<{ json: false; documents: PlacedNode[] }> {
  const yaml = await import('yaml');
  const documents = yaml.parseAllDocuments(text, { merge: true, prettyErrors: true, stringKeys: false, logLevel: 'silent' });
  const placed: PlacedNode[] = [];
  for (const document of 'empty' in documents ? [] : documents) {
    const [error] = document.errors;
    if (error !== undefined) {
      const [{ line, col } = { line: undefined, col: undefined }] = error.linePos ?? [];
      throw new MalformedText(firstLine(error.message), { line, column: col });
    }
    const contents = document.contents;
    if (contents !== null) placed.push(placedYaml(contents, { yaml, text, document, path: [] }));
    checkAsKubectl(text, document);
  }
  return { json: false, documents: placed };
}

/** Rejects texts that YAML 1.2 allows and kubectl's parser does not. */
function checkAsKubectl(text: string, { range }: Document): void {
  const [start, , end] = range ?? [0, 0, 0];
  try {
    yamlToJson(text.slice(start, end));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const line = Number(/line (\d+)/.exec(error.message)?.[1] ?? 1);
    throw new MalformedText(error.message.replace(/^yaml: (?:line \d+: )?/, ''), {
      line: linesBefore(text, start) + line,
      column: undefined,
    });
  }
}

interface Placing {
  readonly yaml: typeof import('yaml');
  readonly text: string;
  readonly document: Document;
  /** Nodes around this one: an alias to one of them would never end. */
  readonly path: readonly YamlNode[];
}

function placedYaml(node: YamlNode, placing: Placing): PlacedNode {
  const { yaml, text, document, path } = placing;
  const [start, end] = node.range ?? [0, 0];
  const inside = { ...placing, path: [...path, node] };
  if (yaml.isAlias(node)) {
    const target = node.resolve(document);
    if (target === undefined) throw malformedAt(text, start, `nothing is anchored as ${JSON.stringify(node.source)}`);
    if (path.includes(target)) return { kind: 'scalar', start, end, style: 'plain', value: null };
    return placedYaml(target, placing);
  }
  if (yaml.isSeq(node)) return { kind: 'list', start, end, items: node.items.filter(yaml.isNode).map(item => placedYaml(item, inside)) };
  if (yaml.isMap(node)) {
    const entries = node.items.flatMap(pair => entriesOf(pair, inside));
    return { kind: 'map', start, end, flow: node.flow === true, entries };
  }
  const scalar = yaml.isScalar(node) ? node : undefined;
  return { kind: 'scalar', start, end, style: ownMember(styles, String(scalar?.type)) ?? 'plain', value: scalar?.value };
}

const styles: Readonly<Record<string, PlacedScalar['style']>> = {
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_FOLDED: 'block',
  BLOCK_LITERAL: 'block',
};

function entriesOf({ key, value }: Pair, placing: Placing): PlacedEntry[] {
  const { yaml } = placing;
  if (!yaml.isScalar(key)) return [];
  const [keyStart, keyEnd] = key.range ?? [0, 0];
  const node = yaml.isNode(value) ? value : undefined;
  const placed = node === undefined ? emptyAt(keyEnd) : placedYaml(node, placing);
  const [start, end] = node?.range ?? [keyEnd, keyEnd];
  if (typeof key.value === 'symbol' || key.source === '<<') {
    const maps = placed.kind === 'list' ? placed.items : [placed];
    return maps.flatMap(map => (map.kind === 'map' ? map.entries.map(entry => ({ ...entry, merged: true })) : []));
  }
  return [
    { key: String(key.value), keyStart, keyEnd, value: placed, alias: yaml.isAlias(node) ? { start, end } : undefined, merged: false },
  ];
}

function emptyAt(offset: number): PlacedScalar {
  return { kind: 'scalar', start: offset, end: offset, style: 'plain', value: null };
}

function malformedAt(text: string, offset: number, message: string): MalformedText {
  const before = text.slice(0, offset);
  return new MalformedText(message, { line: linesBefore(text, offset) + 1, column: offset - before.lastIndexOf('\n') });
}

function linesBefore(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}
