import { readFileSync } from 'node:fs';
import { structuredPatch } from 'diff';
import type { Value } from '../../go/value.js';
import type { SnapshotState } from '../results.js';
import { type Difference, firstDifference } from './first-difference.js';
import { readSnapshot, snapshotText, type UnusableSnapshot } from './snapshot-text.js';

/** A snapshot beside what a case led to now. */
export interface Comparison {
  readonly state: SnapshotState;
  /** What the file should hold. */
  readonly text: string;
  /** Undefined when it matched. */
  readonly diff: string | undefined;
  /** Undefined but for `mismatched`. */
  readonly difference: Difference | undefined;
}

/** Compares a snapshot's file with a document. Line ends and the layout of the YAML do not count. Fails with the system's error when the file cannot be read. */
export function compareSnapshot(file: string, document: Value): Comparison | UnusableSnapshot {
  const text = snapshotText(document);
  const stored = textOf(file);
  if (stored === undefined) return { state: 'new', text, diff: unifiedDiff('', text), difference: undefined };
  if (stored === text) return { state: 'matched', text, diff: undefined, difference: undefined };
  const read = readSnapshot(stored);
  if ('message' in read) return read;
  const difference = firstDifference(read.document, document);
  if (difference === undefined) return { state: 'matched', text, diff: undefined, difference };
  return { state: 'mismatched', text, diff: unifiedDiff(stored.replaceAll('\r\n', '\n'), text), difference };
}

/** The text of a small file; undefined when there is none. Read at once: for thousands of them the ways through the thread pool take longer than the reading. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The hunks of a unified diff, three lines of context. */
export function unifiedDiff(before: string, after: string): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  return hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines])
    .map(line => `${line}\n`)
    .join('');
}
