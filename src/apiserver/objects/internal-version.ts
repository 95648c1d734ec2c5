import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { Schema, StructSchema } from '../../kubernetes/schema.js';
import type { ConversionRule } from './conversion-rules.js';
import { innerVisitor } from './inner-fields.js';

/** Converts a value of a version to the internal form, in place. Throws DecodeError where a conversion fails. */
export function toInternal(schema: StructSchema, value: ValueMap): void {
  walkFields(schema, value, toInternal);
  ruleOf(schema)?.toInternal?.(value, schema.server);
}

/** Converts the internal form to a value of a version, in place. Fields that the version does not have are removed. */
export function fromInternal(schema: StructSchema, value: ValueMap): void {
  const rule = ruleOf(schema);
  rule?.fromInternal?.(value, schema.server);
  for (const key of value.keys()) if (!schema.fieldsByName.has(key) && rule?.internalFields?.includes(key) !== true) value.delete(key);
  walkFields(schema, value, fromInternal);
}

function ruleOf({ server, name }: StructSchema): ConversionRule | undefined {
  return server.scheme.conversionRule(name);
}

type Walk = (schema: StructSchema, value: ValueMap) => void;

function walkFields(schema: StructSchema, value: ValueMap, walk: Walk): void {
  visitInner(schema, value, (field, held) => walkValue(field.schema, held, walk));
}

function walkValue(schema: Schema, value: Value, walk: Walk): void {
  if (schema.type === 'struct') {
    if (isMap(value)) walk(schema, value);
  } else if (schema.type === 'list') {
    if (isList(value)) for (const item of value) walkValue(schema.items, item, walk);
  } else if (schema.type === 'map') {
    if (isMap(value)) for (const entry of value.values()) walkValue(schema.values, entry, walk);
  } else if (schema.of?.type === 'struct') {
    // JSON schemas in a definition: a single one, a list of them, or an alternative such as a boolean, which is skipped.
    for (const item of isList(value) ? value : [value]) if (isMap(item)) walk(schema.of, item);
  }
}

const visitInner = innerVisitor({ struct: schema => ruleOf(schema) !== undefined });
