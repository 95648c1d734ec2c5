import { servedBy } from '../../apiserver/call/served-resources.js';
import type { CliError } from '../../client/cli-error.js';
import { stringAt } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { isDefinition } from '../../kubernetes/definition-resources.js';
import type { DocumentText } from '../text/file-documents.js';
import { lineEnd, linesOfText, offsetAt } from '../text/line-starts.js';
import { entryOf } from '../text/text-node.js';
import type { Admission } from './admission.js';
import type { DiagnosticCause } from './causes.js';
import type { DocumentObject } from './document-objects.js';
import { rangeOfCause, rangeOfNode } from './place-cause.js';
import type { TextProblem } from './problem.js';

/** Returns the problems of an object, with offsets in its document. */
export function objectProblems(answer: Admission, object: DocumentObject, state: ClusterState): TextProblem[] {
  if (answer.outcome === 'unusable') return unusableProblems(answer.error, object, state);
  return [
    ...answer.errors.map(cause => problemOfCause(cause, 'error', object)),
    ...answer.warnings.map(cause => problemOfCause(cause, 'warning', object)),
  ];
}

function problemOfCause(
  cause: DiagnosticCause,
  severity: TextProblem['severity'],
  { manifest, content: { text }, root }: DocumentObject,
): TextProblem {
  const range = rangeOfCause({ text, root, isDefinition: isDefinition(manifest.object) }, cause);
  return { ...range, severity, source: 'kube-apiserver', code: cause.reason, message: cause.text };
}

/** A kind that is unknown in a group of the API server or of a definition is an error; kinds of other groups are not checked. */
function unusableProblems(
  { code, message, suggestions }: CliError,
  { manifest, content, root }: DocumentObject,
  state: ClusterState,
): TextProblem[] {
  if (code === 'not-there-yet') return [];
  const [group = ''] = stringAt(manifest.object, 'apiVersion').split('/').slice(0, -1);
  if (code === 'unknown-kind' && !servedBy(state).resources.some(resource => resource.group === group)) return [];
  const entry = code === 'unknown-kind' ? entryOf(root, 'kind') : undefined;
  const range = rangeOfNode(content.text, { node: entry?.value ?? root, entry });
  return [{ ...range, severity: 'error', source: 'webhook-cli', code, message: [message, ...suggestions].join('; ') }];
}

/** Returns the problem of a document that kubectl does not send. */
export function entryProblem({ message, location, suggestions }: CliError, { text }: DocumentText): TextProblem {
  const lines = linesOfText(text);
  const offset = Math.min(offsetAt(lines, (location?.line ?? 1) - 1, (location?.column ?? 1) - 1), text.length);
  const start = offset < text.length ? offset : Math.max(0, text.trimEnd().length - 1);
  const end = Math.max(start, lineEnd(text, start));
  return { start, end, severity: 'error', source: 'webhook-cli', message: [message, ...suggestions].join('; ') };
}
