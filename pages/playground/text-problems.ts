import { effectsFor } from '../../src/cli/shell/effects.js';
import { lintSubjectOf } from '../../src/cli/work/lint/lint-subject.js';
import type { ClusterState } from '../../src/kubernetes/api-call.js';
import { FileChecker } from '../../src/language-server/diagnostics/file-checker.js';
import { documentsOf } from '../../src/language-server/text/file-documents.js';
import type { EditorName, Problem } from './model.js';

/** Returns what the language server says of the text of an editor, in a state of the other editors: causes at their places, expressions included. */
export async function textProblems(editor: EditorName, text: string, state: ClusterState): Promise<Problem[]> {
  const now = (): Date => new Date();
  const isCancelled = async (): Promise<boolean> => false;
  const checker = new FileChecker();
  const admission = { effects: effectsFor, uid: () => crypto.randomUUID(), now };
  const checked = await checker.check(documentsOf(text), { state, isCancelled, ...admission });
  if (checked === undefined) return [];
  const found = await checker.lint(checked.objects, {
    ...{ state, isCancelled, rulePage: () => undefined },
    lintSubject: (server, manifests) => lintSubjectOf(server, manifests, now()),
  });
  return [...checked.problems, ...(found ?? [])].map(({ start, end, severity, source, code, message }) => ({
    ...{ editor, severity, range: { start, end } },
    message: source === 'webhook-cli' && code !== undefined ? `${code}: ${message}` : message,
    line: text.slice(0, start).split('\n').length,
  }));
}
