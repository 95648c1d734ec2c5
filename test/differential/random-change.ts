import { copyOf, isList, isMap, type Value } from '../../src/go/value.js';
import type { StructSchema } from '../../src/kubernetes/schema.js';
import type { Random } from './random.js';

/** Changes a value in place: removes members, reverses lists, duplicates items, changes strings. */
export function change(r: Random, value: Value): void {
  if (isList(value)) {
    if (r.chance(10)) value.reverse();
    if (r.chance(10)) value.pop();
    const [first] = value;
    if (first !== undefined && r.chance(8)) value.push(copyOf(first));
    for (const item of value) change(r, item);
  }
  if (!isMap(value)) return;
  for (const [key, member] of [...value]) {
    if (key !== 'kind' && key !== 'apiVersion' && r.chance(7)) value.delete(key);
    else if (typeof member === 'string' && key !== 'kind' && key !== 'apiVersion' && /^[abcd]$/.test(member) && r.chance(10))
      value.set(key, r.pick(['a', 'b', 'c']));
    else change(r, member);
  }
}

/** Removes items with duplicate keys from lists, which are invalid in an apply. */
export function tidy(value: Value, schema: StructSchema): void {
  if (!isMap(value)) return;
  for (const field of schema.fields) {
    const member = value.get(field.name);
    if (field.schema.type === 'struct' && member !== undefined) tidy(member, field.schema);
    if (!isList(member) || field.schema.type !== 'list') continue;
    const { items } = field.schema;
    const keys = field.listMapKeys ?? [];
    const seen = new Set<string>();
    const kept = member.filter(item => {
      if (field.listType === undefined || field.listType === 'atomic') return true;
      const key = isMap(item) ? JSON.stringify(keys.map(k => String(item.get(k)))) : String(item);
      const isNew = !seen.has(key) && (!isMap(item) || keys.every(k => item.has(k)));
      seen.add(key);
      return isNew;
    });
    value.set(field.name, kept);
    for (const item of kept) if (items.type === 'struct') tidy(item, items);
  }
}
