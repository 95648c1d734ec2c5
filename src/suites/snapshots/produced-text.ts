import { writeYaml } from '../../encoding/yaml-writer.js';
import { isList, isMap, isRawJson, type Value } from '../../go/value.js';
import { canonicalSnapshot } from './canonical.js';
import { snapshotText } from './snapshot-text.js';

/**
 * Returns the text of a snapshot document that a case produced, in canonical form. Most cases of a suite get the same answers: the text of equal calls is
 * not written again, because comparing values takes a tenth of the time of writing them.
 */
export function producedText(document: Value): string {
  const calls = isMap(document) && document.size === 2 ? document.get('calls') : undefined;
  const name = isMap(document) ? document.get('case') : undefined;
  if (calls === undefined || name === undefined) return snapshotText(canonicalSnapshot(document));
  // Keys are sorted: the calls come first.
  return textOfCalls(calls) + writeYaml(new Map([['case', name]]));
}

const textOfCalls = forEqualValues(8, calls => snapshotText(canonicalSnapshot(new Map([['calls', calls]]))));

/** Memoizes a function of a value for the last values it was called with. Values must not change. */
function forEqualValues<V>(count: number, compute: (value: Value) => V): (value: Value) => V {
  const last: { readonly value: Value; readonly result: V }[] = [];
  return value => {
    const known = last.find(one => hasSameText(one.value, value));
    if (known !== undefined) return known.result;
    const result = compute(value);
    if (last.unshift({ value, result }) > count) last.pop();
    return result;
  };
}

/** Whether two values are certain to be written as the same text: equal in any order of keys, which are sorted. */
function hasSameText(a: Value, b: Value): boolean {
  if (isMap(a)) {
    if (!isMap(b) || a.size !== b.size) return false;
    for (const [key, value] of a) {
      const other = b.get(key);
      if (other === undefined || !hasSameText(value, other)) return false;
    }
    return true;
  }
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => hasSameText(item, b[i] ?? null));
  return !isRawJson(a) && Object.is(a, b);
}
