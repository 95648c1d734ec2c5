import type { FileChecker } from '../diagnostics/file-checker.js';
import type { TextProblem } from '../diagnostics/problem.js';
import type { CheckSurroundings } from '../editor-surroundings.js';
import type { FileDocument } from '../text/file-documents.js';
import type { Workspace } from '../workspace/workspace.js';

export interface DocumentCheck {
  readonly surroundings: CheckSurroundings;
  readonly workspace: Workspace;
  /** Lets other work of the process run; true if the result is no longer needed. */
  readonly isCancelled: () => Promise<boolean>;
}

/** A version of a file, and what is known about the versions before it. */
export interface FileVersion {
  readonly path: string;
  readonly text: string;
  readonly documents: readonly FileDocument[];
  readonly checker: FileChecker;
}

/** Returns the problems of a file of the editor, in the order of the text; undefined if the check was cancelled. */
export async function checkDocument(
  { path, text, documents, checker }: FileVersion,
  { surroundings, workspace, isCancelled }: DocumentCheck,
): Promise<readonly TextProblem[] | undefined> {
  const own = await surroundings.checkOwnFile(path, text);
  if (own !== undefined) return own;
  const state = await workspace.readState();
  if (await isCancelled()) return undefined;
  const { effects, uid, now, lintSubject, rulePage } = surroundings;
  const checked = await checker.check(documents, { state, effects, uid, now, isCancelled });
  const findings = checked === undefined ? undefined : await checker.lint(checked.objects, { state, lintSubject, rulePage, isCancelled });
  if (checked === undefined || findings === undefined) return undefined;
  return [...checked.problems, ...findings].sort((a, b) => a.start - b.start);
}
