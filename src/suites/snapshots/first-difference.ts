import { isList, isMap, type Value } from '../../go/value.js';
import { fieldPathText } from '../field-path.js';
import { readableJson } from '../readable-json.js';

export interface Difference {
  /** `calls[0].webhooks[1].patch[2].value.image` */
  readonly path: string;
  /** Compact JSON; undefined: there is nothing. */
  readonly expected: string | undefined;
  readonly actual: string | undefined;
}

/** The first field that differs, in the order in which a snapshot shows them; undefined when none does. */
export function firstDifference(expected: Value, actual: Value): Difference | undefined {
  return differenceAt(expected, actual, []);
}

function differenceAt(expected: Value | undefined, actual: Value | undefined, path: readonly (string | number)[]): Difference | undefined {
  if (isMap(expected) && isMap(actual)) {
    const keys = [...new Set([...expected.keys(), ...actual.keys()])].sort();
    // A diff of text repeats what other fields say field by field.
    const ordered = [...keys.filter(key => key !== 'diff'), ...keys.filter(key => key === 'diff')];
    return firstOf(ordered, key => differenceAt(expected.get(key), actual.get(key), [...path, key]));
  }
  if (isList(expected) && isList(actual)) {
    const indexes = Array.from({ length: Math.max(expected.length, actual.length) }, (_, i) => i);
    return firstOf(indexes, i => differenceAt(expected[i], actual[i], [...path, i]));
  }
  const [left, right] = [jsonOf(expected), jsonOf(actual)];
  return left === right ? undefined : { path: fieldPathText(path), expected: left, actual: right };
}

function firstOf<T>(items: readonly T[], find: (item: T) => Difference | undefined): Difference | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function jsonOf(value: Value | undefined): string | undefined {
  return value === undefined ? undefined : readableJson(value);
}
