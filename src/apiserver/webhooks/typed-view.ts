import { LazyMembers } from '../../cel/values/lazy-members.js';
import type { StructEquality } from '../../cel/values/typed.js';
import type { FoundValue } from '../../cel/values/value.js';
import { compareKeys } from '../../go/json/write.js';
import { wellFormed } from '../../go/utf8.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { Schema, StructSchema } from '../../kubernetes/schema.js';
import { toUnstructured, untypedLeaf } from '../objects/to-unstructured.js';
import { writtenFields, writtenFieldValue } from '../objects/written-field.js';

/**
 * Returns the value of a Go struct as expressions see it: `typedValue` of its JSON, of which only what is read is made. The struct must not change meanwhile.
 */
export function typedView(value: Value, schema: Schema, areEqual: StructEquality): FoundValue {
  switch (schema.type) {
    case 'struct':
      return isMap(value) ? structView(value, schema, areEqual) : null;
    case 'list':
      if (!isList(value)) return null;
      return {
        kind: 'list',
        items: value.map(item => typedView(item, schema.items, areEqual)),
        goType: 'baseList',
        inside: 'data',
        typed: true,
      };
    case 'map':
      return isMap(value) ? mapView(value, schema.values, areEqual) : null;
    default:
      return untypedLeaf(value, schema);
  }
}

function structView(value: ValueMap, schema: StructSchema, areEqual: StructEquality): FoundValue {
  const members: ValueMap = new Map();
  for (const field of writtenFields(schema)) {
    const held = value.get(field.name);
    if (held === undefined && field.whenAbsent === undefined) continue;
    const written = writtenFieldValue(field, held);
    if (written !== undefined) members.set(field.name, written);
  }
  const byKey = new LazyMembers(members, (member, key) => {
    const field = schema.fieldsByName.get(key);
    return field === undefined ? null : typedView(member, field.schema, areEqual);
  });
  const struct = new StructView(value, schema, areEqual);
  return { kind: 'map', entries: { keys: 'strings', byKey }, typed: { struct } };
}

/** The struct itself, of which only comparisons need the JSON. */
class StructView {
  readonly name: string;
  private json: ValueMap | undefined;

  constructor(
    private readonly value: ValueMap,
    private readonly schema: StructSchema,
    private readonly areEqual: StructEquality,
  ) {
    this.name = schema.name;
  }

  get raw(): ValueMap {
    this.json ??= toUnstructured(this.value, this.schema);
    return this.json;
  }

  isEqualTo(other: Value): boolean {
    return this.areEqual(this.schema, this.raw, other);
  }
}

function mapView(map: ValueMap, values: Schema, areEqual: StructEquality): FoundValue {
  const members: ValueMap = new Map();
  for (const key of [...map.keys()].sort(compareKeys)) members.set(wellFormed(key), map.get(key) ?? null);
  const byKey = new LazyMembers(members, member => typedView(member, values, areEqual));
  return { kind: 'map', entries: { keys: 'strings', byKey }, typed: {} };
}
