import { readUnstructured } from '../../../encoding/unstructured.js';
import { readManifests } from '../../../encoding/yaml-stream.js';
import { isList, isMap, stringAt, type Value } from '../../../go/value.js';

/** A text that may be a message, and the messages that it quotes, as log lines and JSON do. */
export interface Candidate {
  readonly text: string;
  readonly quoted: readonly string[];
}

/**
 * Returns readings of a text, the most likely first. Each is a list of texts that may be one message: a Status, log lines and lines,
 * joined where a terminal or a log broke them.
 */
export function readingsOf(paste: string): Candidate[][] {
  const status = statusMessage(paste);
  if (status !== undefined) return [[{ text: status, quoted: [] }]];
  const lines = linesOf(paste);
  const whole = lines.join(' ');
  // Pasted from JSON or a shell: quotes are still escaped.
  const unescaped = whole.includes('\\"') ? [[whole.replaceAll('\\"', '"').replaceAll(/\\[nt]/g, ' ')]] : [];
  const joined = lines.length > 1 ? [[whole], [lines.join('')]] : [];
  const others = [messagesOf(lines), ...joined];
  const isEscaped = !/(?:^|[^\\])"/.test(whole);
  return [...(isEscaped ? [...unescaped, ...others] : [...others, ...unescaped]), lines].map(texts =>
    texts.map(text => ({ text, quoted: quotedMessages(text) })),
  );
}

/**
 * Returns the lines without frames that Terraform and terminal programs draw, without Terraform's places, and without the backslash that
 * continues a line of a shell, which stays in the text within quotes.
 */
function linesOf(paste: string): string[] {
  const lines = straightQuotes(paste)
    .replace(/[ \t]\\(?=\r?\n)/g, '')
    .split(/\r?\n/)
    .map(line => line.replace(/^[\s│┃|╷╵]+(?=\s|$)|[│┃╷╵]\s*$/g, '').trim());
  return lines.filter(line => line !== '' && !ofTerraform.test(line));
}

/** Editors and chats replace quotes. */
function straightQuotes(text: string): string {
  return text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'");
}

/** `with module.a.kubernetes_manifest.b,`, `on main.tf line 3, in resource "a" "b":`, `3: resource "a" "b" {`. */
const ofTerraform =
  /^(?:with (?:module|data|kubernetes|kubectl|helm)[\w.[\]"-]*,|on \S+\.tf line \d+, in |\d+: (?:resource|data|module) ")/;

/** Starts of messages and of other lines of kubectl, helm, Flux, Argo CD, events, YAML and logs. */
const starts = [
  String.raw`(?:[Ee]rror|[Ww]arning|FATAL|ERROR)\b`,
  String.raw`[EWIF]\d{4} `,
  String.raw`[[{]?"?\d{4}[-/]\d\d[-/]\d\d`,
  '(?:time|level|ts|msg|err)="?',
  '[{]',
  String.raw`The \S+ "`,
  'Internal error occurred: ',
  'admission webhook "',
  'conversion webhook for ',
  'Apply failed with ',
  'Unable to connect ',
  '(?:http: )?TLS handshake error ',
  String.raw`\S+ "[^"]*" (?:is (?:invalid|forbidden)|not found|already exists)`,
  String.raw`\S+ (?:created|configured|unchanged|serverside-applied|deleted|patched|replaced)(?: \(.*\))?$`,
  '(?:- )?(?:lastTransitionTime|lastUpdateTime|message|reason|status|type|kind|apiVersion):',
  String.raw`(?:Type|LAST SEEN|NAME)\s+(?:Reason|TYPE|STATUS)`,
  'resource mapping not found ',
  'unable to decode "',
  'Please review the fields above',
  String.raw`\w+(?:/[\w.-]+)+ dry-run failed`,
];
const startPattern = new RegExp(`^(?:${starts.join('|')})`);

/** Joins lines to messages: a line that starts none continues the one before it. */
function messagesOf(lines: readonly string[]): string[] {
  const messages: string[] = [];
  for (const line of lines) {
    const last = messages.at(-1);
    const isStart = startPattern.test(line) && !isContinued(last ?? '', line);
    if (last === undefined || isStart) messages.push(line);
    else messages[messages.length - 1] = `${last} ${line}`;
  }
  return messages;
}

/** Returns true if a line that looks like a start goes on with a message: after the reason of a failed call, or within a sentence. */
function isContinued(last: string, line: string): boolean {
  if (/": ?$|\bfailed: ?$|failed calling webhook "[^"]*":$/.test(last)) return true;
  return /^error\b/i.test(line) && /\b(?:decoding|validation|server|in|Internal)$/i.test(last);
}

/** Returns the message of a text that is a Status in JSON or YAML. */
function statusMessage(paste: string): string | undefined {
  if (!/^\s*\{/.test(paste) && !/^kind: Status\s*$/m.test(paste)) return undefined;
  const { documents, error } = readManifests(Buffer.from(paste));
  const json = documents[0]?.json;
  if (error !== undefined || json === undefined || documents.length > 1) return undefined;
  const value = readUnstructured(json);
  // A log line has a message, too; what failed is in another member.
  if (stringAt(value, 'error') !== '' || stringAt(value, 'err') !== '') return undefined;
  return stringAt(value, 'message') || stringAt(value, 'status', 'message') || stringAt(value, 'responseStatus', 'message') || undefined;
}

/** Returns the messages in a log line: members of JSON, and quoted fields such as `err="..."`. Source: klog, zap, Go strconv.Quote. */
function quotedMessages(line: string): string[] {
  const at = line.indexOf('{"');
  const json = at < 0 ? undefined : parsedJson(line.slice(at));
  if (json !== undefined) return messagesIn(json);
  if (!/\b(?:err|error|msg|message)"?\s*[=:]\s*"/i.test(line)) return [];
  const fields = line.matchAll(/\b(?:err|error|msg|message)"?\s*[=:]\s*("(?:\\.|[^"\\])*")/gi);
  return [...fields].flatMap(([, quoted = '""']) => unquoted(quoted));
}

function parsedJson(text: string): Value | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? readUnstructured(text) : undefined;
  } catch {
    // The line goes on after its JSON, or is cut off.
    return undefined;
  }
}

const messageKeys: ReadonlySet<string> = new Set(['err', 'error', 'msg', 'message']);

function messagesIn(value: Value): string[] {
  if (isList(value)) return value.flatMap(messagesIn);
  if (!isMap(value)) return [];
  return [...value].flatMap(([key, member]) => (typeof member === 'string' ? (messageKeys.has(key) ? [member] : []) : messagesIn(member)));
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
