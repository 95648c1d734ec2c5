import { yamlChunks } from '../../encoding/yaml-chunks.js';
import { JsonSyntaxError, readJson, readValue } from '../../go/json/reader.js';
import { skipWhitespace } from '../../go/json/tokens.js';
import { lazy } from '../../kubernetes/memoize.js';
import type { TextNode } from './text-node.js';
import { treeOfJson, treeOfYaml } from './text-tree.js';

/** Text of a document, wherever it is in its file. */
export interface DocumentText {
  readonly text: string;
  readonly format: 'yaml' | 'json';
  /** Nodes with offsets in the document; undefined for an empty document and for one that cannot be read. */
  readonly tree: () => TextNode | undefined;
  /** Message of a line `---` with text after it, which ends the file for kubectl. */
  readonly badSeparator?: string | undefined;
}

/** A document of a file. */
export interface FileDocument extends DocumentText {
  /** Offset in the file, in UTF-16 units. */
  readonly start: number;
  /** The same value in all versions of the file in which the document has the same text. */
  readonly content: DocumentText;
}

/** A file that is being edited: documents whose text has not changed are read once. */
export class EditedFile {
  #contents: readonly DocumentText[] = [];

  /** Returns the documents of a version of the file. */
  update(text: string): FileDocument[] {
    const parts = partsOf(text);
    const before = this.#contents;
    const shorter = Math.min(parts.length, before.length);
    let head = 0;
    while (head < shorter && isSame(text, parts[head], before[head])) head += 1;
    let tail = 0;
    while (tail < shorter - head && isSame(text, parts.at(-1 - tail), before.at(-1 - tail))) tail += 1;
    // Each document has a content of its own, also where two have the same text.
    const others = new Set(before.slice(head, before.length - tail));
    const contents = parts.map((part, index) => {
      const unchanged = index < head ? before[index] : index >= parts.length - tail ? before.at(index - parts.length) : undefined;
      const content =
        unchanged ?? [...others].find(other => isSame(text, part, other)) ?? contentOf(text.slice(part.start, part.end), part);
      others.delete(content);
      return content;
    });
    this.#contents = contents;
    return contents.map((content, index) => ({ ...content, start: parts[index]?.start ?? 0, content }));
  }
}

/** Splits a file as kubectl does: YAML documents, or JSON values one after another. A file that only starts as JSON is one document. */
export function documentsOf(text: string): FileDocument[] {
  return new EditedFile().update(text);
}

/** Returns the document around an offset; an empty one where the file has none. */
export function documentAt(text: string, offset: number): FileDocument {
  const part = partsOf(text).findLast(({ start }) => start <= offset) ?? { start: 0, end: text.length, format: 'yaml' as const };
  const content = contentOf(text.slice(part.start, part.end), part);
  return { ...content, start: part.start, content };
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly format: DocumentText['format'];
  readonly badSeparator?: string;
}

function isSame(text: string, part: Part | undefined, content: DocumentText | undefined): boolean {
  if (part === undefined || content === undefined || content.text.length !== part.end - part.start) return false;
  return content.format === part.format && content.badSeparator === part.badSeparator && text.startsWith(content.text, part.start);
}

function contentOf(part: string, { format, badSeparator }: Pick<Part, 'format' | 'badSeparator'>): DocumentText {
  // A part of a string keeps the whole of it in memory: every version of the file.
  const text = String(JSON.parse(JSON.stringify(part)));
  const read = format === 'json' ? () => treeOfJson(readJson(text), text) : () => treeOfYaml(text);
  const tree = badSeparator === undefined ? lazy(() => treeOrNothing(read)) : () => undefined;
  return { text, format, tree, badSeparator };
}

function partsOf(text: string): Part[] {
  const from = text.startsWith('\ufeff') ? 1 : 0;
  return /^\s*\{/.test(text.slice(from, from + 4096)) ? jsonParts(text, from) : yamlParts(text, from);
}

function yamlParts(text: string, from: number): Part[] {
  const chunks = [...yamlChunks(text, from)];
  return chunks.map((chunk, index): Part => {
    const { start } = chunk;
    const end = chunks[index + 1]?.start ?? text.length;
    if ('message' in chunk) return { start, end, format: 'yaml', badSeparator: chunk.message };
    return { start, end: beforeSeparator(text, start, end), format: 'yaml' };
  });
}

/** The line `---` between two documents belongs to neither. */
function beforeSeparator(text: string, start: number, end: number): number {
  const line = text.lastIndexOf('\n', end - 2) + 1;
  return line > start && text.startsWith('---', line) ? line : end;
}

function jsonParts(text: string, from: number): Part[] {
  const parts: Part[] = [];
  try {
    for (let at = skipWhitespace(text, from); at < text.length; ) {
      const { end } = readValue(text, at);
      parts.push({ start: at, end, format: 'json' });
      at = skipWhitespace(text, end);
    }
    return parts;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return [{ start: from, end: text.length, format: 'yaml' }];
  }
}

/** What cannot be read has an error of its own; nesting may be deeper than the stack. */
function treeOrNothing(read: () => TextNode | undefined): TextNode | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
