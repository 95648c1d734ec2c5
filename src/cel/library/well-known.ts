import { rfc3339Nano } from '../../go/time-text.js';
import { toText } from '../values/convert.js';
import { extensionKind } from '../values/extension.js';
import { foundItemsOf } from '../values/found.js';
import { findInMap, mapKeys } from '../values/maps.js';
import { goTypeOfCel } from '../values/printed.js';
import { timestamp } from '../values/times.js';
import { structType, typeText } from '../values/type.js';
import { celTypeOf } from '../values/type-of.js';
import {
  bytes,
  type CelValue,
  celDuration,
  celError,
  celListOf,
  celNull,
  isCelListValue,
  isCelMapValue,
  isCelOptionalValue,
  isError,
  stringMap,
  uint,
} from '../values/value.js';

/** The fields of a message; missing ones have their defaults. */
export type MessageFields = ReadonlyMap<string, CelValue>;

/**
 * Converts a well-known message to the CEL value it represents. Undefined for other names. Source: cel-go common/types/provider.go
 * NewValue, the ConvertToNative methods.
 */
export function wellKnownValue(name: string, fields: MessageFields): CelValue | undefined {
  const wrapper = wrappers.get(name);
  if (wrapper !== undefined) return wrapped(name, { ...wrapper, value: fields.get('value') });
  switch (name) {
    case 'google.protobuf.Timestamp':
      return ofSeconds(name, fields, (seconds, nanos) => timestamp(seconds + nanos / second, Number(nanos % second)));
    case 'google.protobuf.Duration':
      return ofSeconds(name, fields, (seconds, nanos) => celDuration(seconds * second + nanos));
    case 'google.protobuf.Struct': {
      const given = fields.get('fields');
      return given === undefined ? stringMap(new Map()) : jsonValue(given);
    }
    case 'google.protobuf.ListValue': {
      const given = fields.get('values');
      return given === undefined ? celListOf([]) : jsonValue(given);
    }
    case 'google.protobuf.Value':
      return jsonValue(fields.values().next().value ?? celNull);
    case 'google.protobuf.Any':
      return celError('unsupported conversion to ref.Val: (*dynamicpb.Message)');
    case 'google.protobuf.Empty':
      return emptyMessage;
    default:
      return undefined;
  }
}

const empties = extensionKind<true>(structType('google.protobuf.Empty'));
const emptyMessage = empties.make({ content: true, equals: () => true, goText: 'google.protobuf.Empty{}', goType: '*types.protoObj' });
const second = 1_000_000_000n;
const largestExact = 2n ** 53n - 1n;

interface Wrapper {
  readonly goType: string;
  readonly zero: CelValue;
  /** The value as the field's type; undefined when it has another type. */
  readonly take: (value: CelValue) => CelValue | undefined;
}

const int32 = (value: CelValue): CelValue | undefined => {
  if (typeof value !== 'bigint') return undefined;
  return BigInt.asIntN(32, value) === value ? value : celError('integer overflow');
};
const anyUint = (bits: number) => (value: CelValue) => {
  if (typeof value !== 'object' || value.kind !== 'uint') return undefined;
  return BigInt.asUintN(bits, value.uint) === value.uint ? value : celError('unsigned integer overflow');
};

const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['google.protobuf.BoolValue', { goType: 'bool', zero: false, take: value => (typeof value === 'boolean' ? value : undefined) }],
  ['google.protobuf.StringValue', { goType: 'string', zero: '', take: value => (typeof value === 'string' ? value : undefined) }],
  ['google.protobuf.DoubleValue', { goType: 'float64', zero: 0, take: value => (typeof value === 'number' ? value : undefined) }],
  [
    'google.protobuf.FloatValue',
    { goType: 'float32', zero: 0, take: value => (typeof value === 'number' ? Math.fround(value) : undefined) },
  ],
  ['google.protobuf.Int32Value', { goType: 'int32', zero: 0n, take: int32 }],
  ['google.protobuf.Int64Value', { goType: 'int64', zero: 0n, take: value => (typeof value === 'bigint' ? value : undefined) }],
  ['google.protobuf.UInt32Value', { goType: 'uint32', zero: uint(0n), take: anyUint(32) }],
  ['google.protobuf.UInt64Value', { goType: 'uint64', zero: uint(0n), take: anyUint(64) }],
  [
    'google.protobuf.BytesValue',
    {
      goType: '[]uint8',
      zero: bytes(new Uint8Array()),
      take: value => (typeof value === 'object' && value.kind === 'bytes' ? value : undefined),
    },
  ],
]);

function wrapped(name: string, wrapper: Wrapper & { readonly value: CelValue | undefined }): CelValue {
  const { value } = wrapper;
  return value === undefined ? wrapper.zero : fieldValue({ message: name, field: 'value' }, value, wrapper);
}

function fieldValue(at: { readonly message: string; readonly field: string }, value: CelValue, wrapper: Wrapper): CelValue {
  const taken = converted(value, wrapper);
  return isError(taken) ? celError(`field type conversion error for ${at.message}.${at.field} value type: ${taken.message}`) : taken;
}

/** The value as the field's Go type, or the type's error message. */
function converted(value: CelValue, wrapper: Wrapper): CelValue {
  const { goType, take } = wrapper;
  const taken = take(value);
  if (taken !== undefined) return taken;
  if (isCelOptionalValue(value))
    return value.value === undefined ? celError('optional.none() dereference') : converted(value.value, wrapper);
  if (typeof value === 'string') return celError(`unsupported native conversion from string to '${goType}'`);
  if (typeof value === 'object' && value.kind === 'type') return celError("type conversion not supported for 'type'");
  if (typeof value === 'object' && value.kind === 'extension') {
    const text = value.inner !== undefined && 'goText' in value.inner ? value.inner.goText : undefined;
    if (goType === 'string' && text !== undefined) return text;
  }
  const name = unconvertible(value);
  if (name !== undefined) return celError(`type conversion error from ${name} to '${goType}'`);
  return celError(`unsupported type conversion from '${typeText(celTypeOf(value))}' to ${goType}`);
}

/** The type's name in that error; undefined for integers, whose message differs. */
function unconvertible(value: CelValue): string | undefined {
  if (typeof value === 'number') return 'Double';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value !== 'object') return undefined;
  switch (value.kind) {
    case 'bytes':
      return 'Bytes';
    case 'list':
    case 'map':
      return value.kind;
    case 'null':
      return "'null_type'";
    case 'timestamp':
      return "'Timestamp'";
    case 'duration':
      return "'Duration'";
    case 'extension':
      return `'${value.goType.replace(/^.*\./, '')}'`;
    default:
      return undefined;
  }
}

function ofSeconds(message: string, fields: MessageFields, make: (seconds: bigint, nanos: bigint) => CelValue): CelValue {
  const parts: bigint[] = [];
  for (const [field, goType, take] of [['seconds', 'int64', anyInt] as const, ['nanos', 'int32', int32] as const]) {
    const value = fieldValue({ message, field }, fields.get(field) ?? 0n, { goType, zero: 0n, take });
    if (typeof value !== 'bigint') return value;
    parts.push(value);
  }
  const [seconds = 0n, nanos = 0n] = parts;
  return make(seconds, nanos);
}

function anyInt(value: CelValue): CelValue | undefined {
  return typeof value === 'bigint' ? value : undefined;
}

/** A value as JSON: numbers become doubles, and values without a JSON form become strings. */
export function jsonValue(value: CelValue): CelValue {
  if (typeof value === 'bigint') return exactNumber(value);
  if (typeof value !== 'object') return value;
  switch (value.kind) {
    case 'uint':
      return exactNumber(value.uint);
    case 'bytes':
      return Buffer.from(value.bytes).toString('base64');
    case 'timestamp':
      return rfc3339Nano(value);
    case 'duration':
      return toText(value);
    case 'optional':
      return value.value === undefined ? celNull : jsonValue(value.value);
    case 'null':
    case 'error':
      return value;
    default:
      return jsonContainer(value);
  }
}

function exactNumber(value: bigint): CelValue {
  return value >= -largestExact && value <= largestExact ? Number(value) : String(value);
}

function jsonContainer(value: CelValue): CelValue {
  if (isCelListValue(value)) {
    const items = foundItemsOf(value).map(jsonValue);
    return items.find(isError) ?? celListOf(items);
  }
  if (!isCelMapValue(value)) return celError(`unsupported native conversion from ${goTypeOfCel(value)} to JSON`);
  const entries = new Map<string, CelValue>();
  for (const key of mapKeys(value)) {
    const json = jsonValue(findInMap(value, key) ?? celNull);
    if (isError(json)) return json;
    entries.set(String(typeof key === 'object' && key.kind === 'uint' ? key.uint : key), json);
  }
  return stringMap(entries);
}
