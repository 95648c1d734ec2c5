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
  #contents = new Map<string, DocumentText[]>();

  /** Returns the documents of a version of the file. */
  update(text: string): FileDocument[] {
    const before = this.#contents;
    const now = new Map<string, DocumentText[]>();
    const documents = partsOf(text).map(part => {
      // A new string: a part of the text of the file would keep all of it in memory.
      const key = `${part.format} ${part.badSeparator ?? ''}\n${text.slice(part.start, part.end)}`;
      const same = now.get(key) ?? [];
      const content = before.get(key)?.[same.length] ?? contentOf(key.slice(key.indexOf('\n') + 1), part);
      now.set(key, same);
      same.push(content);
      return { ...content, start: part.start, content };
    });
    this.#contents = now;
    return documents;
  }
}

/** Splits a file as kubectl does: YAML documents, or JSON values one after another. A file that only starts as JSON is one document. */
export function documentsOf(text: string): FileDocument[] {
  return new EditedFile().update(text);
}

/** Returns the document around an offset; an empty one where the file has none. */
export function documentAt(text: string, offset: number): FileDocument {
  const part = partsOf(text).findLast(({ start }) => start <= offset) ?? { start: 0, end: text.length, format: 'yaml' };
  const content = contentOf(text.slice(part.start, part.end), part);
  return { ...content, start: part.start, content };
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly format: DocumentText['format'];
  readonly badSeparator?: string;
}

function contentOf(text: string, { format, badSeparator }: Pick<Part, 'format' | 'badSeparator'>): DocumentText {
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
