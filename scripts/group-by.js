/** Elements by what `keyOf` says of each, in the order of the first. `Map.groupBy` needs a newer Node.js. */
export function groupBy(elements, keyOf) {
  const groups = new Map();
  for (const element of elements) {
    const key = keyOf(element);
    if (groups.has(key)) groups.get(key).push(element);
    else groups.set(key, [element]);
  }
  return groups;
}
