import type { Value } from '../kubernetes/value.js';
import { writeYaml } from './yaml-writer.js';

/** A value as the API server writes YAML. Source: sigs.k8s.io/yaml, whose emitter folds long lines. */
export function writeFoldedYaml(value: Value): string {
  return writeYaml(value).split('\n').map(foldedLine).join('\n');
}

const bestWidth = 80;

/** Breaks a plain or quoted scalar at the spaces behind the best width, as go-yaml's emitter does. */
function foldedLine(line: string): string {
  if (line.length <= bestWidth) return line;
  const match = /^( *)((?:- )*)((?:"(?:[^"\\]|\\.)*"|[^"'\s][^:]*?|'(?:[^']|'')*'): )?(.*)$/.exec(line);
  if (match === null) return line;
  const [, indent = '', dashes = '', key = '', scalar = ''] = match;
  const start = indent.length + dashes.length + key.length;
  const next = ' '.repeat(indent.length + dashes.length + (key === '' ? 0 : 2));
  return `${indent}${dashes}${key}${folded(scalar, start, next)}`;
}

function folded(scalar: string, start: number, next: string): string {
  const quote = scalar[0] === "'" || scalar[0] === '"' ? scalar[0] : '';
  let [column, out] = [start, ''];
  for (let i = 0; i < scalar.length; i += 1) {
    const character = scalar[i] ?? '';
    const isSingleSpace = character === ' ' && scalar[i - 1] !== ' ' && scalar[i + 1] !== ' ';
    const isInside = quote === '' ? i > 0 && i < scalar.length - 1 : i > 1 && i < scalar.length - 2;
    if (isSingleSpace && isInside && column > bestWidth) {
      out += `\n${next}`;
      column = next.length;
      continue;
    }
    out += character;
    column += 1;
  }
  return out;
}
