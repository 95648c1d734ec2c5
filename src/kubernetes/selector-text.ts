import { parseInt64 } from '../go/parse-integer.js';
import type { ApiServer } from './api-server.js';
import { invalidValue, printFieldErrors } from './field-error.js';
import { labelKeyProblems, labelValueProblems } from './name-rules.js';

/** Not a valid selector; the message is Go's. */
export class SelectorTextError extends Error {
  override readonly name = 'SelectorTextError';
}

export type TextOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One requirement of a selector in text form, with the operator as written. */
export interface TextRequirement {
  readonly key: string;
  readonly operator: TextOperator;
  /** Sorted and unique; empty for `exists` and `!`. */
  readonly values: readonly string[];
}

/** Parses `a=1,b in (x,y),!c`. The requirements are sorted by key. Throws SelectorTextError. Source: apimachinery labels.Parse. */
export function parseSelectorText(server: ApiServer, selector: string): readonly TextRequirement[] {
  const cursor: Cursor = { tokens: selectorTokens(selector), at: 0 };
  const requirements: TextRequirement[] = [];
  while (peek(cursor).type !== 'end') {
    if (!startsRequirement(peek(cursor)))
      throw new SelectorTextError(`found '${peek(cursor).text}', expected: !, identifier, or 'end of string'`);
    requirements.push(requirement(server, cursor));
    const after = take(cursor);
    if (after.type === 'end') break;
    if (!isSymbol(after, ',')) throw new SelectorTextError(`found '${after.text}', expected: ',' or 'end of string'`);
    if (!startsRequirement(peek(cursor))) throw new SelectorTextError(`found '${peek(cursor).text}', expected: identifier after ','`);
  }
  return requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** Returns the requirements as one text, in their order. Source: labels.Requirement.String. */
export function selectorText(requirements: readonly TextRequirement[]): string {
  return requirements.map(requirementText).join(',');
}

/** Returns whether the labels meet every requirement. An absent key meets `!`, `!=` and `notin`. Source: labels.Requirement.Matches. */
export function selectsByText(requirements: readonly TextRequirement[], labels: ReadonlyMap<string, string>): boolean {
  return requirements.every(requirement => meets(requirement, labels.get(requirement.key)));
}

function meets({ operator, values }: TextRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'gt':
    case 'lt':
      return value !== undefined && compares(operator, value, values[0] ?? '');
    default:
      return value !== undefined && values.includes(value);
  }
}

function compares(operator: 'gt' | 'lt', text: string, limit: string): boolean {
  const [value, bound] = [parseInt64(text), parseInt64(limit)];
  if (typeof value === 'object' || typeof bound === 'object') return false;
  return operator === 'gt' ? value > bound : value < bound;
}

interface Cursor {
  readonly tokens: readonly SelectorToken[];
  at: number;
}

const end: SelectorToken = { type: 'end', text: '' };

function peek({ tokens, at }: Cursor): SelectorToken {
  return tokens[at] ?? end;
}

function take(cursor: Cursor): SelectorToken {
  cursor.at += 1;
  return cursor.tokens[cursor.at - 1] ?? end;
}

function isSymbol({ type, text }: SelectorToken, symbol: string): boolean {
  return type === 'symbol' && text === symbol;
}

/** `in` and `notin` are ordinary names where an operator is not allowed. */
function isName({ type }: SelectorToken): boolean {
  return type === 'identifier' || type === 'keyword';
}

function startsRequirement(token: SelectorToken): boolean {
  return isName(token) || isSymbol(token, '!');
}

function requirement(server: ApiServer, cursor: Cursor): TextRequirement {
  const isNegated = isSymbol(peek(cursor), '!');
  if (isNegated) take(cursor);
  const key = take(cursor);
  if (!isName(key)) throw unparsable(`found '${key.text}', expected: identifier`);
  const problems = labelKeyProblems(server, key.text);
  if (problems.length > 0) throw unparsable(printFieldErrors([invalidValue('<nil>', key.text, problems.join('; '))]));
  const endsHere = peek(cursor).type === 'end' || isSymbol(peek(cursor), ',');
  if (isNegated || endsHere) return { key: key.text, operator: isNegated ? '!' : 'exists', values: [] };
  const operator = binaryOperator(take(cursor));
  const values = [...new Set(operator === 'in' || operator === 'notin' ? valueList(cursor) : [exactValue(cursor)])].sort();
  checkValues(server, key.text, operator, values);
  return { key: key.text, operator, values };
}

const binaryOperators = new Map<string, TextOperator>([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

function binaryOperator(token: SelectorToken): TextOperator {
  const operator = token.type === 'identifier' ? undefined : binaryOperators.get(token.text);
  if (operator === undefined) throw unparsable(`found '${token.text}', expected: ${[...binaryOperators.values()].join(', ')}`);
  return operator;
}

/** Parses `(a,b)`, where an empty item is the empty value. */
function valueList(cursor: Cursor): string[] {
  const opened = take(cursor);
  if (!isSymbol(opened, '(')) throw unparsable(`found '${opened.text}' expected: '('`);
  const first = peek(cursor);
  if (isSymbol(first, ')')) {
    take(cursor);
    return [''];
  }
  if (!isName(first) && !isSymbol(first, ',')) throw unparsable(`found '${first.text}', expected: ',', ')' or identifier`);
  const values: string[] = [];
  while (!isSymbol(peek(cursor), ')')) takeValue(cursor, values);
  take(cursor);
  return values;
}

function takeValue(cursor: Cursor, values: string[]): void {
  const token = take(cursor);
  const next = peek(cursor);
  if (isName(token)) {
    values.push(token.text);
    if (!isSymbol(next, ',') && !isSymbol(next, ')')) throw unparsable(`found '${next.text}', expected: ',' or ')'`);
  } else if (isSymbol(token, ',')) {
    if (values.length === 0 || isSymbol(next, ')') || isSymbol(next, ',')) values.push('');
  } else throw unparsable(`found '${token.text}', expected: ',', or identifier`);
}

function exactValue(cursor: Cursor): string {
  if (peek(cursor).type === 'end' || isSymbol(peek(cursor), ',')) return '';
  const token = take(cursor);
  if (!isName(token)) throw unparsable(`found '${token.text}', expected: identifier`);
  return token.text;
}

/** Source: labels.NewRequirement. */
function checkValues(server: ApiServer, key: string, operator: TextOperator, values: readonly string[]): void {
  const numbers = operator === 'gt' || operator === 'lt' ? values : [];
  const noNumbers = numbers.flatMap((value, i) =>
    isInteger(value) ? [] : [invalidValue(`values[${i}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")],
  );
  const noValues = values.flatMap((value, i) => {
    const problems = labelValueProblems(server, value);
    return problems.length === 0 ? [] : [invalidValue(`values[${i}][${key}]`, value, problems.join('; '))];
  });
  const errors = [...noNumbers, ...noValues];
  if (errors.length > 0) throw unparsable(printFieldErrors(errors));
}

function isInteger(text: string): boolean {
  return typeof parseInt64(text) === 'bigint';
}

function unparsable(message: string): SelectorTextError {
  return new SelectorTextError(`unable to parse requirement: ${message}`);
}

function requirementText({ key, operator, values }: TextRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    case 'gt':
      return `${key}>${values.join(',')}`;
    case 'lt':
      return `${key}<${values.join(',')}`;
    default:
      return `${key}${operator}${values.join(',')}`;
  }
}

/** Token of a selector; `end` follows the last one. */
type SelectorToken = { readonly type: 'identifier' | 'symbol' | 'keyword' | 'end'; readonly text: string };

/** Returns the tokens of a selector. A NUL ends it, as in Go. Source: apimachinery labels Lexer. */
function selectorTokens(selector: string): readonly SelectorToken[] {
  const end = selector.indexOf('\0');
  const tokens: SelectorToken[] = [];
  for (const match of (end < 0 ? selector : selector.slice(0, end)).matchAll(/==|!=|[=!(),<>]|[^=!(),<> \t\r\n]+/g)) {
    const text = match[0];
    tokens.push({ type: keywords.has(text) ? 'keyword' : symbols.test(text) ? 'symbol' : 'identifier', text });
  }
  return [...tokens, { type: 'end', text: '' }];
}

const keywords = new Set(['in', 'notin']);
const symbols = /^[=!(),<>]/;
