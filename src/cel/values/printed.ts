import { durationText } from '../../go/duration.js';
import { formatFloat } from '../../go/float.js';
import { compareKeys } from '../../go/key-order.js';
import { goTimeText } from '../../go/time-text.js';
import { adapt } from './found.js';
import { celMapSize, findInMap, mapKeys } from './maps.js';
import { typeText } from './type.js';
import { celTypeOf } from './type-of.js';
import type { CelMap, CelValue, FoundValue } from './value.js';

/** A value as Go prints it with %v in cel-go's error messages. */
export function printed(value: CelValue): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatFloat(value);
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      return printedObject(value);
  }
}

/** The name of the Go type that holds a value, as %T prints it. */
export function goTypeOfCel(found: FoundValue): string {
  switch (typeof found) {
    case 'string':
      return 'types.String';
    case 'number':
      return 'types.Double';
    case 'boolean':
      return 'types.Bool';
    case 'bigint':
      return 'types.Int';
    default:
      return found === null ? '<nil>' : goTypeOfObject(found);
  }
}

function printedObject(value: Exclude<CelValue, string | number | boolean | bigint>): string {
  switch (value.kind) {
    case 'null':
      return '0';
    case 'uint':
      return String(value.uint);
    case 'bytes':
      return `[${value.bytes.join(' ')}]`;
    case 'list':
      return `[${value.items.map(printedFound).join(', ')}]`;
    case 'map':
      return printedMap(value);
    case 'timestamp':
      return goTimeText(value);
    case 'duration':
      return durationText(value.nanoseconds);
    case 'type':
      return typeText(value.type);
    case 'optional':
      return value.value === undefined ? 'optional.none()' : `optional(${printed(value.value)})`;
    case 'extension':
      return value.goText;
    case 'error':
      return value.message;
  }
}

function printedMap(map: CelMap): string {
  const entries = mapKeys(map).map(key => `${printed(key)}: ${printed(findInMap(map, key) ?? 'nil')}`);
  return celMapSize(map) === 0 ? '{}' : `{${entries.join(', ')}}`;
}

/** JSON data prints as Go's own maps and lists. */
function printedFound(found: FoundValue): string {
  if (typeof found !== 'object') return printed(found);
  if (found === null) return '<nil>';
  if ('kind' in found) return printed(found);
  if (found instanceof Map) {
    const keys = [...found.keys()].sort(compareKeys);
    return `map[${keys.map(key => `${key}:${printedFound(found.get(key) ?? null)}`).join(' ')}]`;
  }
  return Array.isArray(found) ? `[${found.map(item => printedFound(item)).join(' ')}]` : printed(adapt(found));
}

function goTypeOfObject(found: Exclude<FoundValue, string | number | boolean | bigint | null>): string {
  if (!('kind' in found)) return found instanceof Map ? 'map[string]interface {}' : '[]interface {}';
  switch (found.kind) {
    case 'null':
      return 'types.Null';
    case 'uint':
      return 'types.Uint';
    case 'bytes':
      return 'types.Bytes';
    case 'list':
      return `*types.${found.goType}`;
    case 'map':
      return found.insertable === undefined ? '*types.baseMap' : '*types.mutableMap';
    case 'timestamp':
      return 'types.Timestamp';
    case 'duration':
      return 'types.Duration';
    case 'optional':
      return '*types.Optional';
    case 'extension':
      return found.goType;
    case 'error':
      return '*types.Err';
    case 'type':
      return `*types.${celTypeOf(found).kind === 'type' ? 'Type' : ''}`;
  }
}
