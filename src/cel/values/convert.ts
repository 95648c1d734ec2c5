import { durationSeconds, parseDuration } from '../../go/duration.js';
import { formatFloat } from '../../go/float.js';
import { parseBool, parseFloat64 } from '../../go/parse-float.js';
import { type NumberError, parseInt64, parseUint64 } from '../../go/parse-integer.js';
import { TimeError } from '../../go/quote-for-time.js';
import { rfc3339Nano } from '../../go/time-text.js';
import { checkedUint, intOfDouble, maxInt, uintOfDouble } from './numbers.js';
import { maxSeconds, minSeconds, parseTimestamp, timestamp } from './times.js';
import { BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, type Type, typeText, UINT } from './type.js';
import { celTypeOf } from './type-of.js';
import { bytes, type CelValue, celDuration, celError, uint } from './value.js';

/** `int(x)` for supported types. Source: cel-go, the ConvertToType methods, as for the other conversions. */
export function toInt(value: CelValue): CelValue {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return intOfDouble(value) ?? celError('integer overflow');
  if (typeof value === 'string') return orUndefined(parseInt64(value)) ?? impossible(value, INT);
  if (typeof value === 'object' && value.kind === 'uint') return value.uint > maxInt ? celError('integer overflow') : value.uint;
  if (typeof value === 'object' && value.kind === 'duration') return value.nanoseconds;
  if (typeof value === 'object' && value.kind === 'timestamp') return value.seconds;
  return impossible(value, INT);
}

export function toUint(value: CelValue): CelValue {
  if (typeof value === 'string') return unsigned(orUndefined(parseUint64(value))) ?? impossible(value, UINT);
  if (typeof value === 'bigint') return unsigned(checkedUint(value)) ?? celError(unsignedOverflow);
  if (typeof value === 'number') return unsigned(uintOfDouble(value)) ?? celError(unsignedOverflow);
  return typeof value === 'object' && value.kind === 'uint' ? value : impossible(value, UINT);
}

export function toDouble(value: CelValue): CelValue {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') return orUndefined(parseFloat64(value)) ?? impossible(value, DOUBLE);
  return typeof value === 'object' && value.kind === 'uint' ? Number(value.uint) : impossible(value, DOUBLE);
}

export function toBool(value: CelValue): CelValue {
  if (typeof value === 'boolean') return value;
  return (typeof value === 'string' ? orUndefined(parseBool(value)) : undefined) ?? impossible(value, BOOL);
}

export function toBytes(value: CelValue): CelValue {
  if (typeof value === 'string') return bytes(new TextEncoder().encode(value));
  return typeof value === 'object' && value.kind === 'bytes' ? value : impossible(value, BYTES);
}

export function toText(value: CelValue): CelValue {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      return formatFloat(value);
    default:
      return objectText(value);
  }
}

export function toDuration(value: CelValue): CelValue {
  if (typeof value === 'object' && value.kind === 'duration') return value;
  if (typeof value !== 'string') return impossible(value, DURATION);
  try {
    return celDuration(parseDuration(value));
  } catch (error) {
    if (error instanceof TimeError) return impossible(value, DURATION);
    throw error;
  }
}

export function toTimestamp(value: CelValue): CelValue {
  if (typeof value === 'object' && value.kind === 'timestamp') return value;
  if (typeof value === 'bigint') return isTimestampSecond(value) ? timestamp(value) : celError('timestamp overflow');
  const moment = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (moment === undefined) return impossible(value, TIMESTAMP);
  return isTimestampSecond(moment.seconds) ? moment : celError('timestamp overflow');
}

function orUndefined<T extends bigint | number | boolean>(parsed: T | NumberError): T | undefined {
  return typeof parsed === 'object' ? undefined : parsed;
}

const unsignedOverflow = 'unsigned integer overflow';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function impossible(value: CelValue, type: Type): CelValue {
  return celError(`type conversion error from '${typeText(celTypeOf(value))}' to '${typeText(type)}'`);
}

function unsigned(value: bigint | undefined): CelValue | undefined {
  return value === undefined ? undefined : uint(value);
}

function isTimestampSecond(seconds: bigint): boolean {
  return seconds >= minSeconds && seconds <= maxSeconds;
}

function objectText(value: Exclude<CelValue, string | boolean | bigint | number>): CelValue {
  switch (value.kind) {
    case 'uint':
      return String(value.uint);
    case 'null':
      return 'null';
    case 'bytes':
      return decoded(value.bytes);
    case 'duration':
      return `${formatFloat(durationSeconds(value.nanoseconds), 'f')}s`;
    case 'timestamp':
      return rfc3339Nano(value);
    case 'type':
      return value.type.name;
    case 'error':
      return value;
    case 'extension':
      return value.text ?? impossible(value, STRING);
    default:
      return impossible(value, STRING);
  }
}

function decoded(value: Uint8Array): CelValue {
  try {
    return utf8.decode(value);
  } catch {
    return celError('invalid UTF-8 in bytes, cannot convert to string');
  }
}
