import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { FieldSchema, Schema, StructSchema } from '../../kubernetes/schema.js';

/**
 * Visits the values of a struct's fields that match `isTarget` or may contain a match: existing maps and lists, and structs that Go always
 * has, which are kept when something was put into them. Results are cached.
 */
export function innerVisitor(isTarget: {
  readonly struct: (schema: StructSchema) => boolean;
  readonly field?: (field: FieldSchema) => boolean;
}): (schema: StructSchema, value: ValueMap, visit: (field: FieldSchema, held: Value) => void) => void {
  const fieldMatters = (field: FieldSchema, visited: Set<StructSchema>): boolean =>
    isTarget.field?.(field) === true || matters(field.schema, visited);
  const matters = (schema: Schema, visited: Set<StructSchema>): boolean => {
    const struct = structIn(schema);
    if (struct === undefined || visited.has(struct)) return false;
    visited.add(struct);
    return isTarget.struct(struct) || struct.fields.some(field => fieldMatters(field, visited));
  };
  const fieldsOf = memoize((schema: StructSchema) => {
    const all = schema.fields
      .filter(field => isTarget.field?.(field) === true || structIn(field.schema) !== undefined)
      .map(field => new InnerField(field, () => fieldMatters(field, new Set())));
    return fewOf(all);
  });
  return (schema, value, visit) => {
    for (const inner of fieldsOf(schema)()) {
      const { field } = inner;
      const held = value.get(field.name);
      if (isMap(held) || isList(held)) {
        if (inner.mayMatter) visit(field, held);
      } else if (inner.isAlwaysThere && inner.matters) {
        const made: ValueMap = new Map();
        visit(field, made);
        if (made.size > 0) value.set(field.name, made);
      }
    }
  };
}

/** After this many visits of a type, most of a server's time would go into fields that do not matter. */
const manyVisits = 100;

/** Returns a function that returns all fields at first, and only those that matter after many calls. */
function fewOf(all: readonly InnerField[]): () => readonly InnerField[] {
  let fields = all;
  let visits = 0;
  return () => {
    visits += 1;
    if (visits === manyVisits) fields = all.filter(field => field.matters);
    return fields;
  };
}

const fewLooks = 10;

/** Field that contains structs, directly or in lists, maps or pointers. */
class InnerField {
  /** Whether Go has a struct there even when nothing was written. */
  readonly isAlwaysThere: boolean;
  private answer: boolean | undefined;
  private looks = 0;

  constructor(
    readonly field: FieldSchema,
    private readonly find: () => boolean,
  ) {
    this.isAlwaysThere = field.schema.type === 'struct' && !field.pointer;
  }

  /** Whether the field or anything below it matches. Computed lazily: an object has few of the fields of its type. */
  get matters(): boolean {
    this.answer ??= this.find();
    return this.answer;
  }

  /** As `matters`, for an existing value where a needless visit does no harm: faster for the first visits than analyzing the whole type. */
  get mayMatter(): boolean {
    if (this.answer !== undefined || this.looks >= fewLooks) return this.matters;
    this.looks += 1;
    return true;
  }
}

/** Returns the struct type of a value, of its items, of its members or of the type it refers to. */
function structIn(schema: Schema): StructSchema | undefined {
  if (schema.type === 'struct') return schema;
  if (schema.type === 'list') return structIn(schema.items);
  if (schema.type === 'map') return structIn(schema.values);
  return schema.of === undefined ? undefined : structIn(schema.of);
}
