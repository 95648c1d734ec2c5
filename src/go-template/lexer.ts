import { ownMember } from '../go/own-members.js';
import { quote } from '../go/quote.js';

/** The kinds of tokens inside the delimiters, and the text around them. Source: text/template/parse lex.go. */
export type TokenType =
  | 'text'
  | 'left'
  | 'right'
  | 'space'
  | 'identifier'
  | 'field'
  | 'variable'
  | 'dot'
  | 'nil'
  | 'bool'
  | 'number'
  | 'string'
  | 'rawString'
  | 'char'
  | 'pipe'
  | 'leftParen'
  | 'rightParen'
  | 'declare'
  | 'assign'
  | 'comma'
  | 'keyword'
  | 'symbol'
  | 'error'
  | 'eof';

export interface TemplateToken {
  readonly type: TokenType;
  readonly at: number;
  /** Text of the token; for an error, its message. */
  readonly text: string;
}

const keywords = new Set(['block', 'break', 'continue', 'define', 'else', 'end', 'if', 'range', 'template', 'with']);
const blank = /[ \t\r\n]/;

/** Returns all tokens of a template; the last one is `eof` or `error`. */
export function tokensOfTemplate(input: string): TemplateToken[] {
  const tokens: TemplateToken[] = [];
  let at = 0;
  let trimsNext = false;
  for (;;) {
    const open = input.indexOf('{{', at);
    const end = open < 0 ? input.length : open;
    const trims = open >= 0 && input[open + 2] === '-' && blank.test(input[open + 3] ?? '');
    const from = trimsNext ? skipBlanks(input, at, end) : at;
    const to = trims ? trimmedEnd(input, from, end) : end;
    if (to > from) tokens.push({ type: 'text', at: from, text: input.slice(from, to) });
    if (open < 0) {
      tokens.push({ type: 'eof', at: input.length, text: '' });
      return tokens;
    }
    const inside = open + (trims ? 4 : 2);
    const next = input.startsWith('/*', inside) ? comment(input, inside, tokens) : action(input, open, inside, tokens);
    if (next === undefined) return tokens;
    at = next.at;
    trimsNext = next.trims;
  }
}

function skipBlanks(input: string, from: number, end: number): number {
  let at = from;
  while (at < end && blank.test(input[at] ?? '')) at += 1;
  return at;
}

function trimmedEnd(input: string, from: number, end: number): number {
  let at = end;
  while (at > from && blank.test(input[at - 1] ?? '')) at -= 1;
  return at;
}

interface Next {
  readonly at: number;
  readonly trims: boolean;
}

function comment(input: string, start: number, tokens: TemplateToken[]): Next | undefined {
  const fail = (message: string): undefined => {
    tokens.push({ type: 'error', at: start, text: message });
    return undefined;
  };
  const end = input.indexOf('*/', start);
  if (end < 0) return fail('unclosed comment');
  const close = closingAt(input, end + 2);
  return close ?? fail('comment ends before closing delimiter');
}

/** Returns the right delimiter at an offset, including its trim marker. */
function closingAt(input: string, at: number): Next | undefined {
  if (blank.test(input[at] ?? '') && input.startsWith('-}}', at + 1)) return { at: at + 4, trims: true };
  return input.startsWith('}}', at) ? { at: at + 2, trims: false } : undefined;
}

/** Scans the tokens of one action; returns the offset of the following text, or undefined after an error. */
function action(input: string, open: number, start: number, tokens: TemplateToken[]): Next | undefined {
  tokens.push({ type: 'left', at: open, text: '{{' });
  let at = start;
  let depth = 0;
  const fail = (message: string, where = at): undefined => {
    tokens.push({ type: 'error', at: where, text: message });
    return undefined;
  };
  for (;;) {
    const close = closingAt(input, at);
    if (close !== undefined) {
      if (depth > 0) return fail('unclosed left paren');
      tokens.push({ type: 'right', at, text: '}}' });
      return close;
    }
    const character = input[at];
    if (character === undefined) return fail('unclosed action');
    if (blank.test(character)) {
      const from = at;
      while (at < input.length && blank.test(input[at] ?? '') && closingAt(input, at) === undefined) at += 1;
      if (at > from) tokens.push({ type: 'space', at: from, text: input.slice(from, at) });
      continue;
    }
    const token = tokenAt(input, at);
    if (token.type === 'error') return fail(token.text, token.at);
    if (token.type === 'leftParen') depth += 1;
    if (token.type === 'rightParen') {
      depth -= 1;
      if (depth < 0) return fail('unexpected right paren');
    }
    tokens.push(token);
    at += token.text.length;
  }
}

const symbols: Readonly<Record<string, TokenType>> = { '(': 'leftParen', ')': 'rightParen', '|': 'pipe', ',': 'comma', '=': 'assign' };

function tokenAt(input: string, at: number): TemplateToken {
  const rest = input.slice(at);
  const character = rest[0] ?? '';
  const made = (type: TokenType, text: string): TemplateToken => ({ type, at, text });
  if (rest.startsWith(':=')) return made('declare', ':=');
  if (character === ':') return made('error', 'expected :=');
  const symbol = ownMember(symbols, character);
  if (symbol !== undefined) return made(symbol, character);
  if (character === '"') return quotedAt(rest, made);
  if (character === '`') {
    const end = rest.indexOf('`', 1);
    return end < 0 ? made('error', 'unterminated raw quoted string') : made('rawString', rest.slice(0, end + 1));
  }
  if (character === "'") {
    const found = /^'(?:\\.|[^'\\\n])*'/.exec(rest);
    return found === null ? made('error', 'unterminated character constant') : made('char', found[0]);
  }
  if (character === '$' || (character === '.' && rest.length > 1 && !/[0-9]/.test(rest[1] ?? ''))) return fieldOrVariableAt(rest, made);
  if (/[+\-0-9.]/.test(character)) return numberAt(rest, made);
  return wordAt(rest, made);
}

type Make = (type: TokenType, text: string) => TemplateToken;

function quotedAt(rest: string, made: Make): TemplateToken {
  const found = /^"(?:\\[^\n]|[^"\\\n])*"/.exec(rest);
  return found === null ? made('error', 'unterminated quoted string') : made('string', found[0]);
}

function fieldOrVariableAt(rest: string, made: Make): TemplateToken {
  const text = /^[$.][\p{L}\p{Nd}_]*/u.exec(rest)?.[0] ?? '';
  if (!endsWell(rest.slice(text.length))) return made('error', `bad character ${unicodeOf(rest.slice(text.length))}`);
  if (text === '.') return made('dot', text);
  return made(text.startsWith('$') ? 'variable' : 'field', text);
}

/** Source: lex.go lexNumber. The parser rejects numbers that are not valid. */
function numberAt(rest: string, made: Make): TemplateToken {
  const first = scanNumber(rest);
  // A sign after a number is accepted only in a complex one.
  const { text, isValid } = first.isValid && /^[+-]/.test(rest.slice(first.text.length)) ? complexAt(rest, first.text) : first;
  return isValid ? made('number', text) : made('error', `bad number syntax: ${quote(text)}`);
}

interface Scanned {
  readonly text: string;
  readonly isValid: boolean;
}

function complexAt(rest: string, real: string): Scanned {
  const { text, isValid } = scanNumber(rest.slice(real.length));
  return { text: real + text, isValid: isValid && text.endsWith('i') };
}

const numbers = [
  /^[+-]?0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?i?/,
  /^[+-]?0[oO][0-7_]*(?:\.[0-7_]*)?i?/,
  /^[+-]?0[bB][01_]*(?:\.[01_]*)?i?/,
  /^[+-]?[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?i?/,
];

/** Returns a number up to the first other character, and including it when it is a letter or digit: then the number is not valid. */
function scanNumber(rest: string): Scanned {
  const text = numbers.map(number => number.exec(rest)?.[0]).find(found => found !== undefined) ?? '';
  const after = /^[\p{L}\p{Nd}_]/u.exec(rest.slice(text.length))?.[0] ?? '';
  return { text: text + after, isValid: after === '' };
}

function wordAt(rest: string, made: Make): TemplateToken {
  const text = /^[\p{L}\p{Nd}_]+/u.exec(rest)?.[0] ?? '';
  // Other ASCII characters are reported by the parser, as in Go.
  if (text === '' && /^[!-~]/.test(rest)) return made('symbol', rest[0] ?? '');
  if (text === '') return made('error', `unrecognized character in action: ${unicodeOf(rest)}`);
  if (!endsWell(rest.slice(text.length))) return made('error', `bad character ${unicodeOf(rest.slice(text.length))}`);
  if (keywords.has(text)) return made('keyword', text);
  if (text === 'true' || text === 'false') return made('bool', text);
  return made(text === 'nil' ? 'nil' : 'identifier', text);
}

/** Source: lex.go atTerminator. */
function endsWell(after: string): boolean {
  return after === '' || after.startsWith('}}') || /^[ \t\r\n.,|:)(]/.test(after);
}

/** `U+0041 'A'` */
function unicodeOf(text: string): string {
  const code = text.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')} '${String.fromCodePoint(code)}'`;
}
