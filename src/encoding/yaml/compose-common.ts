import { atLineEnd, atNextContent, contentFrom, emptyScalarAt, moveBy, NotCommon, skipSpaces, startsEntry } from './common-lines.js';
import { flowCollectionAt, inlineScalarAt, isFlowStart, keyAt, startsKey } from './common-scalars.js';
import { type Cursor, cursorOf } from './cursor.js';
import type { YamlInput } from './input.js';
import type { MappingNode, SequenceNode, YamlNode } from './nodes.js';
import { YamlError } from './yaml-error.js';

/**
 * Parses a document of block collections with ordinary scalars, as kubectl and people write manifests, line by line: without tokens and events
 * it takes a quarter of the time. Returns undefined for everything else, errors included, which the complete parser has to read.
 */
export function composeCommon(input: YamlInput): YamlNode | undefined {
  if (input.portions !== undefined || otherBreaks.test(input.text)) return undefined;
  try {
    const cursor = cursorOf(input);
    contentFrom(cursor, afterDocumentStart(input.text), input.text.startsWith('---') ? 1 : 0);
    const root = blockAt(cursor, 0);
    return cursor.column < 0 ? root : undefined;
  } catch (error) {
    if (error instanceof NotCommon || error instanceof YamlError) return undefined;
    throw error;
  }
}

const otherBreaks = /[\r\x85\u2028\u2029]/;

/** Max nesting, because this parser is recursive. */
const maximumDepth = 100;

function afterDocumentStart(text: string): number {
  return documentStart.exec(text)?.[0].length ?? 0;
}

const documentStart = /^--- *(?:#.*)?\n/;

/** Parses the collection that starts at the cursor, the first content of its line or of its entry, and goes to the content after it. */
function blockAt(cursor: Cursor, depth: number): YamlNode {
  if (depth > maximumDepth) throw new NotCommon();
  return startsEntry(cursor) ? sequenceAt(cursor, depth) : mappingAt(cursor, depth);
}

function mappingAt(cursor: Cursor, depth: number): MappingNode {
  const { line, column } = cursor;
  const pairs: { readonly key: YamlNode; readonly value: YamlNode }[] = [];
  do pairs.push({ key: keyAt(cursor), value: mappingValue(cursor, column, depth) });
  while (cursor.column === column);
  if (cursor.column > column) throw new NotCommon();
  return { kind: 'mapping', line, column, pairs };
}

/** Parses the value after the colon of a key in that column. A sequence need not be indented. */
function mappingValue(cursor: Cursor, indent: number, depth: number): YamlNode {
  const empty = emptyScalarAt(cursor);
  skipSpaces(cursor);
  if (!atLineEnd(cursor)) return inlineValue(cursor, indent, depth);
  atNextContent(cursor);
  if (cursor.column > indent) return blockAt(cursor, depth + 1);
  return cursor.column === indent && startsEntry(cursor) ? sequenceAt(cursor, depth + 1) : empty;
}

function sequenceAt(cursor: Cursor, depth: number): SequenceNode {
  const { line, column } = cursor;
  const items: YamlNode[] = [];
  do items.push(entryAt(cursor, column, depth));
  while (cursor.column === column && startsEntry(cursor));
  if (cursor.column > column) throw new NotCommon();
  return { kind: 'sequence', line, column, items };
}

function entryAt(cursor: Cursor, indent: number, depth: number): YamlNode {
  moveBy(cursor, 1);
  const empty = emptyScalarAt(cursor);
  skipSpaces(cursor);
  if (atLineEnd(cursor)) {
    atNextContent(cursor);
    return cursor.column > indent ? blockAt(cursor, depth + 1) : empty;
  }
  if (startsEntry(cursor) || startsKey(cursor)) return blockAt(cursor, depth + 1);
  return inlineValue(cursor, indent, depth);
}

/** Parses a value on the line of its key or entry; `indent` is the column of the block around it. */
function inlineValue(cursor: Cursor, indent: number, depth: number): YamlNode {
  if (!isFlowStart(cursor)) return inlineScalarAt(cursor, indent);
  const node = flowCollectionAt(cursor, depth);
  atNextContent(cursor);
  return node;
}
