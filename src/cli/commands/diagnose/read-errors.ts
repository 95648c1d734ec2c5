import type { Stage } from '../../../apiserver/webhooks/failures/cause.js';
import { causeOf, conversionCauseOf, readReason, refusalOfFailure, unnamedCauseAt } from '../../../apiserver/webhooks/failures/cause-of.js';
import { knownErrorsIn } from '../../../client/errors/known-errors.js';
import { ownMember } from '../../../go/own-members.js';
import type { FoundError } from './found-error.js';
import { type Candidate, readingsOf } from './split-text.js';
import { closedByReader, cutOff, denialOfContainers, isCutOff, ofTextAlone } from './text-alone.js';

/**
 * Finds errors of the API server in a text: kubectl's lines, a Status, log lines, events. Reads the text in several ways, and takes the
 * first in which an error is found that is not a general one. Errors without a prefix of the API server are reported only when there
 * is none with a prefix. Removes duplicates.
 */
export function readErrors(text: string): FoundError[] {
  const readings = readingsOf(text).map(messages => messages.flatMap(errorsOfHelm));
  let general: FoundError[] = [];
  for (const messages of readings) {
    const found = withoutRepetitions(messages.flatMap(candidate => foundBy(errorsIn, candidate)));
    if (found.some(error => error.known?.isGeneral !== true)) return found;
    if (general.length === 0) general = found;
  }
  const bare = bareErrorsIn(readings);
  if (general.length > 0 && !bare.some(({ stage }) => stage !== undefined)) return general;
  return bare.length > 0 ? bare : [reasonIn(text) ?? []].flat();
}

function bareErrorsIn(readings: readonly Candidate[][]): FoundError[] {
  for (const messages of readings) {
    const found = withoutRepetitions(messages.flatMap(candidate => foundBy(text => bareErrorIn(text) ?? [], candidate)));
    if (found.length > 0) return found;
  }
  return [];
}

/** Helm joins errors of several objects with ` && `. */
function errorsOfHelm({ text, quoted }: Candidate): Candidate[] {
  const parts = text.split(/ && (?=(?:cannot patch|failed to (?:replace|create)) )/);
  return parts.length === 1 ? [{ text, quoted }] : parts.map(part => ({ text: part, quoted: [] }));
}

/** Returns the errors that a text quotes; those of the text itself if there are none. */
function foundBy(read: (text: string) => readonly FoundError[] | FoundError, { text, quoted }: Candidate): FoundError[] {
  const found = quoted.flatMap(read);
  return found.length > 0 ? found : [read(text)].flat();
}

/** Leaves out messages of JSON that are also parts of their line. */
function withoutRepetitions(errors: readonly FoundError[]): FoundError[] {
  const isRepeated = (error: FoundError, i: number): boolean =>
    errors.some(
      (other, j) =>
        j < i && (other.message === error.message || (other.cause.id === error.cause.id && (isSame(other, error) || isOfLog(error)))),
    );
  return errors.filter((error, i) => !isRepeated(error, i));
}

/** A server logs a line for every connection of a client. */
function isOfLog({ cause }: FoundError): boolean {
  return cause.id.startsWith('handshake-') && cause.class === null;
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

/** Of Go's log, and of klog with what journald adds before it. Source: Go log, k8s.io/klog. */
const logHeader = /^(?:\d{4}[/-]\d\d[/-]\d\d[T ][\d:.]+\S* |(?:\S+ +\d+ [\d:]+ \S+ \S+: )?[EWIF]\d{4} [\d:.]+\s+\d+ [^\s:]+:\d+\] )/;

/** The file in a line that a client has written before the error of the API server. */
const fileInLine = /\berror (?:when (?<verb>creating|replacing|deleting|patching) "|validating "|parsing )(?<file>[^":\s]+)"?: /;

const operations: Readonly<Record<string, string>> = { replacing: 'update', deleting: 'delete', patching: 'patch' };

function readLine(text: string): Line {
  const match = kubectlPrefix.exec(text);
  const { verb, file } = match?.groups?.['file'] === undefined ? (fileInLine.exec(text)?.groups ?? match?.groups ?? {}) : match.groups;
  const message = (match === null ? text.replace(logHeader, '') : text.slice(match[0].length)).trim();
  return {
    message: message.replace(/^The (\S+ "[^"]*" is invalid: )/, '$1').replace(/ &&(?: (?:cannot patch|failed to)\b.*)?$/s, ''),
    operation: ownMember(operations, verb ?? ''),
    file: file === 'STDIN' ? undefined : file,
  };
}

const admissionPattern = /failed calling (?:admission )?webhook "(?<webhook>[^"]+)": (?<reason>.*)$/s;

function admissionFailure(line: Line): FoundError | undefined {
  const groups = (admissionPattern.exec(line.message) ?? admissionPattern.exec(line.message.replaceAll('\\"', '"')))?.groups;
  if (groups === undefined) return undefined;
  const reason = withoutBreaks(withoutLink(groups['reason'] ?? ''));
  const { stage = stageOf(reason), message, url } = readReason(reason);
  const known =
    causeAt(stage, message) ?? causeAt(stage, withoutSuffix(message)) ?? (stage === undefined ? otherFailure : unnamedCauseAt(stage));
  const cause = isCutOff(reason) ? cutOff : ofTextAlone(known, 'admission', message);
  return { ...found(line, 'failed calling '), cause, what: 'admission', stage, webhook: groups['webhook'], url, known: undefined };
}

/** Returns the stage of a reason without its prefix, as old releases wrote it: the first at which it is known. */
function stageOf(reason: string): Stage | undefined {
  return (['client', 'request', 'answer', 'review'] as const).find(stage => causeOf(reason, stage) !== undefined);
}

function causeAt(stage: Stage | undefined, message: string): FoundError['cause'] | undefined {
  return stage === undefined ? undefined : causeOf(message, stage);
}

/** Removes line breaks in the address of a request, which terminals add. */
function withoutBreaks(reason: string): string {
  return reason.replace(
    /^((?:failed to call webhook: )?Post "?)\s*(https?:\/\/[^"]*?\?timeout=\d+s)\s*(?="?: )/,
    (_, start: string, url: string) => start + url.replaceAll(/\s+/g, ''),
  );
}

/** Removes Markdown around an address, which issue trackers add: `[https://a](https://a)`. */
function withoutLink(reason: string): string {
  return reason.replace(/\[\s*(https?:[^\]\s]*)\s*\]\(https?:[^)\s]*\)/, '$1');
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
  // Releases before v1.18 printed the whole object.
  const match =
    /conversion webhook for (?<kind>\S*, Kind=\S*|&?\{map\[.*\]\}|&?map\[.*\]) +(?:failed: (?<failed>.*)|(?<returned>returned .*))$/s.exec(
      line.message,
    );
  if (match === null) return undefined;
  const message = withoutBreaks(withoutLink(match.groups?.['failed'] ?? match.groups?.['returned'] ?? ''));
  const { url } = readReason(message);
  const cause = isCutOff(message) ? cutOff : ofTextAlone(conversionCause(message), 'conversion', message);
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

/** An unknown message is tried without what clients add to its end. */
function conversionCause(message: string): FoundError['cause'] {
  const cause = conversionCauseOf(message);
  return cause.id === 'conversion-failed' || cause.id.startsWith('other-') ? conversionCauseOf(withoutSuffix(message)) : cause;
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
    const known = denialOfContainers(cause, message);
    return [{ ...line, ...none, message, cause: { ...(known ?? cause), class: null }, what, webhook, known }];
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
  const at = line.message.search(/Internal error occurr?ed: /);
  if (at < 0) return undefined;
  const message = line.message.slice(at);
  // Releases before v1.18 named the library.
  const detail = message.replace(/^(?:Internal error occurr?ed: )+(?:jsonpatch )?/, '');
  const cause = causeOf(detail, 'apply');
  if (cause === undefined) return undefined;
  const webhook = /^admission webhook "([^"]*)"/.exec(detail)?.[1];
  return { ...line, message, cause, what: 'admission', stage: 'apply', webhook, url: undefined, known: undefined };
}

/** Finds a bare error, without a prefix of the API server: `x509: certificate signed by unknown authority`. */
function bareErrorIn(text: string): FoundError | undefined {
  if (ofKubelet.test(text)) return undefined;
  const line = readLine(text);
  const reason = withoutBreaks(line.message.slice(Math.max(0, line.message.search(requestOfReview))));
  const isReview = requestOfReview.test(reason);
  const { stage, url } = isReview ? readReason(reason) : { stage: undefined, url: undefined };
  for (const message of [line.message, ...tailsOf(readReason(reason).message)]) {
    const cause = causeOf(message, stage);
    if (cause === undefined) continue;
    const own = { ...line, message, what: 'admission', stage, webhook: undefined, url, known: undefined } as const;
    if (stage !== undefined) return { ...own, cause: ofTextAlone(cause, 'admission', message) };
    return { ...own, cause: closedByReader(message, cause) ?? withoutCaller(ofTextAlone(cause, 'admission', message)) };
  }
  return undefined;
}

/** A request that the API server sends to a webhook: to a service, or with a timeout in whole seconds. */
const requestOfReview = /Post "?https:\/\/[^\s"/]+(?:\.svc[:/]|\/[^"]*?\?timeout=\d+s)/;

/** Leaves out who is at fault: a connection without its caller may be to anything. */
function withoutCaller(cause: FoundError['cause']): FoundError['cause'] {
  if (cause.id === 'unusable-bundle') return cause;
  return {
    ...cause,
    fault: null,
    why: /webhook|caBundle|configuration|API server/.test(cause.why) ? `in a call to a webhook it means that ${cause.why}` : cause.why,
    try: `if it is from a call to a webhook: ${cause.try}; pass the whole line, which says who called what`,
  };
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
  /: |, (?=spec\.(?:validation|versions\[\d+\]\.schema)\.)| (?=strict decoding error: )| \((?=\S+ "[^"]*" is )| (?=[\w.]+ "[^"]*" is (?:invalid|forbidden): )| (?=Operation cannot be fulfilled on |Apply failed with \d|admission webhook "[^"]*" denied )| err=|\s{2,}/;
const maxTails = 40;

function nextBoundary(text: string, at: number): number {
  const next = text.slice(at + 1).search(boundary);
  return next < 0 ? -1 : at + 1 + next;
}
