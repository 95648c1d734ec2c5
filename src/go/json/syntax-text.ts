import { quote, quoteInner } from '../quote.js';
import type { JsonSyntaxError } from './syntax-error.js';

/** What encoding/json of Go 1.27 says about an error in a text; it reads with encoding/json/jsontext. Source: encoding/json v2_scanner.go. */
export function textOfGo27(text: string, { message, offset }: JsonSyntaxError): string {
  if (message.endsWith('exceeded max depth')) return 'exceeded max depth';
  if (offset >= text.length) return 'unexpected end of JSON input';
  if (message.endsWith(' in string escape code')) return invalidEscape(text.slice(offset - 1, offset + 1));
  if (message.endsWith(' hexadecimal character escape')) {
    const start = text.lastIndexOf('\\u', offset);
    return invalidEscape(text.slice(start, start + 6));
  }
  const context = message.replace(/^invalid character '.*?' (?=\w)/s, '');
  return `invalid character ${quotedCharacter(text, offset)} ${contexts.get(context) ?? context}`;
}

const contexts = new Map([
  ['in string literal', 'in string'],
  ['after decimal point in numeric literal', 'in numeric literal'],
  ['in exponent of numeric literal', 'in numeric literal'],
]);

function invalidEscape(sequence: string): string {
  const shown = /[`\s\ufffd\p{C}]/u.test(sequence) ? quote(sequence) : `\`${sequence}\``;
  return `invalid escape sequence ${shown} in string`;
}

/** A whole character, not its first byte. */
function quotedCharacter(text: string, offset: number): string {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  return `'${quoteInner(character)}'`;
}
