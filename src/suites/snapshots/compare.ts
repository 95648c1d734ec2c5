import { structuredPatch } from 'diff/lib/patch/create.js';
import { readRegularFile } from '../../files/read-file.js';
import type { Value } from '../../go/value.js';
import type { SnapshotState } from '../results.js';
import { canonicalSnapshot } from './canonical.js';
import { firstDifference, type SnapshotDifference } from './first-difference.js';
import { producedText } from './produced-text.js';
import { readSnapshot, snapshotText, type UnusableSnapshot } from './snapshot-text.js';

/** Comparison of a snapshot with the current result of a case. */
export interface SnapshotComparison {
  readonly state: SnapshotState;
  /** The expected content of the file. */
  readonly text: string;
  /** Undefined when it matched. */
  readonly diff: string | undefined;
  /** Undefined except for `mismatched`. */
  readonly difference: SnapshotDifference | undefined;
}

/**
 * Compares a snapshot's file with a document. Line ends and the layout of the YAML are ignored, and so is order without effect. Rejects with the system's error when the
 * file cannot be read.
 */
export function compareSnapshot(file: string, produced: Value): SnapshotComparison | UnusableSnapshot {
  const text = producedText(produced);
  const stored = textOfSnapshot(file);
  if (stored === undefined) return { state: 'new', text, diff: snapshotDiff('', text), difference: undefined };
  if (stored === text) return { state: 'matched', text, diff: undefined, difference: undefined };
  const read = readSnapshot(stored);
  if ('message' in read) return read;
  const before = canonicalSnapshot(read.document);
  const difference = firstDifference(before, canonicalSnapshot(produced));
  if (difference === undefined) return { state: 'matched', text, diff: undefined, difference };
  return { state: 'mismatched', text, diff: snapshotDiff(snapshotText(before), text), difference };
}

/**
 * The text of a small file; undefined when there is none. Synchronous: for thousands of files the thread pool takes longer than the
 * reading.
 */
export function textOfSnapshot(file: string): string | undefined {
  try {
    return readRegularFile(file).toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The hunks of a unified diff, with three lines of context. */
export function snapshotDiff(before: string, after: string): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  return hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines])
    .map(line => `${line}\n`)
    .join('');
}

/** Returns the number of the first line that a diff changes, from 1, in the text before; the line after it where lines are only added. */
export function firstChangedLine(diff: string): number | undefined {
  const [header = '', ...lines] = diff.split('\n');
  const start = /^@@ -(\d+)/.exec(header)?.[1];
  const at = lines.findIndex(line => /^[+-]/.test(line));
  return start === undefined || at < 0 ? undefined : Number(start) + at;
}
