import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { quantityText, roundedUpQuantity } from '../../kubernetes/quantity.js';
import type { FieldSchema, StructSchema } from '../../kubernetes/schema.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { Codec } from './codec.js';
import { decodeTyped } from './decode-typed.js';
import { encodeTyped } from './encode-typed.js';
import { innerVisitor } from './inner-fields.js';
import { fromInternal, toInternal } from './internal-version.js';
import { toUnstructured } from './to-unstructured.js';

/** Returns the codec of a built-in kind; undefined when the API server has no Go type for it. */
export function builtInCodec(server: ApiServer, kind: GroupVersionKind): Codec | undefined {
  const schema = schemaOfKind(server, kind);
  if (schema === undefined) return undefined;
  const setDefaults = (value: ValueMap, now?: Date) => setDefaultsOf(schema, value, now);
  const throughInternal = (value: ValueMap) => {
    toInternal(schema, value);
    fromInternal(schema, value);
    value.set('kind', kind.kind);
    value.set('apiVersion', apiVersionOf(kind));
  };
  return {
    kind,
    server,
    decode: (text, node) => decodeTyped(text, schema, node),
    applyDefaults(value, now) {
      setDefaults(value, now);
      throughInternal(value);
    },
    setDefaults,
    throughInternal,
    encode: value => encodeTyped(value, schema),
    toUnstructured: value => toUnstructured(value, schema),
  };
}

/**
 * Applies a version's defaults, in place: a type's own rule first, then its fields' in their order. Never fails. `now` is the value of the
 * only default that is a time. Source: kubernetes pkg/apis zz_generated.defaults.go.
 */
function setDefaultsOf(schema: StructSchema, value: ValueMap, now?: Date): void {
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
