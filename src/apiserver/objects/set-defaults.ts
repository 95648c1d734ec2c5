import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import { quantityText, roundedUpQuantity } from '../../kubernetes/quantity.js';
import type { FieldSchema, StructSchema } from '../../kubernetes/schema.js';
import { innerVisitor } from './inner-fields.js';

/**
 * Applies a version's defaults, in place: a type's own rule first, then its fields' in their order. Never fails. `now` is the value of the
 * only default that is a time. Source: kubernetes pkg/apis zz_generated.defaults.go.
 */
export function setDefaultsOf(schema: StructSchema, value: ValueMap, now?: Date): void {
  if (!withoutDefaulting.test(schema.name)) defaultStruct(schema, value, now);
}

/** Versions that contain types with rules, but register no defaulting for their kinds. */
const withoutDefaulting = /^(node\/|storage\/v1alpha1\.)/;

function defaultStruct(schema: StructSchema, value: ValueMap, now: Date | undefined): void {
  schema.server.scheme.defaultRule(schema.name)?.(value, now, schema.server);
  visitInner(schema, value, (field, held) => defaultValue(field, held, now));
}

function defaultValue(field: Pick<FieldSchema, 'schema' | 'goType'>, value: Value, now: Date | undefined): void {
  const { schema } = field;
  if (schema.type === 'struct') {
    if (isMap(value)) defaultStruct(schema, value, now);
  } else if (schema.type === 'list') {
    if (isList(value)) for (const item of value) defaultValue({ schema: schema.items }, item, now);
  } else if (schema.type === 'map' && isMap(value)) {
    if (isResourceList(field)) roundUp(value);
    else for (const entry of value.values()) defaultValue({ schema: schema.values }, entry, now);
  }
}

/** Reports whether the type is a ResourceList: its quantities are rounded up to thousandths, those of other maps are not. */
function isResourceList({ goType }: Pick<FieldSchema, 'goType'>): boolean {
  return goType === 'v1.ResourceList';
}

function roundUp(list: ValueMap): void {
  for (const [name, quantity] of list) if (typeof quantity === 'string') list.set(name, quantityText(roundedUpQuantity(quantity, -3)));
}

const visitInner = innerVisitor({ struct: schema => schema.server.scheme.defaultRule(schema.name) !== undefined, field: isResourceList });
