import { isMap, sameValue } from '../../../go/value.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { encodeTyped } from '../../objects/encode-typed.js';
import { declared } from './declared.js';
import type { FieldPath } from './field-path.js';
import { checkKnown, checkName } from './rules.js';

/** The tags of declarative validation, for kinds that are validated only by it. Source: apimachinery pkg/api/validate. */

/** `+k8s:required` or `+k8s:optional` with a `+k8s:format`: validates the string of a member. */
export function declaredText(text: FieldPath, problems: (text: string) => string[], isRequired: boolean): void {
  declared(text, undefined, () => {
    if (text.text() !== '') checkName(text, problems);
    else if (isRequired) text.required();
    else if (text.isSet() && isPointer(text)) checkName(text, problems);
  });
}

/** An optional string of Go's type `*string` is validated even when it is empty. */
function isPointer(text: FieldPath): boolean {
  return text.value === '' && /Name$/.test(text.path) && !text.path.endsWith('riorityClassName');
}

/** `+k8s:required` with `+k8s:enum`: validates a string that is one of a few. */
export function declaredEnum(text: FieldPath, values: readonly string[], isRequired: boolean): void {
  declared(text, undefined, () => {
    if (text.text() !== '') checkKnown(text, values);
    else if (isRequired) text.required();
  });
}

/** `+k8s:union`: exactly one of the members must be set; an update may keep what is set. Source: union.go. */
export function declaredUnion(union: FieldPath, members: readonly string[], old?: FieldPath): void {
  const given = members.filter(name => isMember(union, name));
  if (given.length === 1 || (old !== undefined && members.every(name => isMember(old, name) === given.includes(name)))) return;
  const all = members.map(name => `\`${name}\``).join(', ');
  declared(union, undefined, () => {
    if (given.length === 0) union.invalid('', `must specify one of: ${all}`);
    else union.invalid(`{${given.join(', ')}}`, `must specify exactly one of: ${all}`);
  });
}

function isMember(union: FieldPath, name: string): boolean {
  const member = union.child(name);
  return Array.isArray(member.value) ? member.length() > 0 : union.has(name);
}

/** `+k8s:required` and `+k8s:minimum`: a number that is missing is 0. */
export function declaredMinimum(number: FieldPath, least: bigint): void {
  declared(number, undefined, () => {
    if (number.number() === 0n) number.required();
    else if (number.number() < least) number.invalid(`must be greater than or equal to ${least}`);
  });
}

/** `+k8s:maximum` of an optional number. */
export function declaredMaximum(number: FieldPath, most: bigint): void {
  declared(number, undefined, () => {
    if (number.number() > most) number.invalid(`must be less than or equal to ${most}`);
  });
}

/**
 * `+k8s:maxItems` and `+k8s:listType=map`: validates the number of items and that their key, a member, is unique. The struct of the items is
 * named as in the table of types. Returns the items to validate, none of a list that is too long.
 */
export function declaredItems(
  list: FieldPath,
  most: number,
  { key, struct }: { readonly key?: string; readonly struct?: string } = {},
): readonly FieldPath[] {
  const count = list.length();
  if (count > most) {
    declared(list, undefined, () => list.tooMany(count, most));
    return [];
  }
  const seen = new Set<string>();
  for (const item of list.items()) {
    if (key === undefined || struct === undefined || !isMap(item.value)) break;
    const { value } = item;
    if (seen.has(item.text(key)))
      declared(item, undefined, () => item.duplicate({ rawJson: encodeTyped(value, structNamed(item.server, struct)) }));
    seen.add(item.text(key));
  }
  return list.items();
}

/** `+k8s:immutable`: members that an update may not change. */
export function declaredImmutable(object: FieldPath, old: FieldPath, names: readonly string[]): void {
  for (const name of names) {
    const [now, before] = [object.child(name), old.child(name)];
    if (sameValue(now.value ?? null, before.value ?? null)) continue;
    declared(now, undefined, () => now.invalid(null, 'field is immutable'));
  }
}
