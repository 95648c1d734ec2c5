import { isMap, sameValue } from '../../../go/value.js';
import { tooMany } from '../../../kubernetes/field-error.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { encodeTyped } from '../../objects/encode-typed.js';
import { declared } from './declared.js';
import {
  addDuplicate,
  addInvalid,
  addRequired,
  at,
  hasSet,
  indexed,
  isSet,
  lengthOf,
  numberOf,
  type Place,
  textAt,
  textOf,
} from './place.js';
import { checkKnown, checkName } from './rules.js';

/** The tags of declarative validation, for kinds that are validated only by it. Source: apimachinery pkg/api/validate. */

/** `+k8s:required` or `+k8s:optional` with a `+k8s:format`: validates the string of a member. */
export function declaredText(text: Place, problems: (text: string) => string[], isRequired: boolean): void {
  declared(text, undefined, () => {
    if (textOf(text) !== '') checkName(text, problems);
    else if (isRequired) addRequired(text);
    else if (isSet(text) && isPointer(text)) checkName(text, problems);
  });
}

/** An optional string of Go's type `*string` is validated even when it is empty. */
function isPointer(text: Place): boolean {
  return text.value === '' && /Name$/.test(text.path) && !text.path.endsWith('riorityClassName');
}

/** `+k8s:required` with `+k8s:enum`: validates a string that is one of a few. */
export function declaredEnum(text: Place, values: readonly string[], isRequired: boolean): void {
  declared(text, undefined, () => {
    if (textOf(text) !== '') checkKnown(text, values);
    else if (isRequired) addRequired(text);
  });
}

/** `+k8s:union`: exactly one of the members must be set; an update may keep what is set. Source: union.go. */
export function declaredUnion(union: Place, members: readonly string[], old?: Place): void {
  const given = members.filter(name => isMember(union, name));
  if (given.length === 1 || (old !== undefined && members.every(name => isMember(old, name) === given.includes(name)))) return;
  const all = members.map(name => `\`${name}\``).join(', ');
  declared(union, undefined, () => {
    if (given.length === 0) addInvalid(union, `must specify one of: ${all}`, '');
    else addInvalid(union, `must specify exactly one of: ${all}`, `{${given.join(', ')}}`);
  });
}

function isMember(union: Place, name: string): boolean {
  const member = at(union, name);
  return Array.isArray(member.value) ? lengthOf(member) > 0 : hasSet(union, name);
}

/** `+k8s:required` and `+k8s:minimum`: a number that is missing is 0. */
export function declaredMinimum(number: Place, least: bigint): void {
  declared(number, undefined, () => {
    if (numberOf(number) === 0n) addRequired(number);
    else if (numberOf(number) < least) addInvalid(number, `must be greater than or equal to ${least}`);
  });
}

/** `+k8s:maximum` of an optional number. */
export function declaredMaximum(number: Place, most: bigint): void {
  declared(number, undefined, () => {
    if (numberOf(number) > most) addInvalid(number, `must be less than or equal to ${most}`);
  });
}

/**
 * `+k8s:maxItems` and `+k8s:listType=map`: validates the number of items and that their key, a member, is unique. The struct of the items is
 * named as in the table of types. Returns the items to validate, none of a list that is too long.
 */
export function declaredItems(
  list: Place,
  most: number,
  { key, struct }: { readonly key?: string; readonly struct?: string } = {},
): readonly Place[] {
  const count = lengthOf(list);
  if (count > most) {
    declared(list, undefined, () => list.errors.push(tooMany(list.path, count, most)));
    return [];
  }
  const seen = new Set<string>();
  for (const item of indexed(list)) {
    if (key === undefined || struct === undefined || !isMap(item.value)) break;
    const { value } = item;
    if (seen.has(textAt(item, key)))
      declared(item, undefined, () => addDuplicate(item, { rawJson: encodeTyped(value, structNamed(item.server, struct)) }));
    seen.add(textAt(item, key));
  }
  return indexed(list);
}

/** `+k8s:immutable`: members that an update may not change. */
export function declaredImmutable(object: Place, old: Place, names: readonly string[]): void {
  for (const name of names) {
    const [now, before] = [at(object, name), at(old, name)];
    if (sameValue(now.value ?? null, before.value ?? null)) continue;
    declared(now, undefined, () => addInvalid(now, 'field is immutable', null));
  }
}
