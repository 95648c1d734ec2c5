import { fieldPathText } from '../../client/field-path.js';
import { isList, isMap, type Value } from '../../go/value.js';
import { readableJson } from '../readable-json.js';

export interface SnapshotDifference {
  /** `calls[0].webhooks[1].patch[2].value.image` */
  readonly path: string;
  /** Compact JSON; undefined if there is no value. */
  readonly expected: string | undefined;
  readonly actual: string | undefined;
}

/** Whether a value counts as another, which is not equal: a masked one, for example. */
export type Tolerance = (expected: Value, actual: Value) => boolean;

/** The first field that differs, in the order of a snapshot; undefined if none does. */
export function firstDifference(expected: Value, actual: Value): SnapshotDifference | undefined {
  const [first] = differencesAt(expected, actual, [], () => false);
  return first;
}

/** All fields that differ, in the same order. */
export function allDifferences(expected: Value, actual: Value, tolerates: Tolerance = () => false): SnapshotDifference[] {
  return [...differencesAt(expected, actual, [], tolerates)];
}

function* differencesAt(
  expected: Value | undefined,
  actual: Value | undefined,
  path: readonly (string | number)[],
  tolerates: Tolerance,
): Generator<SnapshotDifference, undefined> {
  if (isMap(expected) && isMap(actual)) {
    const keys = [...new Set([...expected.keys(), ...actual.keys()])].sort();
    // A text diff only repeats the differences of other fields.
    const ordered = [...keys.filter(key => key !== 'diff'), ...keys.filter(key => key === 'diff')];
    for (const key of ordered) yield* differencesAt(expected.get(key), actual.get(key), [...path, key], tolerates);
    return;
  }
  if (isList(expected) && isList(actual)) {
    for (let i = 0; i < Math.max(expected.length, actual.length); i += 1)
      yield* differencesAt(expected[i], actual[i], [...path, i], tolerates);
    return;
  }
  if (expected !== undefined && actual !== undefined && tolerates(expected, actual)) return;
  const [left, right] = [jsonOf(expected), jsonOf(actual)];
  if (left !== right) yield { path: fieldPathText(path), expected: left, actual: right };
}

function jsonOf(value: Value | undefined): string | undefined {
  return value === undefined ? undefined : readableJson(value);
}
