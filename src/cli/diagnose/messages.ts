import { readUnstructured } from '../../encoding/unstructured.js';
import { readManifests } from '../../encoding/yaml-stream.js';
import { stringAt } from '../../go/value.js';

/** Returns the texts that may be error messages: the message of a Status, unquoted fields of log lines, whole lines. */
export function messagesIn(paste: string): string[] {
  const status = statusMessage(paste);
  if (status !== undefined) return [status];
  return linesOf(paste).flatMap(line => [...quotedFields(line), line]);
}

/** Joins lines that a terminal wrapped. */
export function joinedLines(paste: string): string {
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
