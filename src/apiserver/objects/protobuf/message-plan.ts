import { hashOfKey } from '../../../encoding/json-index.js';
import { memoizeInside } from '../../../kubernetes/memoize.js';
import type { LeafName, Schema, StructSchema } from '../../../kubernetes/schema.js';
import { type MessageField, messageFields } from './message-fields.js';
import { fieldWithoutValue, isNamedList } from './write-message.js';

/** How a struct is written whose fields come in another order. */
export class Plan {
  readonly rows: readonly Field[];
  readonly #named: Field[] = [];
  readonly #byHash: ReadonlyMap<number, Field>;

  constructor(schema: StructSchema) {
    this.rows = this.#rowsOf(messageFields(schema));
    this.#byHash = new Map(this.#named.map(field => [hashOfKey(field.name.toString()), field]));
    if (this.#byHash.size < this.size) throw new Error(`two fields of ${schema.name} have the same hash`);
  }

  /** The number of fields with a name in JSON. */
  get size(): number {
    return this.#named.length;
  }

  find(hash: number): Field | undefined {
    return this.#byHash.get(hash);
  }

  #rowsOf(fields: readonly MessageField[]): readonly Field[] {
    return fields.map(row => {
      if ('embedded' in row) return new Field(row.number, 'embedded', { rows: this.#rowsOf(row.embedded) });
      const { number, field } = row;
      const named = { slot: this.#named.length, name: Buffer.from(field.name), empty: Buffer.from(fieldWithoutValue(row)) };
      const made = isNamedList(field) ? listMessage(number, field.schema, named) : fieldOf(number, field.schema, named);
      this.#named.push(made);
      return made;
    });
  }
}

type FieldKind =
  | 'string'
  | 'bool'
  | 'integer'
  | 'fieldsv1'
  | 'quantity'
  | 'time'
  | 'leaf'
  | 'struct'
  | 'list'
  | 'map'
  | 'message'
  | 'embedded';

/** How a field is written. */
export class Field {
  /** Index in the named fields of the struct. */
  readonly slot: number;
  readonly name: Buffer;
  /** What is written without a value. */
  readonly empty: Buffer;
  readonly schema: Schema | undefined;
  /** The items of a list, the values of a map, or the content of a message. */
  readonly inner: Field | undefined;
  /** The fields of an embedded struct. */
  readonly rows: readonly Field[];
  #plan: Plan | undefined;

  constructor(
    readonly number: number,
    readonly kind: FieldKind,
    { slot = 0, name = nothing, empty = nothing, schema, inner, rows = [] }: Partial<Omit<Field, 'number' | 'kind' | 'plan'>>,
  ) {
    [this.slot, this.name, this.empty, this.schema, this.inner, this.rows] = [slot, name, empty, schema, inner, rows];
  }

  /** How the struct of the field is written, which may contain itself. */
  get plan(): Plan {
    this.#plan ??= messagePlanOf(this.schema as StructSchema);
    return this.#plan;
  }
}

const nothing = Buffer.alloc(0);
/** Returns how a built-in struct is written. */
export const messagePlanOf = memoizeInside((schema: StructSchema) => new Plan(schema));

type Named = Partial<Pick<Field, 'slot' | 'name' | 'empty'>>;

function fieldOf(number: number, schema: Schema, named: Named = {}): Field {
  switch (schema.type) {
    case 'struct':
      return new Field(number, 'struct', { ...named, schema });
    case 'list':
      return new Field(number, 'list', { ...named, inner: fieldOf(number, schema.items) });
    case 'map':
      // A list in a map is a message with the items in field 1.
      return new Field(number, 'map', {
        ...named,
        inner: schema.values.type === 'list' ? listMessage(2, schema.values) : fieldOf(2, schema.values),
      });
    default:
      return new Field(number, leafKinds[schema.leaf] ?? 'leaf', { ...named, schema });
  }
}

function listMessage(number: number, schema: Schema, named: Named = {}): Field {
  return new Field(number, 'message', { ...named, inner: fieldOf(1, schema) });
}

const leafKinds: Partial<Record<LeafName, FieldKind>> = {
  ...{ string: 'string', bool: 'bool', int32: 'integer', int64: 'integer', fieldsv1: 'fieldsv1', quantity: 'quantity', time: 'time' },
};
