import { yamlChunks } from '../../encoding/yaml-chunks.js';
import { JsonSyntaxError, readJson, readValue } from '../../go/json/reader.js';
import { skipWhitespace } from '../../go/json/tokens.js';
import { lazy } from '../../kubernetes/memoize.js';
import type { TextNode } from './text-node.js';
import { treeOfJson, treeOfYaml } from './text-tree.js';

/** A document of a file. */
export interface FileDocument {
  /** As in the file. */
  readonly text: string;
  /** Offset in the file, in UTF-16 units. */
  readonly start: number;
  /** Nodes with offsets in the file's document; undefined for an empty document and for one that cannot be read. */
  readonly tree: () => TextNode | undefined;
  /** Message of a line `---` with text after it, which ends the file for kubectl. */
  readonly badSeparator?: string;
}

/** Splits a file as kubectl does: YAML documents, or JSON values one after another. A file that only starts as JSON is one document. */
export function documentsOf(text: string): FileDocument[] {
  const from = text.startsWith('\ufeff') ? 1 : 0;
  return /^\s*\{/.test(text.slice(from, from + 4096)) ? jsonDocuments(text, from) : yamlDocuments(text, from);
}

function yamlDocuments(text: string, from: number): FileDocument[] {
  const documents: FileDocument[] = [];
  const chunks = [...yamlChunks(text, from)];
  for (const [index, chunk] of chunks.entries()) {
    const own = text.slice(chunk.start, chunks[index + 1]?.start ?? text.length);
    if ('message' in chunk) documents.push({ text: own, start: chunk.start, tree: () => undefined, badSeparator: chunk.message });
    else
      documents.push({
        text: withoutSeparator(own),
        start: chunk.start,
        tree: lazy(() => treeOrNothing(() => treeOfYaml(withoutSeparator(own)))),
      });
  }
  return documents;
}

/** The line `---` between two documents belongs to neither. */
function withoutSeparator(text: string): string {
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  return end > 0 && text.startsWith('---', end) ? text.slice(0, end) : text;
}

function jsonDocuments(text: string, from: number): FileDocument[] {
  const documents: FileDocument[] = [];
  try {
    for (let at = skipWhitespace(text, from); at < text.length; ) {
      const { end } = readValue(text, at);
      const own = text.slice(at, end);
      documents.push({ text: own, start: at, tree: lazy(() => treeOrNothing(() => treeOfJson(readJson(own), own))) });
      at = skipWhitespace(text, end);
    }
    return documents;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return [{ text: text.slice(from), start: from, tree: lazy(() => treeOrNothing(() => treeOfYaml(text.slice(from)))) }];
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
