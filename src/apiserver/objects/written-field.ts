import { isList, isMap, type Value } from '../../go/value.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { FieldSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { isZeroScalar, zeroValue } from './zero-value.js';

/** Field of a Go struct as Go's JSON writer handles it. */
export interface WrittenField {
  readonly name: string;
  readonly schema: Schema;
  /** Value written when the field has none; undefined: the field is omitted. */
  readonly whenAbsent: Value | undefined;
  /** `null` is an ordinary value. */
  readonly holdsNull: boolean;
  /** Omitted also when its value is empty. */
  readonly omitsEmpty: boolean;
}

/** Returns the fields of a struct in declaration order. */
export const writtenFields = memoize((schema: StructSchema): readonly WrittenField[] => schema.fields.map(writtenField));

/** Returns the value that is written for a field; undefined when it is omitted. Source: encoding/json encode.go structEncoder. */
export function writtenFieldValue(field: WrittenField, held: Value | undefined): Value | undefined {
  if (held === undefined || (held === null && !field.holdsNull)) return field.whenAbsent;
  return field.omitsEmpty && isEmpty(held, field.schema) ? undefined : held;
}

function writtenField(field: FieldSchema): WrittenField {
  const { name, schema, pointer, omitEmpty } = field;
  return {
    name,
    schema,
    whenAbsent: leavesOutZero(field) ? undefined : zeroValue(schema, pointer),
    holdsNull: schema.type === 'leaf' && (schema.leaf === 'orArray' || schema.leaf === 'orStringArray'),
    omitsEmpty: omitEmpty && !pointer && !isGoStruct(schema),
  };
}

/** Reports whether an absent value is omitted. Structs always are, regardless of their tag. */
function leavesOutZero({ omitEmpty, omitZero, pointer, schema }: FieldSchema): boolean {
  return omitZero || (omitEmpty && (pointer || !isGoStruct(schema)));
}

/** Reports whether the Go type is a struct (a time, a quantity), which `omitempty` never omits. */
function isGoStruct(schema: Schema): boolean {
  if (schema.type !== 'leaf') return schema.type === 'struct';
  return !scalars.has(schema.leaf);
}

const scalars = new Set(['string', 'bool', 'int32', 'int64', 'float64', 'bytes', 'any']);

function isEmpty(value: Value, schema: Schema): boolean {
  if (schema.type === 'list') return isList(value) && value.length === 0;
  if (schema.type === 'map') return isMap(value) && value.size === 0;
  return isZeroScalar(value);
}
