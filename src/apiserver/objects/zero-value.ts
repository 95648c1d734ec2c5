import type { Value } from '../../go/value.js';
import type { Schema } from '../../kubernetes/schema.js';

/**
 * Returns Go's zero value, for places that must have one: an item of a list, an entry of a map. `null` represents nil and an unset time.
 */
export function zeroValue(schema: Schema, pointer: boolean): Value {
  if (pointer) return null;
  if (schema.type === 'struct') return new Map();
  if (schema.type !== 'leaf') return null;
  switch (schema.leaf) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'intorstring':
      return 0n;
    case 'float64':
      return 0;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    default:
      return null;
  }
}

/** Reports whether a scalar is a value that Go omits under `omitempty`: `""`, `false`, `0`. */
export function isZeroScalar(value: Value): boolean {
  return value === '' || value === false || value === 0n || value === 0;
}
