import { lazy, memoize } from '../../kubernetes/memoize.js';
import type { LeafName, Schema, StructSchema } from '../../kubernetes/schema.js';
import type { FieldType, LeafKind, StructType, TypedField } from './field-type.js';

/** Returns the type of a struct of the table of Kubernetes types. */
export const builtInType: (schema: StructSchema) => StructType = memoize(
  (schema: StructSchema): StructType => ({
    kind: 'struct',
    name: schema.name,
    isOpen: false,
    fields: lazy(
      () =>
        new Map(
          schema.fields.map((field): [string, TypedField] => [
            field.name,
            { type: typeOf(field.schema, field.goType), default: field.default },
          ]),
        ),
    ),
  }),
);

function typeOf(schema: Schema, goType: string | undefined): FieldType {
  if (schema.type === 'struct') return builtInType(schema);
  if (schema.type === 'list') return { kind: 'list', items: typeOf(schema.items, undefined) };
  if (schema.type === 'map') return { kind: 'map', values: typeOf(schema.values, undefined) };
  const [leaf, text] = leaves[schema.leaf] ?? ['any', 'any'];
  const named = leaf === 'string' && goType !== undefined ? `${goType.slice(goType.lastIndexOf('.') + 1)} (string)` : text;
  return { kind: 'leaf', leaf, text: named };
}

const leaves: Readonly<Partial<Record<LeafName, readonly [LeafKind, string]>>> = {
  string: ['string', 'string'],
  bool: ['boolean', 'boolean'],
  int32: ['integer', 'integer'],
  int64: ['integer', 'integer'],
  float64: ['number', 'number'],
  bytes: ['bytes', 'base64 (string)'],
  quantity: ['any', 'Quantity'],
  intorstring: ['any', 'IntOrString'],
  time: ['time', 'Time'],
  microtime: ['time', 'MicroTime'],
  duration: ['string', 'Duration'],
};
