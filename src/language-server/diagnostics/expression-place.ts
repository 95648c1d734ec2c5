import { offsetInScalar } from '../text/scalar-units.js';
import type { ScalarTextNode } from '../text/text-node.js';
import type { Range } from './problem.js';

/**
 * Returns the range in the text of the first CEL error of a message, `ERROR: <input>:1:12: ...`, in the scalar that holds the expression: the word at that
 * place. Undefined if the message has no such place, or the scalar is another expression.
 */
export function rangeInExpression(text: string, node: ScalarTextNode, message: string): Range | undefined {
  const [, line = '', column = '', quoted = ''] = /ERROR: <input>:(\d+):(\d+): [^\n]*(?:\n \| ([^\n]*))?/.exec(message) ?? [];
  if (line === '') return undefined;
  const index = indexOfPlace(node.value, { line: Number(line), column: Number(column), quoted });
  if (index === undefined) return undefined;
  const start = offsetInScalar(text, node, index);
  const length = wordAt.exec(node.value.slice(index))?.[0].length ?? 1;
  return { start, end: Math.max(start + 1, offsetInScalar(text, node, index + length - 1) + 1) };
}

const wordAt = /^(?:[A-Za-z_]\w*|\d[\w.]*|"[^"\n]*"|'[^'\n]*'|[=!<>&|]{1,2})/;

/** Lines and columns count characters from 1. The API server removes white space around some expressions before it compiles them. */
function indexOfPlace(
  value: string,
  { line, column, quoted }: { readonly line: number; readonly column: number; readonly quoted: string },
): number | undefined {
  const start = value.length - value.trimStart().length;
  for (const from of [start, 0]) {
    const lines = value.slice(from).split('\n');
    const own = lines[line - 1];
    if (own === undefined || (quoted !== '' && !sameLine(quoted, own))) continue;
    const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const characters = [...own].slice(0, Math.max(0, column - 1)).join('').length;
    return Math.min(from + before + characters, value.length);
  }
  return undefined;
}

/** cel-go shows tabs and wide characters in another way. */
function sameLine(quoted: string, line: string): boolean {
  return quoted.replace(/\s|[^\x20-\x7e]/g, '') === line.replace(/\s|[^\x20-\x7e]/g, '');
}
