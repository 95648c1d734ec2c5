import type { LeafName, Schema } from '../../kubernetes/schema.js';

/**
 * Returns a Go type, without pointer, as Go prints it in errors: `[]v1.Container`, `map[string]string`. `given` is the table's name, where
 * the schema does not define it.
 */
export function goTypeName(schema: Schema, given?: string): string {
  if (given !== undefined) return given;
  switch (schema.type) {
    case 'struct':
      return schema.goName;
    case 'list':
      return `[]${schema.pointer ? '*' : ''}${goTypeName(schema.items)}`;
    case 'map':
      return `map[string]${schema.pointer ? '*' : ''}${goTypeName(schema.values)}`;
    default:
      return leafTypes[schema.leaf] ?? schema.leaf;
  }
}

/** Returns the table's name of a list's or map's element type from its own; undefined where it follows from the schema. */
export function goElementType(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const element = given.startsWith('[]') ? given.slice(2) : given.startsWith('map[') ? given.slice(given.indexOf(']') + 1) : undefined;
  return element?.startsWith('*') ? element.slice(1) : element;
}

const leafTypes: Partial<Record<LeafName, string>> = {
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  intorstring: 'intstr.IntOrString',
  time: 'v1.Time',
  microtime: 'v1.MicroTime',
  duration: 'v1.Duration',
  rawextension: 'runtime.RawExtension',
  fieldsv1: 'v1.FieldsV1',
  json: 'v1.JSON',
  any: 'interface {}',
};
