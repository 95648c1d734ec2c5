import { stringAt, type Value, valueAt } from '../go/value.js';

/** Merges two lists, without entries covered by others. Source: kubernetes pkg/util/tolerations MergeTolerations. */
export function mergeTolerations(first: readonly Value[], second: readonly Value[]): Value[] {
  const all = [...first, ...second];
  const merged: Value[] = [];
  for (const [i, toleration] of all.entries()) {
    const coveredBefore = merged.some(other => covers(other, toleration));
    const coveredLater = all.slice(i + 1).some(other => !sameToleration(toleration, other) && covers(other, toleration));
    if (!coveredBefore && !coveredLater) merged.push(toleration);
  }
  return merged;
}

/** Reports whether every toleration is covered by one of a list. Source: kubernetes pkg/util/tolerations VerifyAgainstWhitelist. */
export function allCovered(tolerations: readonly Value[], by: readonly Value[]): boolean {
  return by.length === 0 || tolerations.every(toleration => by.some(other => covers(other, toleration)));
}

/** Reports whether two tolerations have the same key, operator, value, effect and seconds. */
export function sameToleration(a: Value, b: Value): boolean {
  const texts = ['key', 'operator', 'value', 'effect'].every(key => stringAt(a, key) === stringAt(b, key));
  return texts && valueAt(a, 'tolerationSeconds') === valueAt(b, 'tolerationSeconds');
}

/** Source: kubernetes pkg/util/tolerations isSuperset. */
function covers(more: Value, less: Value): boolean {
  if (sameToleration(more, less)) return true;
  const [key, operator, effect] = ['key', 'operator', 'effect'].map(name => stringAt(more, name));
  if (stringAt(less, 'key') !== key && (key !== '' || operator !== 'Exists')) return false;
  if (stringAt(less, 'effect') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && !lastsAsLong(valueAt(more, 'tolerationSeconds'), valueAt(less, 'tolerationSeconds'))) return false;
  if (operator === 'Exists') return true;
  // A missing operator of the covered one is not treated as Equal.
  return (
    (operator === '' || operator === 'Equal') &&
    stringAt(less, 'operator') === 'Equal' &&
    stringAt(less, 'value') === stringAt(more, 'value')
  );
}

function lastsAsLong(more: Value | undefined, less: Value | undefined): boolean {
  return typeof more !== 'bigint' || (typeof less === 'bigint' && less <= more);
}
