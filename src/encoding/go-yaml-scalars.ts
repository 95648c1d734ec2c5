import { resolveScalar } from './yaml/resolve.js';
import { isTimestamp } from './yaml/timestamp.js';

/** Returns a string as a plain or quoted scalar in one line. Source: goyaml.v2 encode.go stringv, emitterc.go yaml_emitter_select_scalar_style. */
export function scalarText(text: string): string {
  if (text.includes('\n') || !meansText(text)) return doubleQuoted(text);
  if (isPlainAllowed(text)) return text;
  return isSingleQuotedAllowed(text) ? `'${text.replaceAll("'", "''")}'` : doubleQuoted(text);
}

/** Returns whether a block scalar can hold a text: no space before a line break or at the end, and no characters that need escapes. */
export function isBlockAllowed(text: string): boolean {
  return !hasSpaceBeforeBreak.test(text) && !text.endsWith(' ') && !unprintable.test(text.replaceAll('\n', ''));
}

const hasSpaceBeforeBreak = / [\n\r\u0085\u2028\u2029]/;

/** Characters that are escaped. Source: yamlprivateh.go is_printable. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\ud800-\udfff\ufeff\ufffe\uffff\u{10000}-\u{10ffff}]/u;

/** A string that would be parsed as another type is double-quoted. */
function meansText(text: string): boolean {
  if (text === '' || isTimestamp(text) || /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text)) return false;
  return typeof resolveScalar({ kind: 'scalar', line: 0, column: 0, tag: '', value: text, implicit: true }) === 'string';
}

/** Source: emitterc.go yaml_emitter_analyze_scalar. */
function isPlainAllowed(text: string): boolean {
  if (unprintable.test(text) || /[\u2028\u2029]/.test(text) || /^ | $/.test(text) || /^(?:---|\.\.\.)/.test(text)) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[-?:](?:[ \t]|$)/.test(text)) return false;
  return !/:(?:[ \t]|$)|[ \t]#/.test(text);
}

function isSingleQuotedAllowed(text: string): boolean {
  return !unprintable.test(text) && !hasSpaceBeforeBreak.test(text) && !/[\n\r\u0085\u2028\u2029] /.test(text);
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '0',
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\u001b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** Source: emitterc.go yaml_emitter_write_double_quoted. */
function doubleQuoted(text: string): string {
  const characters = [...text].map(character => {
    const letter = escapes[character];
    if (letter !== undefined) return `\\${letter}`;
    return unprintable.test(character) ? numericEscape(character.codePointAt(0) ?? 0) : character;
  });
  return `"${characters.join('')}"`;
}

function numericEscape(code: number): string {
  const [letter, length] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(Number(length), '0')}`;
}
