import { foldCase } from '../../go/fold-name.js';
import type { FieldSchema, Schema, StructSchema } from '../../kubernetes/schema.js';

/** Go type for reflection: a schema, optionally as a pointer. */
export interface GoType {
  readonly schema: Schema;
  readonly pointer: boolean;
}

/** Returns the type of a field. */
export function typeOfField(field: FieldSchema): GoType {
  return { schema: field.schema, pointer: field.pointer };
}

/** Returns Go's name for the kind of a type: `struct`, `ptr`, `slice`, `int32`. Source: reflect.Kind. */
export function kindOfType({ schema, pointer }: GoType): string {
  if (pointer) return 'ptr';
  if (schema.type === 'list') return 'slice';
  if (schema.type !== 'leaf') return schema.type;
  switch (schema.leaf) {
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
      return schema.leaf;
    case 'bytes':
      return 'slice';
    case 'any':
      return 'interface';
    default:
      return 'struct';
  }
}

/** Returns Go's name of a struct type, without its package. */
export function structName(schema: Schema): string {
  if (schema.type === 'struct') return schema.name.slice(schema.name.lastIndexOf('.') + 1);
  return schema.type === 'leaf' ? (leafStructs.get(schema.leaf) ?? '') : '';
}

/** Go structs that are a single value in JSON. */
const leafStructs: ReadonlyMap<string, string> = new Map([
  ['quantity', 'Quantity'],
  ['intorstring', 'IntOrString'],
  ['time', 'Time'],
  ['microtime', 'MicroTime'],
  ['duration', 'Duration'],
  ['rawextension', 'RawExtension'],
  ['fieldsv1', 'FieldsV1'],
  ['json', 'JSON'],
  ['orBool', 'JSONSchemaPropsOrBool'],
  ['orArray', 'JSONSchemaPropsOrArray'],
  ['orStringArray', 'JSONSchemaPropsOrStringArray'],
]);

/**
 * Returns the field of a struct for a JSON key: an exact match, or else the first case-insensitive one. Source: apimachinery forked json
 * fields.go.
 */
export function fieldIgnoringCase(struct: StructSchema, key: string): FieldSchema | undefined {
  const exact = struct.fieldsByName.get(key);
  if (exact !== undefined) return exact;
  const folded = foldCase(key);
  return struct.fields.find(field => foldCase(field.name) === folded);
}
