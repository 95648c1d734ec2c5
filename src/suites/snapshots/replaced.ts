import type { Value, ValueMap } from '../../go/value.js';

/** The list with every item replaced; the list itself where no item is another: most of what is looked through for secrets stays as it is. */
export function withItems(list: Value[], replace: (item: Value) => Value): Value[] {
  const items = list.map(replace);
  return items.some((item, i) => item !== list[i]) ? items : list;
}

/** The same for the members of a map, in their order. */
export function withMembers(map: ValueMap, replace: (member: Value, key: string) => Value): ValueMap {
  let replaced: ValueMap | undefined;
  for (const [key, member] of map) {
    const other = replace(member, key);
    if (other === member) continue;
    replaced ??= new Map(map);
    replaced.set(key, other);
  }
  return replaced ?? map;
}
