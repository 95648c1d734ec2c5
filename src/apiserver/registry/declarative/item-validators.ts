import { isList, isMap, sameValue, type Value } from '../../../go/value.js';
import { type BadValue, duplicate, type FieldError } from '../../../kubernetes/field-error.js';
import type { Schema } from '../../../kubernetes/schema.js';
import { encodeTyped } from '../../objects/encode-typed.js';
import { shownFormatText } from './formats.js';
import { isNil, memberOfSite, sameValues, type ValidationSite } from './site.js';
import type { StepArgument, ValidationStep } from './steps.js';

type Validator = (site: ValidationSite, args: readonly StepArgument[]) => FieldError[];

/** Validators of the items of lists and maps. Source: apimachinery api/validate/each.go. */
export const itemValidators: readonly (readonly [name: string, validator: Validator])[] = [
  ['EachValSliceVal', itemErrors],
  ['EachSliceVal', itemErrors],
  ['EachMapVal', entryErrors],
  ['EachMapKey', keyErrors],
  ['ValSliceUnique', uniqueErrors],
  ['Unique', uniqueErrors],
];

export function validatedItemsOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}

/** Reports whether two items have the same keys; `=` compares them whole. */
export function matchesItem(a: Value, b: Value, keys: StepArgument | undefined): boolean {
  if (keys === '=') return sameValue(a, b);
  const keyText = (item: Value, key: string): Value => memberOfSite(item, key) ?? '';
  return (keys as readonly string[]).every(key => sameValue(keyText(a, key), keyText(b, key)));
}

function itemErrors(site: ValidationSite, [keys, equality, steps]: readonly StepArgument[]): FieldError[] {
  const schema = site.schema?.type === 'list' ? site.schema.items : undefined;
  const stored = validatedItemsOf(site.old);
  return validatedItemsOf(site.value).flatMap((value, i) => {
    const old = keys === null ? undefined : stored.find(each => matchesItem(each, value, keys));
    const inner: ValidationSite = { ...site, path: `${site.path}[${i}]`, value, old, hasOld: old !== undefined, schema, pointer: false };
    if (site.isUpdate && old !== undefined && (equality === null || sameValues(inner, value, old))) return [];
    return site.run(inner, steps as readonly ValidationStep[]);
  });
}

function entryErrors(site: ValidationSite, [equality, steps]: readonly StepArgument[]): FieldError[] {
  if (!isMap(site.value)) return [];
  const schema = site.schema?.type === 'map' ? site.schema.values : undefined;
  return [...site.value].flatMap(([key, value]) => {
    const old = memberOfSite(site.old, key);
    const inner: ValidationSite = { ...site, path: `${site.path}[${key}]`, value, old, hasOld: old !== undefined, schema, pointer: false };
    if (site.isUpdate && old !== undefined && equality !== null && sameValues(inner, value, old)) return [];
    return site.run(inner, steps as readonly ValidationStep[]);
  });
}

/** Keys have the path of their map. */
function keyErrors(site: ValidationSite, [steps]: readonly StepArgument[]): FieldError[] {
  if (!isMap(site.value)) return [];
  return [...site.value.keys()].flatMap(key => {
    if (site.isUpdate && memberOfSite(site.old, key) !== undefined) return [];
    const inner: ValidationSite = { ...site, value: key, old: undefined, hasOld: false, schema: undefined, pointer: false };
    return site.run(inner, steps as readonly ValidationStep[]);
  });
}

function uniqueErrors(site: ValidationSite, [keys]: readonly StepArgument[]): FieldError[] {
  const schema = site.schema?.type === 'list' ? site.schema.items : undefined;
  const items = validatedItemsOf(site.value);
  return items.flatMap((item, i) => {
    const isRepeated = items.some((other, j) => j < i && matchesItem(other, item, keys));
    return isRepeated ? [duplicate(`${site.path}[${i}]`, shownItem(site, item, schema))] : [];
  });
}

/** Returns an item as errors show it: whole. */
function shownItem(site: ValidationSite, item: Value, schema: Schema | undefined): BadValue {
  if (typeof item === 'string') return shownFormatText(site, item);
  if (isMap(item) && schema?.type === 'struct') return { rawJson: encodeTyped(item, schema) };
  return isNil(item) || typeof item === 'object' ? null : item;
}
