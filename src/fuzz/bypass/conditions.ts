import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { Path } from '../inputs/with-value.js';

/** A field that a condition compares with a text. */
export interface ComparedField {
  readonly path: Path;
  readonly text: string;
}

const field = String.raw`(?:object|variables\.object)((?:\.\??[A-Za-z_]\w*)+)`;
const literal = String.raw`(?:"([^"\\]*)"|'([^'\\]*)')`;
const comparisons = [new RegExp(`${field}\\s*[!=]=\\s*${literal}`, 'g'), new RegExp(`${field}\\.startsWith\\(${literal}\\)`, 'g')];

/** Returns the fields of the object that the expressions of webhooks and policies compare with texts, each pair once. */
export function conditionsOn(configurations: readonly ValueMap[]): ComparedField[] {
  const found = new Map<string, ComparedField>();
  for (const expression of configurations.flatMap(expressionsIn)) {
    for (const [whole, path = '', double, single] of comparisons.flatMap(pattern => [...expression.matchAll(pattern)])) {
      const text = double ?? single ?? '';
      if (text !== '') found.set(whole, { path: path.slice(1).replaceAll('?', '').split('.'), text });
    }
  }
  return [...found.values()];
}

/** Returns the values of all members with this name. */
function expressionsIn(value: Value): string[] {
  if (isList(value)) return value.flatMap(expressionsIn);
  if (!isMap(value)) return [];
  return [...value].flatMap(([key, member]) => (key === 'expression' && typeof member === 'string' ? [member] : expressionsIn(member)));
}
