import type { Fault } from '../../../apiserver/admission/webhook-report.js';
import type { Stage } from '../../../apiserver/webhooks/failures/cause.js';
import { causeOf, conversionCauseOf, readReason, refusalOf, unnamedCauseAt } from '../../../apiserver/webhooks/failures/cause-of.js';
import { readUnstructured } from '../../../encoding/unstructured.js';
import { readManifests } from '../../../encoding/yaml-stream.js';
import { stringAt } from '../../../go/value.js';
import type { FailureClass } from '../../../kubernetes/webhook-call.js';

/** An error of the API server found in a text. */
export interface FoundError {
  readonly message: string;
  readonly cause: {
    readonly id: string;
    readonly class: FailureClass | null;
    readonly fault: Fault;
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
}

/**
 * Finds errors of the API server in a text: kubectl's lines, a Status, log lines, events. Errors without a prefix of the API server
 * are reported only when there is none with a prefix. Removes duplicates.
 */
export function readErrors(text: string): FoundError[] {
  for (const [messages, read] of [
    [messagesIn(text), errorIn],
    [[joinedLines(text)], errorIn],
    [messagesIn(text), bareErrorIn],
    [[text], reasonIn],
  ] as const) {
    const found = messages.flatMap(message => read(message) ?? []);
    if (found.length > 0) return found.filter((error, i) => found.findIndex(other => other.message === error.message) === i);
  }
  return [];
}

function errorIn(text: string): FoundError | undefined {
  const line = readLine(text);
  return admissionFailure(line) ?? conversionFailure(line) ?? patchFailure(line) ?? refusal(line);
}

interface Line {
  /** Without kubectl's prefix. */
  readonly message: string;
  readonly operation: string | undefined;
  readonly file: string | undefined;
}

/** Source: kubectl cmd/util helpers.go, cmd/create, cmd/replace, cmd/delete, cmd/apply. */
const kubectlPrefix =
  /^(?:.*?Error from server(?: \([^)]*\))?: |error: |.*?Error creating: )(?:error when (?<verb>creating|replacing|deleting|patching|applying patch|retrieving)\b[^"]*(?:"(?<file>(?:\\.|[^"\\])*)")?:? )?/s;

const operations: Readonly<Record<string, string>> = { replacing: 'update', deleting: 'delete', patching: 'patch' };

function readLine(text: string): Line {
  const match = kubectlPrefix.exec(text);
  const { verb, file } = match?.groups ?? {};
  const message = (match === null ? text : text.slice(match[0].length)).trim();
  return { message: message.replace(/^The (\S+ "[^"]*" is invalid: )/, '$1'), operation: operations[verb ?? ''], file };
}

const admissionPattern = /failed calling (?:admission )?webhook "(?<webhook>[^"]+)": (?<reason>.*)$/s;

function admissionFailure(line: Line): FoundError | undefined {
  const groups = admissionPattern.exec(line.message)?.groups;
  if (groups === undefined) return undefined;
  const { stage = 'client', message, url } = readReason(groups['reason'] ?? '');
  const cause = causeOf(message, stage) ?? unnamedCauseAt(stage);
  return { ...found(line, 'failed calling '), cause, what: 'admission', stage, webhook: groups['webhook'], url };
}

function conversionFailure(line: Line): FoundError | undefined {
  const match = /conversion webhook for (?<kind>\S*, Kind=\S*) (?:failed: (?<failed>.*)|(?<returned>returned .*))$/s.exec(line.message);
  if (match === null) return undefined;
  const message = match.groups?.['failed'] ?? match.groups?.['returned'] ?? '';
  const { url } = readReason(message);
  return {
    ...found(line, 'conversion webhook for '),
    cause: conversionCauseOf(message),
    what: 'conversion',
    stage: undefined,
    webhook: undefined,
    url,
  };
}

/** Returns the message, from `Internal error occurred` or the recognized prefix on. */
function found(line: Line, message: string): Pick<FoundError, 'message' | 'operation' | 'file'> {
  const starts = ['Internal error occurred: ', message].map(start => line.message.indexOf(start)).filter(at => at >= 0);
  return { ...line, message: line.message.slice(Math.min(...starts)) };
}

function refusal(line: Line): FoundError | undefined {
  for (const message of tailsOf(line.message)) {
    const cause = refusalOf(message);
    if (cause === undefined) continue;
    const webhook = /^admission webhook "([^"]*)"/.exec(message)?.[1];
    const what = cause.id.startsWith('conversion-') ? 'conversion' : 'refusal';
    return { ...line, message, cause: { ...cause, class: null }, what, stage: undefined, webhook, url: undefined };
  }
  return undefined;
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
  return { ...line, message, cause, what: 'admission', stage: 'apply', webhook, url: undefined };
}

/** Finds a bare error, without a prefix of the API server: `x509: certificate signed by unknown authority`. */
function bareErrorIn(text: string): FoundError | undefined {
  const line = readLine(text);
  const { stage, url } = readReason(line.message);
  for (const message of [line.message, ...tailsOf(readReason(line.message).message)]) {
    const cause = causeOf(message, stage);
    if (cause !== undefined) return { ...line, message, cause, what: 'admission', stage, webhook: undefined, url };
  }
  return undefined;
}

/** Takes a whole text such as `EOF` for the reason of a failed request. As a line among others it may end a shell's here-document. */
function reasonIn(text: string): FoundError | undefined {
  const line = readLine(text);
  const cause = causeOf(line.message, 'request');
  return cause && { ...line, cause, what: 'admission', stage: 'request', webhook: undefined, url: undefined };
}

/** Returns a text, and the rest of it after each of its colons. */
function tailsOf(text: string): string[] {
  const tails = [text];
  for (let at = text.indexOf(': '); at >= 0 && tails.length < mostTails; at = text.indexOf(': ', at + 1)) tails.push(text.slice(at + 2));
  return tails;
}

const mostTails = 20;

/** Returns the texts that may be error messages: the message of a Status, unquoted fields of log lines, whole lines. */
function messagesIn(paste: string): string[] {
  const status = statusMessage(paste);
  if (status !== undefined) return [status];
  return linesOf(paste).flatMap(line => [...quotedFields(line), line]);
}

/** Joins lines that a terminal wrapped. */
function joinedLines(paste: string): string {
  return linesOf(paste).join(' ');
}

function linesOf(paste: string): string[] {
  return paste.split(/\r?\n/).flatMap(line => line.trim() || []);
}

/** Returns the message of a text that is a Status in JSON or YAML. */
function statusMessage(paste: string): string | undefined {
  if (!/^\s*\{/.test(paste) && !/^kind: Status\s*$/m.test(paste)) return undefined;
  const { documents, error } = readManifests(Buffer.from(paste));
  const json = documents[0]?.json;
  if (error !== undefined || json === undefined) return undefined;
  const value = readUnstructured(json);
  return stringAt(value, 'message') || stringAt(value, 'status', 'message') || undefined;
}

/** Returns `err="..."` of log lines, or `"message":"..."` of those in JSON, unquoted. Source: klog, Go strconv.Quote. */
function quotedFields(line: string): string[] {
  if (!/\b(?:err|error|msg|message)"?\s*[=:]\s*"/i.test(line)) return [];
  const fields = line.matchAll(/\b(?:err|error|msg|message)"?\s*[=:]\s*("(?:\\.|[^"\\])*")/gi);
  return [...fields].flatMap(([, quoted = '""']) => unquoted(quoted));
}

function unquoted(quoted: string): string[] {
  try {
    // JSON has no \x and \U of Go; they stay escaped, which no pattern depends on.
    const value: unknown = JSON.parse(
      quoted.replace(/\\(.)/g, (sequence, letter: string) => ('"\\/bfnrtu'.includes(letter) ? sequence : `\\\\${letter}`)),
    );
    return typeof value === 'string' ? [value] : [];
  } catch {
    return [];
  }
}
