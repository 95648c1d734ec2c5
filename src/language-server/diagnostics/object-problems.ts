import { servedBy } from '../../apiserver/call/served-resources.js';
import type { CliError } from '../../client/cli-error.js';
import { stringAt, type ValueMap } from '../../go/value.js';
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
  { manifest, content: { text, format }, root }: DocumentObject,
): TextProblem {
  const range = rangeOfCause({ text, format, root, isDefinition: isDefinition(manifest.object) }, cause);
  return { ...range, severity, source: 'kube-apiserver', code: cause.reason, message: cause.text };
}

/** A kind that is unknown in a group of the API server or of a definition is an error; kinds of other groups, and files of clients, are not checked. */
function unusableProblems(
  { code, message, suggestions, cause }: CliError,
  { manifest, content, root }: DocumentObject,
  state: ClusterState,
): TextProblem[] {
  if (code === 'not-there-yet') return [];
  const isUnknownKind = code === 'unknown-kind';
  if (isUnknownKind && (isClientFile(manifest.object) || !isServedGroup(stringAt(manifest.object, 'apiVersion'), state))) return [];
  const entry = isUnknownKind ? entryOf(root, 'kind') : undefined;
  const range = rangeOfNode(content.text, { node: entry?.value ?? root, entry });
  // kubectl's text names the object and its file, which the editor shows anyway.
  const text = isUnknownKind && cause instanceof Error ? cause.message : message;
  return [{ ...range, severity: 'error', source: 'webhook-cli', code, message: [text, ...suggestions].join('; ') }];
}

/** Reports whether an apiVersion is one of a group that is served; `builtin` of kustomize is no version of the core group. */
function isServedGroup(apiVersion: string, state: ClusterState): boolean {
  const [version = '', ...groups] = apiVersion.split('/').reverse();
  const group = groups[0] ?? '';
  return /^v\d/.test(version) && servedBy(state).resources.some(resource => resource.group === group);
}

/** A kubeconfig has the apiVersion of the core group, but no API server sees it. */
function isClientFile(object: ValueMap): boolean {
  return stringAt(object, 'kind') === 'Config' && (object.has('clusters') || object.has('contexts'));
}

/** Returns the problem of a document that kubectl does not send. */
export function entryProblem({ message, location, suggestions }: CliError, { text }: DocumentText): TextProblem {
  const lines = linesOfText(text);
  const offset = Math.min(offsetAt(lines, (location?.line ?? 1) - 1, (location?.column ?? 1) - 1), text.length);
  const start = offset < text.length ? offset : Math.max(0, text.trimEnd().length - 1);
  const end = Math.max(start, lineEnd(text, start));
  return { start, end, severity: 'error', source: 'webhook-cli', message: [message, ...suggestions].join('; ') };
}
