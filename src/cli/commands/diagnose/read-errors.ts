import type { Stage } from '../../../apiserver/webhooks/failures/cause.js';
import { causeOf, conversionCauseOf, readReason, refusalOfFailure, unnamedCauseAt } from '../../../apiserver/webhooks/failures/cause-of.js';
import type { ErrorFault, MatchedError } from '../../../client/errors/known-error.js';
import { knownErrorsIn } from '../../../client/errors/known-errors.js';
import type { FailureClass } from '../../../kubernetes/webhook-call.js';
import { type Candidate, readingsOf } from './split-text.js';

/** An error of the API server, or of one of its clients, found in a text. */
export interface FoundError {
  readonly message: string;
  readonly cause: {
    readonly id: string;
    readonly class: FailureClass | null;
    readonly fault: ErrorFault;
    readonly why: string;
    readonly try: string;
  };
  /** What failed: the call of an admission webhook, a conversion, or no call (a refusal). */
  readonly what: 'admission' | 'conversion' | 'refusal';
  readonly stage: Stage | undefined;
  readonly webhook: string | undefined;
  readonly url: string | undefined;
  /** Operation and file in kubectl's line. */
  readonly operation: string | undefined;
  readonly file: string | undefined;
  /** Error of no webhook: more about it, and its command. */
  readonly known: MatchedError | undefined;
}

/**
 * Finds errors of the API server in a text: kubectl's lines, a Status, log lines, events. Reads the text in several ways, and takes the
 * first in which an error is found that is not a general one. Errors without a prefix of the API server are reported only when there
 * is none with a prefix. Removes duplicates.
 */
export function readErrors(text: string): FoundError[] {
  const readings = readingsOf(text);
  let general: FoundError[] = [];
  for (const messages of readings) {
    const found = withoutRepetitions(messages.flatMap(candidate => foundBy(errorsIn, candidate)));
    if (found.some(error => error.known?.isGeneral !== true)) return found;
    if (general.length === 0) general = found;
  }
  if (general.length > 0) return general;
  for (const messages of readings) {
    const found = withoutRepetitions(messages.flatMap(candidate => foundBy(text => bareErrorIn(text) ?? [], candidate)));
    if (found.length > 0) return found;
  }
  return [reasonIn(text) ?? []].flat();
}

/** Returns the errors that a text quotes; those of the text itself if there are none. */
function foundBy(read: (text: string) => readonly FoundError[] | FoundError, { text, quoted }: Candidate): FoundError[] {
  const found = quoted.flatMap(read);
  return found.length > 0 ? found : [read(text)].flat();
}

/** Leaves out messages of JSON that are also parts of their line. */
function withoutRepetitions(errors: readonly FoundError[]): FoundError[] {
  const isRepeated = (error: FoundError, i: number): boolean =>
    errors.some((other, j) => j < i && (other.message === error.message || (other.cause.id === error.cause.id && isSame(other, error))));
  return errors.filter((error, i) => !isRepeated(error, i));
}

function isSame(one: FoundError, other: FoundError): boolean {
  const [a, b] = [one, other].map(({ message }) => message.replace(/[\s\\"'.)]+/g, ''));
  return a !== undefined && b !== undefined && (a.startsWith(b) || b.startsWith(a));
}

/** Events of kubelets about images, probes and containers: their connections are not those of the API server. */
const ofKubelet =
  /(?:^|\s|")(?:Failed to pull image|failed to pull and unpack image|Error: (?:ErrImagePull|ImagePullBackOff)|(?:Readiness|Liveness|Startup) probe (?:failed|errored)|failed to create containerd task|Failed to create pod sandbox)/;

function errorsIn(text: string): FoundError[] {
  if (ofKubelet.test(text)) return [];
  const line = readLine(text);
  const failure = admissionFailure(line) ?? conversionFailure(line) ?? patchFailure(line);
  return failure === undefined ? refusals(line) : [failure];
}

interface Line {
  /** Without kubectl's prefix. */
  readonly message: string;
  readonly operation: string | undefined;
  readonly file: string | undefined;
  readonly known?: undefined;
}

/** Source: kubectl cmd/util helpers.go, cmd/create, cmd/replace, cmd/delete, cmd/apply. */
const kubectlPrefix =
  /^(?:.*?Error from server(?: \([^)]*\))?: |error: |.*?Error creating: )(?:error when (?<verb>creating|replacing|deleting|patching|applying patch|retrieving)\b[^"]*(?:"(?<file>(?:\\.|[^"\\])*)")?:? )?/s;

const operations: Readonly<Record<string, string>> = { replacing: 'update', deleting: 'delete', patching: 'patch' };

function readLine(text: string): Line {
  const match = kubectlPrefix.exec(text);
  const { verb, file } = match?.groups ?? {};
  const message = (match === null ? text : text.slice(match[0].length)).trim();
  return {
    message: message.replace(/^The (\S+ "[^"]*" is invalid: )/, '$1'),
    operation: operations[verb ?? ''],
    file: file === 'STDIN' ? undefined : file,
  };
}

const admissionPattern = /failed calling (?:admission )?webhook "(?<webhook>[^"]+)": (?<reason>.*)$/s;

function admissionFailure(line: Line): FoundError | undefined {
  const groups = admissionPattern.exec(line.message)?.groups;
  if (groups === undefined) return undefined;
  const { stage = stageOf(groups['reason'] ?? ''), message, url } = readReason(groups['reason'] ?? '');
  const cause =
    causeAt(stage, message) ?? causeAt(stage, withoutSuffix(message)) ?? (stage === undefined ? otherFailure : unnamedCauseAt(stage));
  return { ...found(line, 'failed calling '), cause, what: 'admission', stage, webhook: groups['webhook'], url, known: undefined };
}

/** Returns the stage of a reason without its prefix, as old releases wrote it: the first at which it is known. */
function stageOf(reason: string): Stage | undefined {
  return (['client', 'request', 'answer', 'review'] as const).find(stage => causeOf(reason, stage) !== undefined);
}

function causeAt(stage: Stage | undefined, message: string): FoundError['cause'] | undefined {
  return stage === undefined ? undefined : causeOf(message, stage);
}

const otherFailure: FoundError['cause'] = {
  id: 'other-failure',
  class: null,
  fault: null,
  why: 'the call to the webhook failed; its reason is not known',
  try: "look at the log of the webhook, and at the API server's",
};

/** Removes what clients add to a message: `. Retrying attempt #3 at 9:41AM.`, ` (retried 5 times).`, a closing parenthesis. */
function withoutSuffix(message: string): string {
  return message.replace(/(?:\.? ?\(retried \d+ times?\)|\.? ?Retrying attempt #\d+ at .*|\.\.\.)?[.)"'\\\]]*$/s, '');
}

function conversionFailure(line: Line): FoundError | undefined {
  const match = /conversion webhook for (?<kind>\S*, Kind=\S*) (?:failed: (?<failed>.*)|(?<returned>returned .*))$/s.exec(line.message);
  if (match === null) return undefined;
  const message = match.groups?.['failed'] ?? match.groups?.['returned'] ?? '';
  const { url } = readReason(message);
  const cause = conversionCauseOf(message);
  return {
    ...found(line, 'conversion webhook for '),
    cause,
    what: 'conversion',
    stage: undefined,
    webhook: undefined,
    url,
    known: undefined,
  };
}

/** Returns the message, from `Internal error occurred` or the recognized prefix on. */
function found(line: Line, message: string): Pick<FoundError, 'message' | 'operation' | 'file'> {
  const starts = ['Internal error occurred: ', message].map(start => line.message.indexOf(start)).filter(at => at >= 0);
  return { ...line, message: line.message.slice(Math.min(...starts)) };
}

/** Returns the errors of the first part of a line that starts with known ones; general ones only if nothing else is known. */
function refusals(line: Line): FoundError[] {
  let general: FoundError[] = [];
  for (const message of tailsOf(line.message)) {
    const errors = refusalsAt(line, message);
    if (errors.some(({ known }) => known?.isGeneral !== true)) return errors;
    if (general.length === 0) general = errors;
  }
  return general;
}

function refusalsAt(line: Line, message: string): FoundError[] {
  const cause = refusalOfFailure(message);
  const none = { stage: undefined, webhook: undefined, url: undefined, known: undefined };
  if (cause !== undefined) {
    const webhook = /^admission webhook "([^"]*)"/.exec(message)?.[1];
    const what = cause.id.startsWith('conversion-') ? 'conversion' : 'refusal';
    return [{ ...line, ...none, message, cause: { ...cause, class: null }, what, webhook }];
  }
  return knownErrorsIn(withoutSuffix(message) === '' ? message : withoutEnd(message)).map(({ message: own, error }) => ({
    ...{ ...line, ...none, message: own, what: 'refusal', known: error },
    cause: { id: error.id, class: null, fault: error.fault, why: error.why, try: error.try },
  }));
}

/** Removes what clients add after the API server's message. */
function withoutEnd(message: string): string {
  return message.replace(/(?:\.? \(retried \d+ times?\)\.?|\.? Retrying attempt #\d+ at .*)$/s, '');
}

/** Finds the error of a patch: the API server's message does not name the webhook. */
function patchFailure(line: Line): FoundError | undefined {
  const at = line.message.indexOf('Internal error occurred: ');
  if (at < 0) return undefined;
  const message = line.message.slice(at);
  const { message: detail } = readReason(message);
  const cause = causeOf(detail, 'apply');
  if (cause === undefined) return undefined;
  const webhook = /^admission webhook "([^"]*)"/.exec(detail)?.[1];
  return { ...line, message, cause, what: 'admission', stage: 'apply', webhook, url: undefined, known: undefined };
}

/** Finds a bare error, without a prefix of the API server: `x509: certificate signed by unknown authority`. */
function bareErrorIn(text: string): FoundError | undefined {
  if (ofKubelet.test(text)) return undefined;
  const line = readLine(text);
  const { stage, url } = readReason(line.message);
  for (const message of [line.message, ...tailsOf(readReason(line.message).message)]) {
    const cause = causeOf(message, stage);
    if (cause === undefined) continue;
    const own = { ...line, message, what: 'admission', stage, webhook: undefined, url, known: undefined } as const;
    return { ...own, cause: stage === undefined ? withoutCaller(cause) : cause };
  }
  return undefined;
}

/** Leaves out who is at fault: a connection without its caller may be to anything. */
function withoutCaller(cause: FoundError['cause']): FoundError['cause'] {
  if (cause.fault === 'certificate' || cause.id === 'unusable-bundle') return cause;
  const hint = 'if it is from a call to a webhook: ';
  return { ...cause, fault: null, try: `${hint}${cause.try}; pass the whole line, which says who called what` };
}

/** Takes a whole text such as `EOF` for the reason of a failed request. As a line among others it may end a shell's here-document. */
function reasonIn(text: string): FoundError | undefined {
  const line = readLine(text);
  const cause = causeOf(line.message, 'request');
  if (cause === undefined) return undefined;
  return {
    ...line,
    cause: withoutCaller(cause),
    what: 'admission',
    stage: 'request',
    webhook: undefined,
    url: undefined,
    known: undefined,
  };
}

/** Returns a text, and the rest of it after each of its colons, without opening quotes and brackets. */
function tailsOf(text: string): string[] {
  const tails = [text];
  for (let at = text.search(boundary); at >= 0 && tails.length < maxTails; at = nextBoundary(text, at))
    tails.push(text.slice(at).replace(boundary, ''));
  return tails.map(tail => tail.replace(/^['"([]+(?=\S)/, ''));
}

/** After a colon, a comma before `error:`, `Err:`, or a parenthesis: `Cannot patch Role: "a" (Role... "a" is invalid: ...)`. */
const boundary =
  /: | \((?=\S+ "[^"]*" is )| (?=[\w.]+ "[^"]*" is (?:invalid|forbidden): )| (?=Operation cannot be fulfilled on |Apply failed with \d|admission webhook "[^"]*" denied )| err=|\s{2,}/;
const maxTails = 40;

function nextBoundary(text: string, at: number): number {
  const next = text.slice(at + 1).search(boundary);
  return next < 0 ? -1 : at + 1 + next;
}
