/** Returns the values of each key, in the order in which they come. Keys may be those of every object, such as `constructor` and `__proto__`. */
export function groupedValues(pairs: Iterable<readonly [key: string, value: string]>): Readonly<Record<string, string[]>> {
  const groups = new Map<string, string[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return Object.fromEntries(groups);
}
