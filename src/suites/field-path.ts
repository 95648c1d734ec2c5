import { isList, isMap, type Value } from '../go/value.js';
import { every, type FieldPath } from './suite.js';

/**
 * Reads `spec.containers[0].image`, `metadata.annotations["example.com/a.b"]`, `spec.containers[*].env`; a dot may stand in front.
 * Answers what is wrong with it otherwise.
 */
export function parseFieldPath(text: string): FieldPath | { readonly error: string } {
  const steps: (string | number | typeof every)[] = [];
  for (let at = 0; at < text.length; ) {
    step.lastIndex = at;
    const match = step.exec(text);
    if (match === null) return { error: `cannot be read from ${JSON.stringify(text.slice(at))} on` };
    const [whole, name, index, quoted] = match;
    if (name !== undefined && at > 0 && !whole.startsWith('.')) return { error: `needs a dot before ${JSON.stringify(name)}` };
    steps.push(index === '*' || name === '*' ? every : index !== undefined ? Number(index) : (name ?? unquoted(quoted ?? '')));
    at += whole.length;
  }
  return steps.length === 0 ? { error: 'names no field' } : steps;
}

const step = /\.?([^.[\]"'\s]+)|\[(\d+|\*)\]|\[("(?:[^"\\]|\\["\\])*"|'[^']*')\]/y;

function unquoted(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1) : String(JSON.parse(text));
}

/** The path as text: what `parseFieldPath` reads. */
export function fieldPathText(path: FieldPath): string {
  const text = path.map(part => {
    if (part === every) return '[*]';
    if (typeof part === 'number') return `[${part}]`;
    return /^[^.[\]"'\s*]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
  });
  return text.join('').replace(/^\./, '');
}

/** The values at a path, with the exact path of each; none where it leads nowhere. */
export function valuesAt(value: Value | undefined, path: FieldPath): { readonly value: Value; readonly path: FieldPath }[] {
  let found: { value: Value; path: FieldPath }[] = value === undefined ? [] : [{ value, path: [] }];
  for (const part of path)
    found = found.flatMap(at => membersOf(at.value, part).map(([key, member]) => ({ value: member, path: [...at.path, key] })));
  return found;
}

/** How far a path leads: its longest beginning that is there. */
export function existingPart(value: Value | undefined, path: FieldPath): FieldPath {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length);
    if (valuesAt(value, part).length > 0) return part;
  }
  return [];
}

/** The members or items that a step leads to. */
export function membersOf(value: Value, part: FieldPath[number]): [string | number, Value][] {
  if (isMap(value)) {
    if (part === every) return [...value];
    const key = String(part);
    const member = value.get(key);
    return member === undefined ? [] : [[key, member]];
  }
  if (!isList(value)) return [];
  if (part === every) return [...value.entries()];
  const item = typeof part === 'number' ? value[part] : undefined;
  return item === undefined || typeof part !== 'number' ? [] : [[part, item]];
}
