import { isList, isMap, type Value } from '../go/value.js';

/** Steps from an object to a field: keys, indexes, `*` for every member or item. */
export type AnswerPath = readonly (string | number | typeof every)[];

/** The step to every member or item. Plain data, because suites are copied to threads. */
export const every = null;

/**
 * Parses `spec.containers[0].image`, `metadata.annotations["example.com/a.b"]`, `spec.containers[*].env`; a leading dot is allowed. Returns
 * an error message if it is invalid.
 */
export function parseFieldPath(text: string): AnswerPath | { readonly error: string } {
  const steps: (string | number | typeof every)[] = [];
  for (let at = 0; at < text.length; ) {
    step.lastIndex = at;
    const match = step.exec(text);
    if (match === null) return { error: `is invalid at ${JSON.stringify(text.slice(at))}` };
    const [whole, name, index, quoted] = match;
    if (name !== undefined && at > 0 && !whole.startsWith('.')) return { error: `needs a dot before ${JSON.stringify(name)}` };
    steps.push(index === '*' || name === '*' ? every : index !== undefined ? Number(index) : (name ?? unquoted(quoted ?? '')));
    at += whole.length;
  }
  return steps.length === 0 ? { error: 'does not name a field' } : steps;
}

const step = /\.?([^.[\]"'\s]+)|\[(\d+|\*)\]|\[("(?:[^"\\]|\\["\\])*"|'[^']*')\]/y;

function unquoted(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1) : String(JSON.parse(text));
}

/** Formats a path so that `parseFieldPath` can parse it. */
export function fieldPathText(path: AnswerPath): string {
  const text = path.map(part => {
    if (part === every) return '[*]';
    if (typeof part === 'number') return `[${part}]`;
    return /^[^.[\]"'\s*]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
  });
  return text.join('').replace(/^\./, '');
}

/** The values at a path, with the exact path of each; empty if it matches nothing. */
export function valuesAt(value: Value | undefined, path: AnswerPath): { readonly value: Value; readonly path: AnswerPath }[] {
  let found: { value: Value; path: AnswerPath }[] = value === undefined ? [] : [{ value, path: [] }];
  for (const part of path)
    found = found.flatMap(at => membersOf(at.value, part).map(([key, member]) => ({ value: member, path: [...at.path, key] })));
  return found;
}

/** The longest prefix of a path that exists. */
export function existingPart(value: Value | undefined, path: AnswerPath): AnswerPath {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length);
    if (valuesAt(value, part).length > 0) return part;
  }
  return [];
}

/** The members or items that a step selects. */
export function membersOf(value: Value, part: AnswerPath[number]): [string | number, Value][] {
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
