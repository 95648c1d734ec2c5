import type { BadValue } from '../../../kubernetes/field-error.js';
import type { FieldSchema } from '../../../kubernetes/schema.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import type { Value } from '../../../kubernetes/value.js';
import { encodeAs } from '../../objects/encode-typed.js';
import { internalFieldValue } from './go-value.js';
import { addInvalid, at, type Place } from './place.js';

/** A member that cannot change. Its struct is named as in the table of types, `apps/v1.DeploymentSpec`. Source: ValidateImmutableField. */
export function checkImmutable(object: Place, old: Place, { type, name }: { readonly type: string; readonly name: string }): void {
  const [now, before] = [at(object, name), at(old, name)];
  if (!sameMember(now.value, before.value, { type, name })) addInvalid(now, 'field is immutable', memberValue(now.value, { type, name }));
}

/** Are two values of a member the same, where empty and absent lists and maps are? */
export function sameMember(
  a: Value | undefined,
  b: Value | undefined,
  { type, name }: { readonly type: string; readonly name: string },
): boolean {
  const { schema } = fieldNamed(type, name);
  const text = (value: Value | undefined): string => (isEmpty(value) ? '' : encodeAs(schema, value ?? null));
  return text(a) === text(b);
}

/** A member as an error shows it. */
export function memberValue(value: Value | undefined, { type, name }: { readonly type: string; readonly name: string }): BadValue {
  return internalFieldValue(fieldNamed(type, name), value);
}

function isEmpty(value: Value | undefined): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : value instanceof Map && value.size === 0;
}

function fieldNamed(type: string, name: string): FieldSchema {
  const field = structNamed(type).fieldsByName.get(name);
  if (field === undefined) throw new Error(`${type} has no field ${name}`);
  return field;
}
