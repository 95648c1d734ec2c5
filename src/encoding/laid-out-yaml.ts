import { isList, isMap, type Value, type ValueMap } from '../go/value.js';
import { escapedYaml, maxSimpleKey, plainOrQuotedYaml, yamlKey } from './yaml-writer.js';

/** A member of a block, with a comment after its first line. */
export interface LaidOutEntry {
  readonly key: string;
  readonly value: Layout;
  readonly comment?: string;
}

/** A line of its own that is a comment. */
export interface Note {
  readonly note: string;
}

/** Members that are a comment, for users who remove the `#`. */
export interface Disabled {
  readonly disabled: readonly LaidOutEntry[];
}

/** A value, and how it is written: in one line, or as a block. */
export type Layout =
  | { readonly flow: Value }
  | { readonly plain: string }
  | { readonly block: readonly (LaidOutEntry | Note | Disabled)[] }
  | { readonly items: readonly Layout[] };

/** A YAML text, and the value that every parser has to find in it. */
export interface LaidOutYaml {
  readonly text: string;
  readonly value: Value;
}

/**
 * Writes YAML for people, with comments and the order of keys as given. Texts are values, whatever they contain: in quotes where they are not a plain word, and comments
 * stay on their line.
 */
export function layOutYaml(layout: Layout): LaidOutYaml {
  return { text: `${linesOf(layout).join('\n')}\n`, value: valueIn(layout) };
}

function linesOf(layout: Layout): string[] {
  if ('flow' in layout) return [flowText(layout.flow)];
  if ('plain' in layout) return [plainOrQuotedYaml(layout.plain)];
  if ('items' in layout) {
    return layout.items.flatMap(item => {
      const [first = '', ...rest] = linesOf(item);
      return [`- ${first}`, ...rest.map(line => `  ${line}`)];
    });
  }
  return layout.block.flatMap(part => {
    if ('note' in part) return [commentOf(part.note)];
    return 'disabled' in part ? part.disabled.flatMap(entryLines).map(line => `# ${line}`) : entryLines(part);
  });
}

function entryLines({ key, value, comment }: LaidOutEntry): string[] {
  const lines = linesOf(value);
  const after = comment === undefined ? '' : `  ${commentOf(comment)}`;
  if ('block' in value) return [...yamlKey(key, after), ...lines.map(line => `  ${line}`)];
  if ('items' in value) return [...yamlKey(key, after), ...lines];
  return yamlKey(key, ` ${lines.join('')}${after}`);
}

function commentOf(text: string): string {
  return `# ${escapedYaml(text)}`;
}

function flowText(value: Value): string {
  if (isMap(value)) return `{${[...value].map(([key, member]) => `${flowKey(flowText(key))}: ${flowText(member)}`).join(', ')}}`;
  if (isList(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value !== 'string') return String(value);
  return isWord(value) ? value : escapedYaml(JSON.stringify(value));
}

function flowKey(key: string): string {
  return key.length > maxSimpleKey ? `? ${key} ` : key;
}

/** Paths, names and versions need no quotes, also where brackets and commas are syntax. */
function isWord(text: string): boolean {
  return /^[\w./$][\w./$@-]*$/.test(text) && plainOrQuotedYaml(text) === text;
}

function valueIn(layout: Layout): Value {
  if ('flow' in layout) return layout.flow;
  if ('plain' in layout) return layout.plain;
  if ('items' in layout) return layout.items.map(valueIn);
  const map: ValueMap = new Map();
  for (const part of layout.block) if ('key' in part) map.set(part.key, valueIn(part.value));
  return map;
}
