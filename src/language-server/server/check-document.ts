import { checkFile } from '../diagnostics/check-file.js';
import { lintProblems } from '../diagnostics/lint-problems.js';
import type { Problem } from '../diagnostics/problem.js';
import { typeWarnings } from '../diagnostics/type-warnings.js';
import type { EditorSurroundings } from '../editor-surroundings.js';
import type { Workspace } from '../workspace/workspace.js';

export interface DocumentCheck {
  readonly surroundings: EditorSurroundings;
  readonly workspace: Workspace;
  readonly isCancelled: () => Promise<boolean>;
}

/** Returns the problems of a file of the editor, in the order of the text; undefined if the check was cancelled. */
export async function checkDocument(
  file: { readonly path: string; readonly text: string },
  { surroundings, workspace, isCancelled }: DocumentCheck,
): Promise<readonly Problem[] | undefined> {
  const own = await surroundings.checkOwnFile(file.path, file.text);
  if (own !== undefined) return own;
  const state = await workspace.state();
  if (await isCancelled()) return undefined;
  const { effects, uid, now, lintSubject, rulePage } = surroundings;
  const checked = await checkFile(file.text, { state, effects, uid, now, isCancelled });
  if (checked === undefined || (await isCancelled())) return undefined;
  const warnings = checked.objects.flatMap(object =>
    checked.problems.some(({ severity }) => severity === 'error') ? [] : typeWarnings(object, state),
  );
  if (await isCancelled()) return undefined;
  const found = [...checked.problems, ...warnings, ...(await lintProblems(checked.objects, { state, lintSubject, rulePage }))];
  return found.sort((a, b) => a.start - b.start);
}
