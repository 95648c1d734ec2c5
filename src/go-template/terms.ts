import { quote } from '../go/quote.js';
import { unquote } from '../go/unquote.js';
import type { TemplateToken } from './lexer.js';
import { numberValue } from './literals.js';
import type { Command, Operand, TemplateNode } from './nodes.js';

/** Parses a number or a character as an operand. */
export function numberTerm({ type, at, text }: TemplateToken, fail: (message: string) => never): Operand {
  if (type === 'char') {
    const character = unquote(text);
    if (character === undefined || [...character].length !== 1) fail(`malformed character constant: ${text}`);
    const code = character?.codePointAt(0) ?? 0;
    return { type: 'number', at, text, int: BigInt(code), float: code };
  }
  const value = numberValue(text);
  if (value === undefined)
    return fail(/^[+-]?\d+$/.test(text) ? `integer overflow: ${quote(text)}` : `illegal number syntax: ${quote(text)}`);
  return { type: 'number', at, text, ...value };
}

/** Matches white space, or nothing. */
export function isEmptyList(nodes: readonly TemplateNode[]): boolean {
  return nodes.every(node => node.type === 'text' && node.text.trim() === '');
}

/** Reports whether an operand can start with the token. */
export function startsOperand({ type }: TemplateToken): boolean {
  return ['bool', 'char', 'dot', 'field', 'identifier', 'number', 'nil', 'rawString', 'string', 'variable', 'leftParen'].includes(type);
}

/** Returns what is wrong with the commands of a pipeline. Source: parse.go checkPipeline. */
export function pipelineFault(commands: readonly Command[], context: string): string | undefined {
  if (commands.length === 0) return `missing value for ${context}`;
  const constant = commands.findIndex(
    ({ operands }, i) => i > 0 && ['bool', 'dot', 'nil', 'number', 'string'].includes(operands[0]?.type ?? ''),
  );
  return constant < 0 ? undefined : `non executable command in pipeline stage ${constant + 1}`;
}

/** Returns a constant as Go prints it. */
export function printTerm(term: Operand): string {
  if (term.type === 'string') return term.quoted;
  if (term.type === 'number') return term.text;
  return term.type === 'bool' ? String(term.value) : term.type === 'nil' ? 'nil' : '.';
}
