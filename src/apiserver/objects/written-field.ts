import { isList, isMap, type Value } from '../../go/value.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { FieldSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { isZeroScalar, zeroValue } from './zero-value.js';

/** A field of a Go struct as Go's JSON writer treats it. */
export interface WrittenField {
  readonly name: string;
  readonly schema: Schema;
  /** What is written where there is no value; undefined: the field is left out then. */
  readonly whenAbsent: Value | undefined;
  /** `null` is a value like any other. */
  readonly holdsNull: boolean;
  /** Left out as well when its value is empty. */
  readonly omitsEmpty: boolean;
}

/** The fields of a struct in the order of their declaration. */
export const writtenFields = memoize((schema: StructSchema): readonly WrittenField[] => schema.fields.map(writtenField));

/** What is written of what a struct holds in a field; undefined when the field is left out. Source: encoding/json encode.go structEncoder. */
export function writtenValue(field: WrittenField, held: Value | undefined): Value | undefined {
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

/** Does an absent value leave no trace? Structs do, whatever their tag says. */
function leavesOutZero({ omitEmpty, omitZero, pointer, schema }: FieldSchema): boolean {
  return omitZero || (omitEmpty && (pointer || !isGoStruct(schema)));
}

/** Is the Go type a struct (a time, a quantity), which `omitempty` never takes for empty? */
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
