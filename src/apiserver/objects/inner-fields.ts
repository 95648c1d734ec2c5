import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { FieldSchema, Schema, StructSchema } from '../../kubernetes/schema.js';

/**
 * Takes what a struct holds in those of its fields in which something matters, or may, to `visit`: maps and lists that are there, and structs that Go has
 * even where nothing was written, which stay when something was put into them. `isTarget` says what matters. What is found out is kept.
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
  const fieldsOf = memoize((schema: StructSchema) =>
    schema.fields
      .filter(field => isTarget.field?.(field) === true || structIn(field.schema) !== undefined)
      .map(field => new InnerField(field, () => fieldMatters(field, new Set()))),
  );
  return (schema, value, visit) => {
    for (const inner of fieldsOf(schema)) {
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

const fewLooks = 10;

/** A field that holds structs, whatever is around them. */
class InnerField {
  /** Go has a struct there even where nothing was written. */
  readonly isAlwaysThere: boolean;
  private answer: boolean | undefined;
  private looks = 0;

  constructor(
    readonly field: FieldSchema,
    private readonly find: () => boolean,
  ) {
    this.isAlwaysThere = field.schema.type === 'struct' && !field.pointer;
  }

  /** Whether there is anything to do for it or for what may stand below. Found out when it is asked: an object holds few of the fields of its type. */
  get matters(): boolean {
    this.answer ??= this.find();
    return this.answer;
  }

  /** The same for a value that is there, at which looking in vain does no harm: a few times that is faster than finding out about all that its type may hold. */
  get mayMatter(): boolean {
    if (this.answer !== undefined || this.looks >= fewLooks) return this.matters;
    this.looks += 1;
    return true;
  }
}

/** Returns the struct that a value is, or that its items, its members or what it stands for are. */
function structIn(schema: Schema): StructSchema | undefined {
  if (schema.type === 'struct') return schema;
  if (schema.type === 'list') return structIn(schema.items);
  if (schema.type === 'map') return structIn(schema.values);
  return schema.of === undefined ? undefined : structIn(schema.of);
}
