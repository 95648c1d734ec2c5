import { remembered } from '../../kubernetes/remembered.js';
import type { FieldSchema, Schema, StructSchema } from '../../kubernetes/schema.js';

/** A field that holds structs, whatever is around them. */
export interface InnerField {
  readonly field: FieldSchema;
  /** Go has a struct there even where nothing was written. */
  readonly isAlwaysThere: boolean;
  /** Whether there is anything to do for it or for what may stand below. Found out when it is asked: an object holds few of the fields of its type. */
  readonly matters: boolean;
  /** The same for a value that is there, at which looking in vain does no harm: a few times that is faster than finding out about all that its type may hold. */
  readonly mayMatter: boolean;
}

/** The fields of a struct in which something matters, or may; `isTarget` says what does. What is found out is kept. */
export function innerFields(isTarget: {
  readonly struct: (schema: StructSchema) => boolean;
  readonly field?: (field: FieldSchema) => boolean;
}): (schema: StructSchema) => readonly InnerField[] {
  const fieldMatters = (field: FieldSchema, visited: Set<StructSchema>): boolean =>
    isTarget.field?.(field) === true || matters(field.schema, visited);
  const matters = (schema: Schema, visited: Set<StructSchema>): boolean => {
    const struct = structIn(schema);
    if (struct === undefined || visited.has(struct)) return false;
    visited.add(struct);
    return isTarget.struct(struct) || struct.fields.some(field => fieldMatters(field, visited));
  };
  return remembered((schema: StructSchema) =>
    schema.fields
      .filter(field => isTarget.field?.(field) === true || structIn(field.schema) !== undefined)
      .map(field => new LazyInnerField(field, () => fieldMatters(field, new Set()))),
  );
}

const fewLooks = 10;

class LazyInnerField implements InnerField {
  readonly isAlwaysThere: boolean;
  private answer: boolean | undefined;
  private looks = 0;

  constructor(
    readonly field: FieldSchema,
    private readonly find: () => boolean,
  ) {
    this.isAlwaysThere = field.schema.type === 'struct' && !field.pointer;
  }

  get matters(): boolean {
    this.answer ??= this.find();
    return this.answer;
  }

  get mayMatter(): boolean {
    if (this.answer !== undefined || this.looks >= fewLooks) return this.matters;
    this.looks += 1;
    return true;
  }
}

/** The struct that a value is, or that its items, its members or what it stands for are. */
function structIn(schema: Schema): StructSchema | undefined {
  if (schema.type === 'struct') return schema;
  if (schema.type === 'list') return structIn(schema.items);
  if (schema.type === 'map') return structIn(schema.values);
  return schema.of === undefined ? undefined : structIn(schema.of);
}
