import type { Value, ValueMap } from '../../src/go/value.js';
import type { FieldSchema, LeafSchema, Schema, StructSchema } from '../../src/kubernetes/schema.js';
import type { Random } from './random.js';

/** Options of random objects. */
export interface Shape {
  /** Percentage of a struct's fields that are set, at this depth. */
  readonly fieldPercent: (depth: number) => number;
  /** Reports whether a field may be set. */
  readonly wants?: ((field: FieldSchema, depth: number) => boolean) | undefined;
}

/** A random object of a built-in kind, decodable as its type; with few distinct values, so that collisions occur. */
export function randomStruct(r: Random, schema: StructSchema, { shape, depth = 0 }: { shape: Shape; depth?: number }): ValueMap {
  const value: ValueMap = new Map();
  for (const field of schema.fields) {
    const wanted = shape.wants?.(field, depth) ?? true;
    if (!wanted || !r.chance(shape.fieldPercent(depth))) continue;
    value.set(field.name, randomValue(r, field.schema, { shape, depth: depth + 1 }));
  }
  return value;
}

/** A random value of a type. */
export function randomValue(r: Random, schema: Schema, { shape, depth }: { shape: Shape; depth: number }): Value {
  switch (schema.type) {
    case 'struct':
      return depth > 12 ? new Map() : randomStruct(r, schema, { shape, depth });
    case 'map':
      return new Map(Array.from({ length: r.below(4) }, () => [r.pick(names), randomValue(r, schema.values, { shape, depth: depth + 1 })]));
    case 'list':
      return Array.from({ length: r.below(4) }, () => randomValue(r, schema.items, { shape, depth: depth + 1 }));
    default:
      return randomLeaf(r, schema);
  }
}

const names = ['a', 'b', 'c', 'x/y', '<k>'];

function randomLeaf(r: Random, schema: LeafSchema): Value {
  switch (schema.leaf) {
    case 'string':
      return r.pick(['a', 'b', 'c', 'd', 'TCP', '', '<&>', 'é']);
    case 'bool':
      return r.chance(50);
    case 'int32':
    case 'int64':
      return BigInt(r.pick([0, 1, 2, 80, 443, -1]));
    case 'float64':
      return r.pick([0.5, 1.25, 2]);
    case 'bytes':
      return r.pick(['', 'aGk=', 'eA==']);
    case 'quantity':
      return r.pick(['1', '500m', '1Gi', '0', '2']);
    case 'intorstring':
      return r.chance(50) ? BigInt(r.below(3)) : r.pick(['http', '25%', '']);
    case 'time':
      return r.pick(['2024-01-02T03:04:05Z', '2024-01-02T03:04:06Z']);
    case 'microtime':
      return r.pick(['2024-01-02T03:04:05.000000Z', '2024-01-02T03:04:05.123456Z']);
    case 'duration':
      return r.pick(['1h0m0s', '5s']);
    case 'orBool':
      return r.chance(50);
    case 'fieldsv1':
      return new Map([['f:a', new Map()]]);
    case 'orArray':
    case 'orStringArray':
      return null;
    default:
      return r
        .pick([
          { length: 1, make: () => new Map<string, Value>([['a', 1n]]) },
          { length: 2, make: () => new Map<string, Value>([['a', new Map<string, Value>([['b', [1n, 'x']]])]]) },
        ])
        .make();
  }
}
