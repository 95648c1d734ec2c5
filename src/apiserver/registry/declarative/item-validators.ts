import { isList, isMap, sameValue, type Value } from '../../../go/value.js';
import { type BadValue, duplicate, type FieldError } from '../../../kubernetes/field-error.js';
import type { Schema } from '../../../kubernetes/schema.js';
import { encodeTyped } from '../../objects/encode-typed.js';
import { shownText } from './formats.js';
import { isNil, memberOf, type Site, sameValues } from './site.js';
import type { Step, StepArgument } from './steps.js';

type Validator = (site: Site, args: readonly StepArgument[]) => FieldError[];

/** Validators of the items of lists and maps. Source: apimachinery api/validate/each.go. */
export const itemValidators: readonly (readonly [name: string, validator: Validator])[] = [
  ['EachValSliceVal', itemErrors],
  ['EachSliceVal', itemErrors],
  ['EachMapVal', entryErrors],
  ['EachMapKey', keyErrors],
  ['ValSliceUnique', uniqueErrors],
  ['Unique', uniqueErrors],
];

export function itemsOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}

/** Reports whether two items have the same keys; `=` compares them whole. */
export function matches(a: Value, b: Value, keys: StepArgument | undefined): boolean {
  if (keys === '=') return sameValue(a, b);
  const textOf = (item: Value, key: string): Value => memberOf(item, key) ?? '';
  return (keys as readonly string[]).every(key => sameValue(textOf(a, key), textOf(b, key)));
}

function itemErrors(site: Site, [keys, equality, steps]: readonly StepArgument[]): FieldError[] {
  const schema = site.schema?.type === 'list' ? site.schema.items : undefined;
  const stored = itemsOf(site.old);
  return itemsOf(site.value).flatMap((value, i) => {
    const old = keys === null ? undefined : stored.find(each => matches(each, value, keys));
    const inner: Site = { ...site, path: `${site.path}[${i}]`, value, old, hasOld: old !== undefined, schema, pointer: false };
    if (site.isUpdate && old !== undefined && (equality === null || sameValues(inner, value, old))) return [];
    return site.run(inner, steps as readonly Step[]);
  });
}

function entryErrors(site: Site, [equality, steps]: readonly StepArgument[]): FieldError[] {
  if (!isMap(site.value)) return [];
  const schema = site.schema?.type === 'map' ? site.schema.values : undefined;
  return [...site.value].flatMap(([key, value]) => {
    const old = memberOf(site.old, key);
    const inner: Site = { ...site, path: `${site.path}[${key}]`, value, old, hasOld: old !== undefined, schema, pointer: false };
    if (site.isUpdate && old !== undefined && equality !== null && sameValues(inner, value, old)) return [];
    return site.run(inner, steps as readonly Step[]);
  });
}

/** Keys have the path of their map. */
function keyErrors(site: Site, [steps]: readonly StepArgument[]): FieldError[] {
  if (!isMap(site.value)) return [];
  return [...site.value.keys()].flatMap(key => {
    if (site.isUpdate && memberOf(site.old, key) !== undefined) return [];
    const inner: Site = { ...site, value: key, old: undefined, hasOld: false, schema: undefined, pointer: false };
    return site.run(inner, steps as readonly Step[]);
  });
}

function uniqueErrors(site: Site, [keys]: readonly StepArgument[]): FieldError[] {
  const schema = site.schema?.type === 'list' ? site.schema.items : undefined;
  const items = itemsOf(site.value);
  return items.flatMap((item, i) => {
    const isRepeated = items.some((other, j) => j < i && matches(other, item, keys));
    return isRepeated ? [duplicate(`${site.path}[${i}]`, shownItem(site, item, schema))] : [];
  });
}

/** Returns an item as errors show it: whole. */
function shownItem(site: Site, item: Value, schema: Schema | undefined): BadValue {
  if (typeof item === 'string') return shownText(site, item);
  if (isMap(item) && schema?.type === 'struct') return { rawJson: encodeTyped(item, schema) };
  return isNil(item) || typeof item === 'object' ? null : item;
}
