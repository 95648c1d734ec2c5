import { readUnstructured } from '../../encoding/unstructured.js';
import { readManifests } from '../../encoding/yaml-stream.js';
import { stringAt } from '../../go/value.js';

/** The texts in a paste that could be messages: that of a Status, the quoted fields of log lines with their escapes undone, whole lines. */
export function messagesIn(paste: string): string[] {
  const status = statusMessage(paste);
  if (status !== undefined) return [status];
  return linesOf(paste).flatMap(line => [...quotedFields(line), line]);
}

/** The paste as one line, for terminals that broke it. */
export function joinedLines(paste: string): string {
  return linesOf(paste).join(' ');
}

function linesOf(paste: string): string[] {
  return paste.split(/\r?\n/).flatMap(line => line.trim() || []);
}

/** A Status in JSON or YAML, alone in the paste. */
function statusMessage(paste: string): string | undefined {
  if (!/^\s*\{/.test(paste) && !/^kind: Status\s*$/m.test(paste)) return undefined;
  const { documents, error } = readManifests(Buffer.from(paste));
  const json = documents[0]?.json;
  if (error !== undefined || json === undefined) return undefined;
  const value = readUnstructured(json);
  return stringAt(value, 'message') || stringAt(value, 'status', 'message') || undefined;
}

/** `err="..."` of a log line, or `"message":"..."` of one in JSON. Source: klog, Go strconv.Quote. */
function quotedFields(line: string): string[] {
  if (!/\b(?:err|error|msg|message)"?\s*[=:]\s*"/i.test(line)) return [];
  const fields = line.matchAll(/\b(?:err|error|msg|message)"?\s*[=:]\s*("(?:\\.|[^"\\])*")/gi);
  return [...fields].flatMap(([, quoted = '""']) => unquoted(quoted));
}

function unquoted(quoted: string): string[] {
  try {
    // Go's \x and \U are not JSON's; what is left of them does not matter to a pattern.
    const value: unknown = JSON.parse(
      quoted.replace(/\\(.)/g, (sequence, letter: string) => ('"\\/bfnrtu'.includes(letter) ? sequence : `\\\\${letter}`)),
    );
    return typeof value === 'string' ? [value] : [];
  } catch {
    return [];
  }
}
