import { decodeEncodedWords } from '../go/encoded-word.js';
import { trimSpace } from '../go/white-space.js';

/** One warning of a Warning header. */
export interface WarningHeader {
  readonly code: number;
  readonly agent: string;
  readonly text: string;
}

/** Invalid parts of a Warning header, or an invalid header; the message is Go's. */
export class WarningHeaderError extends Error {
  override readonly name = 'WarningHeaderError';
}

/** Returns `299 - "TEXT"`; an empty agent is a dash. Throws WarningHeaderError. Source: apimachinery util/net NewWarningHeader. */
export function printWarningHeader({ code, agent, text }: WarningHeader): string {
  if (badAgent.test(agent)) {
    throw new WarningHeaderError('agent must be valid UTF-8 and must not contain spaces, quotes, backslashes, or control characters');
  }
  if (invalidText.test(text)) throw new WarningHeaderError('text must be valid UTF-8 and must not contain control characters');
  return `${String(code).padStart(3, '0')} ${agent === '' ? '-' : agent} "${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Parses the warnings of a header, up to the first error. Source: apimachinery util/net ParseWarningHeaders. */
export function parseWarningHeaders(value: string): { readonly warnings: readonly WarningHeader[]; readonly error: string | undefined } {
  const warnings: WarningHeader[] = [];
  let rest = value;
  while (rest !== '') {
    try {
      const parsed = parseFirst(rest);
      warnings.push(parsed.warning);
      rest = parsed.rest;
    } catch (error) {
      if (error instanceof WarningHeaderError) return { warnings, error: error.message };
      throw error;
    }
  }
  return { warnings, error: undefined };
}

/** Control characters, and lone surrogates: bytes that are not UTF-8. */
const invalidText = /[\p{Cc}\p{Cs}]/u;
const badAgent = /[\p{Cc}\p{Cs}\p{Z}"\\]/u;

function invalid(why: string): WarningHeaderError {
  return new WarningHeaderError(`invalid warning header: ${why}`);
}

function parseFirst(header: string): { warning: WarningHeader; rest: string } {
  const [code = '', agent = '', ...others] = trimSpace(header).split(' ');
  if (others.length === 0) throw invalid('fewer than 3 segments');
  if (!/^[0-9]{3}$/.test(code)) throw invalid('code segment is not 3 digits between 100-299');
  if (agent === '') throw invalid('empty agent segment');
  if (invalidText.test(agent)) throw invalid('invalid agent');
  const quoted = others.join(' ');
  if (quoted === '') throw invalid('empty text segment');
  const { text, rest } = unquote(quoted);
  const decoded = decodeEncodedWords(text);
  if (invalidText.test(decoded)) throw invalid('invalid text');
  return { warning: { code: Number(code), agent, text: decoded }, rest: afterDate(rest) };
}

/** Parses a quoted text, in which a backslash escapes the next character, and returns the rest. */
function unquote(quoted: string): { text: string; rest: string } {
  if (!quoted.startsWith('"')) throw invalid('invalid quoted string: missing initial quote');
  let text = '';
  for (let i = 1; i < quoted.length; i += 1) {
    const character = quoted.charAt(i);
    if (character === '"') return { text, rest: trimSpace(quoted.slice(i + 1)) };
    if (character === '\\') i += 1;
    text += quoted.charAt(i);
  }
  throw invalid('invalid quoted string: missing closing quote');
}

/** Skips the date, if there is one, and a comma. */
function afterDate(text: string): string {
  let rest = text;
  if (rest.startsWith('"')) {
    const end = rest.indexOf('"', 1);
    if (end < 0) throw invalid('unterminated date segment');
    rest = trimSpace(rest.slice(end + 1));
  }
  if (rest === '') return '';
  if (!rest.startsWith(',')) throw invalid('unexpected token after warn-date');
  return trimSpace(rest.slice(1));
}
