import { effectsFor } from '../../src/cli/shell/effects.js';
import { lintSubjectOf } from '../../src/cli/work/lint/lint-subject.js';
import { CliError } from '../../src/client/cli-error.js';
import type { StepResult } from '../../src/client/run/step-result.js';
import type { ClusterState } from '../../src/kubernetes/api-call.js';
import { causesOf, messageCause } from '../../src/language-server/diagnostics/causes.js';
import { type CheckedObject, objectsIn } from '../../src/language-server/diagnostics/document-objects.js';
import { FileChecker } from '../../src/language-server/diagnostics/file-checker.js';
import { objectProblems } from '../../src/language-server/diagnostics/object-problems.js';
import type { TextProblem } from '../../src/language-server/diagnostics/problem.js';
import { documentsOf } from '../../src/language-server/text/file-documents.js';
import { metadata } from './cluster.js';
import type { EditorName, Problem } from './model.js';

/** Returns what the language server says of the text of an editor, in a state of the other editors: causes at their places, expressions included. */
export async function textProblems(editor: EditorName, text: string, state: ClusterState): Promise<Problem[]> {
  const { problems, findings } = await checkText(text, state);
  return [...problems, ...findings].map(problem => problemIn(editor, text, problem));
}

/** Problems of the text of manifests that their calls do not answer with. */
const besideCalls: readonly (string | undefined)[] = ['duplicate-key', 'TypeChecking'];

/** Returns what the language server says of manifests besides the answers to their calls. */
export async function manifestProblems(text: string, state: ClusterState): Promise<Problem[]> {
  const { problems, findings } = await checkText(text, state);
  return [...problems.filter(({ code }) => besideCalls.includes(code)), ...findings].map(problem => problemIn('manifest', text, problem));
}

interface CheckedText {
  readonly problems: readonly TextProblem[];
  /** Findings of lint. */
  readonly findings: readonly TextProblem[];
}

async function checkText(text: string, state: ClusterState): Promise<CheckedText> {
  const isCancelled = async (): Promise<boolean> => false;
  const checker = new FileChecker();
  const checked = await checker.check(documentsOf(text), { state, isCancelled, effects: effectsFor, ...metadata });
  if (checked === undefined) return { problems: [], findings: [] };
  const findings = await checker.lint(checked.objects, {
    ...{ state, isCancelled, rulePage: () => undefined },
    lintSubject: (server, manifests) => lintSubjectOf(server, manifests, metadata.now()),
  });
  return { problems: checked.problems, findings: findings ?? [] };
}

/** Returns the objects of manifests, with their places. */
export function objectsInText(text: string): CheckedObject[] {
  return documentsOf(text).flatMap(({ content, start }) =>
    objectsIn(content).flatMap(found => (found instanceof CliError ? [] : [{ ...found, start }])),
  );
}

/** Returns the causes of a refusal and the warnings of a call where the language server shows those of a creation. */
export function answerProblems({ report, state }: StepResult & { outcome: 'answered' }, object: CheckedObject, text: string): Problem[] {
  const { allowed, status, warnings } = report.report.decision;
  const errors = allowed ? [] : causesOf(status);
  const warned = warnings.map(warning => messageCause(warning, 'Warning'));
  return objectProblems({ outcome: 'answered', errors, warnings: warned, state }, object, state).map(problem =>
    problemIn('manifest', text, { ...problem, start: object.start + problem.start, end: object.start + problem.end }),
  );
}

function problemIn(editor: EditorName, text: string, { start, end, severity, source, code, message }: TextProblem): Problem {
  return {
    ...{ editor, severity, range: { start, end } },
    message: source === 'webhook-cli' && code !== undefined ? `${code}: ${message}` : message,
    line: text.slice(0, start).split('\n').length,
  };
}
