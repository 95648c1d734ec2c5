import { isMap, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { FieldError } from '../../../kubernetes/field-error.js';
import type { Schema } from '../../../kubernetes/schema.js';
import { semanticallyEqualAs } from '../../objects/semantic-equality.js';
import { isZeroScalar } from '../../objects/zero-value.js';
import type { ValidationStep } from './steps.js';

/** A value that is validated declaratively, with what the validators know of it. */
export interface ValidationSite {
  readonly server: ApiServer;
  readonly isUpdate: boolean;
  readonly path: string;
  readonly value: Value | undefined;
  /** The stored value. */
  readonly old: Value | undefined;
  /** Whether there is a stored value that this one replaces: Go's old pointer is not nil. */
  readonly hasOld: boolean;
  readonly schema: Schema | undefined;
  /** A Go pointer: an absent value is nil, not zero. */
  readonly pointer: boolean;
  /** Whether its Go type has a name of its own: errors show such a string as JSON. */
  readonly named: boolean;
  /** Runs steps on a value. A member, because validators run the steps of items and members. */
  readonly run: (site: ValidationSite, steps: readonly ValidationStep[]) => FieldError[];
}

/** Returns the site of a member of a struct; undefined members of the schema have no schema. */
export function memberSite(site: ValidationSite, name: string, named: boolean): ValidationSite {
  const field = site.schema?.type === 'struct' ? site.schema.fieldsByName.get(name) : undefined;
  const pointer = field?.pointer ?? false;
  const old = memberOfSite(site.old, name);
  return {
    ...site,
    path: site.path === '' ? name : `${site.path}.${name}`,
    value: memberOfSite(site.value, name),
    old,
    hasOld: site.hasOld && !(pointer && isNil(old)),
    schema: field?.schema,
    pointer,
    named,
  };
}

export function memberOfSite(value: Value | undefined, name: string): Value | undefined {
  return isMap(value) ? value.get(name) : undefined;
}

/** Returns the struct's members, none for an absent one. */
export function structOf(value: Value | undefined): ValueMap {
  return isMap(value) ? value : new Map();
}

export function isNil(value: Value | undefined): boolean {
  return value === undefined || value === null;
}

/** Reports whether a value that is no pointer is Go's zero value. */
export function isZero(value: Value | undefined): boolean {
  return isNil(value) || isZeroScalar(value as Value);
}

/** Reports whether a member is set: a pointer that is not nil, or a list or map with items. */
export function isMemberSet(value: Value | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return !isNil(value);
}

/** Reports semantic equality, where a pointer to a zero value differs from nil. */
export function sameValues(
  { schema, pointer }: Pick<ValidationSite, 'schema' | 'pointer'>,
  a: Value | undefined,
  b: Value | undefined,
): boolean {
  if (pointer && (isNil(a) || isNil(b))) return isNil(a) && isNil(b);
  return schema === undefined ? a === b : semanticallyEqualAs(schema, a ?? undefined, b ?? undefined);
}
