import { quote } from '../../go/quote.js';
import { toValue, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { adapt } from './found.js';
import { mapEntries } from './maps.js';
import { objectFieldsOf } from './patch-values.js';
import { goTypeOfCel, printed } from './printed.js';
import { type CelError, type CelList, type CelMap, type CelValue, celError, type FoundValue, type Timestamp } from './value.js';

/**
 * Converts a value to the Go value in a field of an object literal. Values that are not JSON (null, times, nested literals) keep their Go
 * type. Source: apiserver pkg/cel/mutation/dynamic/objects.go convertField.
 */
export function nativeObject(server: ApiServer, value: CelValue): ValueMap | CelError {
  const object = objectFieldsOf(value);
  if (object === undefined) return celError(`unsupported return type from ApplyConfiguration expression: ${goTypeOfCel(value)}`);
  const result: ValueMap = new Map();
  for (const [name, field] of object.fields) {
    const converted = nativeField(server, field);
    if (isKeyError(converted)) return converted;
    result.set(name, converted);
  }
  return result;
}

function isKeyError(value: Value | CelError): value is CelError {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'error';
}

function nativeField(server: ApiServer, value: CelValue): Value | CelError {
  // Up to v1.36, a list of texts that a function returns keeps its Go type.
  const isKept = (list: CelList): boolean => list.inside === 'texts' && server.until('v1.36');
  if (typeof value === 'object' && value.kind === 'list' && !isKept(value)) return nativeItems(server, value);
  if (typeof value === 'object' && value.kind === 'map' && value.entries.keys === 'values') return nativeEntries(server, value);
  return inside(server, value);
}

/** An empty list literal becomes a list that Go treats like a missing list. */
function nativeItems(server: ApiServer, list: CelList): Value[] {
  return list.items.map(item => insideFound(server, item));
}

function nativeEntries(server: ApiServer, map: CelMap): ValueMap | CelError {
  const result: ValueMap = new Map();
  for (const [key, value] of mapEntries(map)) {
    if (typeof key !== 'string') return celError(`map key ${JSON.stringify(printed(key))} is of type ${goTypeOfCel(key)}, not string`);
    result.set(key, insideFound(server, value));
  }
  return result;
}

/** JSON data is unchanged; the value of a literal is unwrapped once. */
function insideFound(server: ApiServer, found: FoundValue): Value {
  return isData(found) ? toValue(found) : inside(server, found);
}

function isData(found: FoundValue): found is Exclude<FoundValue, CelValue> {
  return found === null || (typeof found === 'object' && !('kind' in found));
}

/** Returns the result of Go's Value(). */
function inside(server: ApiServer, value: CelValue): Value {
  if (typeof value !== 'object') return value;
  switch (value.kind) {
    case 'null':
      return { rawJson: '0', goType: 'structpb.NullValue', goText: 'NULL_VALUE', goSyntax: '0' };
    case 'uint':
      return foreign(value, 'uint64');
    case 'type':
      return value.type.name;
    case 'optional':
      return value.value === undefined ? null : inside(server, value.value);
    case 'list':
      if (value.inside === 'texts') return foreign(value, '[]string');
      return isLiteralList(value) ? foreign(value, '[]ref.Val') : nativeItems(server, value);
    case 'map':
      return value.entries.keys === 'strings' ? toValue(value.entries.byKey) : foreign(value, 'map[ref.Val]ref.Val');
    case 'extension': {
      const object = nativeObject(server, value);
      return isKeyError(object)
        ? foreign(value, value.inner !== undefined && 'goType' in value.inner ? value.inner.goType : value.goType)
        : object;
    }
    default:
      return foreign(value, goTypes[value.kind] ?? goTypeOfCel(value));
  }
}

const goTypes: Readonly<Record<string, string>> = { bytes: '[]uint8', timestamp: 'time.Time', duration: 'time.Duration' };

function foreign(value: CelValue, goType: string): Value {
  return { rawJson: goText(value), goType, goSyntax: goSyntax(value) };
}

/** Returns the value as Go's %v prints it; maps are native, not cel-go's. */
function goText(value: CelValue): string {
  if (typeof value === 'object' && value.kind === 'list') return `[${value.items.map(item => printed(adapt(item))).join(' ')}]`;
  if (typeof value !== 'object' || value.kind !== 'map') return printed(value);
  return `map[${sortedEntries(value)
    .map(([key, entry]) => `${key}:${printed(adapt(entry))}`)
    .join(' ')}]`;
}

/** Returns the value as Go's %#v prints it. */
function goSyntax(value: CelValue): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object') return printed(value);
  switch (value.kind) {
    case 'uint':
      return `0x${value.uint.toString(16)}`;
    case 'bytes':
      return `[]uint8{${[...value.bytes].map(byte => `0x${byte.toString(16)}`).join(', ')}}`;
    case 'duration':
      return String(value.nanoseconds);
    case 'timestamp':
      return timeSyntax(value);
    case 'list':
      return `${value.inside === 'texts' ? '[]string' : '[]ref.Val'}{${value.items.map(item => goSyntax(adapt(item))).join(', ')}}`;
    case 'map':
      return `map[ref.Val]ref.Val{${sortedEntries(value)
        .map(([key, entry]) => `${goSyntax(key)}:${goSyntax(adapt(entry))}`)
        .join(', ')}}`;
    default:
      return printed(value);
  }
}

function sortedEntries(map: CelMap): readonly (readonly [CelValue, FoundValue])[] {
  return [...mapEntries(map)].sort(([a], [b]) => (printed(a) < printed(b) ? -1 : 1));
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** Source: Go time.Time.GoString. */
function timeSyntax({ seconds, nanoseconds }: Timestamp): string {
  const at = new Date(Number(seconds) * 1000);
  const clock = [at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds(), nanoseconds].join(', ');
  return `time.Date(${at.getUTCFullYear()}, time.${months[at.getUTCMonth()]}, ${clock}, time.UTC)`;
}

/** Reports whether the value was created by the expression. Lists from objects contain JSON data, and so do results of `+`. */
function isLiteralList({ inside: held, goType }: CelList): boolean {
  return goType !== 'concatList' && held === undefined;
}
