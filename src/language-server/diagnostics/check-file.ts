import { servedBy } from '../../apiserver/call/served-resources.js';
import { CliError } from '../../client/cli-error.js';
import { entriesIn, type LocatedManifest } from '../../client/manifests/manifests.js';
import { isStructural } from '../../client/run/state-after.js';
import { stringAt } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { isDefinition } from '../../kubernetes/definition-resources.js';
import { kindOf } from '../../kubernetes/storage.js';
import { newWrittenObjects } from '../../kubernetes/written-objects.js';
import { documentsOf, type FileDocument } from '../text/file-documents.js';
import { lineEnd, linesOf, offsetAt } from '../text/line-starts.js';
import { entryOf, type TextNode, targetOf } from '../text/text-node.js';
import { type AdmissionEffects, createObject } from './admission.js';
import type { Cause } from './causes.js';
import { duplicateKeys } from './duplicate-keys.js';
import { rangeOfCause, rangeOfNode } from './place-cause.js';
import type { Problem } from './problem.js';
import { stateWithout } from './state-without.js';

export interface Checking extends AdmissionEffects {
  readonly state: ClusterState;
  /** Lets other work of the process run; true if the result is no longer needed. */
  readonly isCancelled: () => Promise<boolean>;
}

/** An object of a file with its node. */
export interface CheckedObject {
  readonly manifest: LocatedManifest;
  readonly document: FileDocument;
  readonly root: TextNode;
}

export interface CheckedFile {
  readonly problems: readonly Problem[];
  readonly objects: readonly CheckedObject[];
}

/**
 * Returns what the API server would say to the creation of each object of a file, one after another. Documents that are not objects of Kubernetes have no
 * problems. Undefined if it was cancelled.
 */
export async function checkFile(text: string, checking: Checking): Promise<CheckedFile | undefined> {
  const problems: Problem[] = [];
  const objects: CheckedObject[] = [];
  let state: ClusterState = { ...checking.state, written: newWrittenObjects() };
  for (const document of documentsOf(text)) {
    if (!mayBeObject(document)) continue;
    for (const [index, entry] of entriesOf(document).entries()) {
      if (await checking.isCancelled()) return undefined;
      if (entry instanceof CliError) {
        if (!isTemplate(document)) problems.push(...entryProblems(entry, document));
        continue;
      }
      const root = rootOf(document, entry, index);
      if (root === undefined) continue;
      objects.push({ manifest: entry, document, root });
      const place: CheckedObject = { manifest: entry, document, root };
      const answer = await createObject(entry, stateWithout(state, entry.object), checking);
      if (answer.outcome === 'unusable') {
        problems.push(...unusableProblems(answer.error, place, state));
        continue;
      }
      if (isStructural(kindOf(entry.object))) state = answer.state;
      problems.push(...answer.errors.map(cause => problemOfCause(cause, 'error', place)));
      problems.push(...answer.warnings.map(cause => problemOfCause(cause, 'warning', place)));
    }
    problems.push(...duplicateKeyProblems(document));
  }
  return { problems, objects };
}

const memberPattern = (name: string): RegExp => new RegExp(String.raw`^(?:[\s{]*|.*[{,]\s*)["']?${name}["']?\s*:`, 'm');
const apiVersionMember = memberPattern('apiVersion');
const kindMember = memberPattern('kind');

/** Documents without apiVersion and kind are not for an API server. */
function mayBeObject({ text, badSeparator }: FileDocument): boolean {
  return badSeparator === undefined && apiVersionMember.test(text) && kindMember.test(text);
}

/** A template is not yet YAML. Text in braces may also be in a value, of a document that can be read. */
function isTemplate({ text }: FileDocument): boolean {
  return text.includes('{{');
}

/** Returns the objects of a document, or the reason why it has none; nothing for one without apiVersion and kind. */
function entriesOf({ text, tree }: FileDocument): readonly (LocatedManifest | CliError)[] {
  const root = tree();
  if (root !== undefined && !isObjectLike(root)) return [];
  return entriesIn({ source: '', bytes: Buffer.from(text) }).entries;
}

function isObjectLike(root: TextNode): boolean {
  return entryOf(root, 'apiVersion') !== undefined && entryOf(root, 'kind') !== undefined;
}

/** Returns the node of an object of a document: the root, or an item of a list. */
function rootOf({ tree }: FileDocument, { list }: LocatedManifest, index: number): TextNode | undefined {
  const root = tree();
  if (root === undefined || list === undefined) return root;
  const items = entryOf(root, 'items');
  const target = items === undefined ? undefined : targetOf(items.value);
  return target?.kind === 'list' ? target.items[index] : undefined;
}

/** Returns the problem of a document that kubectl does not send. */
function entryProblems({ message, location, suggestions }: CliError, { text, start }: FileDocument): Problem[] {
  const lines = linesOf(text);
  const offset = Math.min(offsetAt(lines, (location?.line ?? 1) - 1, (location?.column ?? 1) - 1), text.length);
  const from = offset < text.length ? offset : Math.max(0, text.trimEnd().length - 1);
  const whole = [message, ...suggestions].join('; ');
  return [
    { start: start + from, end: start + Math.max(from, lineEnd(text, from)), severity: 'error', source: 'webhook-cli', message: whole },
  ];
}

/** A kind that is unknown in a group of the API server or of a definition is an error; kinds of other groups are not checked. */
function unusableProblems(
  { code, message, suggestions }: CliError,
  { manifest, document, root }: CheckedObject,
  state: ClusterState,
): Problem[] {
  if (code === 'not-there-yet') return [];
  const [group = ''] = stringAt(manifest.object, 'apiVersion').split('/').slice(0, -1);
  if (code === 'unknown-kind' && !servedBy(state).resources.some(resource => resource.group === group)) return [];
  const entry = code === 'unknown-kind' ? entryOf(root, 'kind') : undefined;
  const { start, end } = entry === undefined ? firstLine(document, root) : rangeOfNode(document.text, { node: entry.value, entry });
  const whole = [message, ...suggestions].join('; ');
  return [{ start: document.start + start, end: document.start + end, severity: 'error', source: 'webhook-cli', code, message: whole }];
}

function firstLine({ text }: FileDocument, node: TextNode): { readonly start: number; readonly end: number } {
  return rangeOfNode(text, { node, entry: undefined });
}

function problemOfCause(cause: Cause, severity: Problem['severity'], { manifest, document, root }: CheckedObject): Problem {
  const { text, start } = document;
  const range = rangeOfCause({ text, root, isDefinition: isDefinition(manifest.object) }, cause);
  return {
    start: start + range.start,
    end: start + range.end,
    severity,
    source: 'kube-apiserver',
    code: cause.reason,
    message: cause.text,
  };
}

/** kubectl sends the last of duplicate keys, of which the API server learns nothing. */
function duplicateKeyProblems({ tree, start }: FileDocument): Problem[] {
  const root = tree();
  return root === undefined
    ? []
    : duplicateKeys(root).map(problem => ({ ...problem, start: problem.start + start, end: problem.end + start }));
}
