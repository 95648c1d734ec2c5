import type { TextProblem } from './diagnostics/problem.js';

/** Checks of open files in a thread of their own, so that none blocks the messages of the editor. */
export interface ThreadChecks {
  /** Takes over a version of an open file; the check of an older one ends. Returns whether the state changes in which other files are checked. */
  readonly open: (uri: string, text: string) => Promise<boolean>;
  /** The file counts as it is on disk again. Returns whether the state changes. */
  readonly close: (uri: string) => Promise<boolean>;
  /** Reads files again that have changed on disk. Returns whether the state may change. */
  readonly reread: (paths: readonly string[]) => Promise<boolean>;
  /** Returns the problems of the newest version of an open file; undefined if a newer one came meanwhile, and for a file that is not open. */
  readonly check: (uri: string) => Promise<readonly TextProblem[] | undefined>;
}

/** A thread with checks. Its functions reject when it has ended. */
export interface CheckThread extends ThreadChecks {
  readonly end: () => void;
}

/** Size in UTF-16 units from which checking a file may block a thread for longer than a key press may wait. */
const largeFile = 50_000;

/** Returns whether a text should be checked in a thread of its own. */
export function isLarge(text: string): boolean {
  return text.length >= largeFile;
}
