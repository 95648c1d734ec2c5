import { isList, isMap, type Value, type ValueMap } from '../go/value.js';

/** The list with every item replaced; the same list if no item changes, because most values contain no secrets. */
export function withItems(list: Value[], replace: (item: Value, i: number) => Value): Value[] {
  const items = list.map((item, i) => replace(item, i));
  return items.some((item, i) => item !== list[i]) ? items : list;
}

/** The same for the members of a map, in order. */
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

/** The value with every string replaced, but not the keys. */
export function withTexts(value: Value, replace: (text: string) => string): Value {
  if (typeof value === 'string') return replace(value);
  if (isList(value)) return withItems(value, item => withTexts(item, replace));
  return isMap(value) ? withMembers(value, member => withTexts(member, replace)) : value;
}
