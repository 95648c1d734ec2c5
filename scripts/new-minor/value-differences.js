// Differences between two JSON values.

/** Returns `{ steps, change, values }` for each difference: members that are new, gone, changed or in another order; the largest part of a value that is only in one. */
export function differencesOf(from, to, steps = []) {
  if (Object.is(from, to)) return [];
  const areLists = Array.isArray(from) && Array.isArray(to);
  const areObjects = [from, to].every(value => typeof value === 'object' && value !== null && !Array.isArray(value));
  if (!areLists && !areObjects) return [{ steps, change: changeOf(from, to), values: [from, to] }];
  const names = areLists ? [...Array(Math.max(from.length, to.length)).keys()] : [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const differences = names.flatMap(name => differencesOf(from[name], to[name], [...steps, name]));
  const isReordered = differences.length === 0 && areObjects && Object.keys(from).join('\n') !== Object.keys(to).join('\n');
  return isReordered ? [{ steps, change: 'in another order', values: [Object.keys(from), Object.keys(to)] }] : differences;
}

function changeOf(from, to) {
  if (from === undefined) return 'new';
  return to === undefined ? 'gone' : 'changed';
}
