import { adapt } from './found.js';
import { checkedInt, checkedUint } from './numbers.js';
import { joined } from './schemed.js';
import { maxSeconds, minSeconds, timestamp } from './times.js';
import {
  bytes,
  type CelList,
  type CelValue,
  celDuration,
  celError,
  celListOf,
  type Duration,
  noSuchOverload,
  type Timestamp,
  uint,
} from './value.js';

/** `a + b` for types with addition. Source: cel-go, the Add methods. */
export function add(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noSuchOverload(b);
  if (typeof a !== 'object' || a.kind === 'uint') return arithmetic(a, b, adding);
  switch (a.kind) {
    case 'bytes':
      return typeof b === 'object' && b.kind === 'bytes' ? bytes(Buffer.concat([a.bytes, b.bytes])) : noSuchOverload(b);
    case 'list':
      return typeof b === 'object' && b.kind === 'list' ? concatenated(a, b) : noSuchOverload(b);
    case 'duration':
      if (typeof b === 'object' && b.kind === 'timestamp') return moved(b, a.nanoseconds);
      return typeof b === 'object' && b.kind === 'duration' ? checkedDuration(a.nanoseconds + b.nanoseconds) : noSuchOverload(b);
    case 'timestamp':
      return typeof b === 'object' && b.kind === 'duration' ? moved(a, b.nanoseconds) : noSuchOverload(b);
    default:
      return noSuchOverload(b);
  }
}

/** `a - b`. Source: cel-go, the Subtract methods. */
export function subtract(a: CelValue, b: CelValue): CelValue {
  if (typeof a !== 'object' || a.kind === 'uint') return arithmetic(a, b, subtracting);
  if (typeof b !== 'object') return noSuchOverload(b);
  if (a.kind === 'duration') return b.kind === 'duration' ? checkedDuration(a.nanoseconds - b.nanoseconds) : noSuchOverload(b);
  if (a.kind !== 'timestamp') return noSuchOverload(b);
  if (b.kind === 'timestamp') return between(a, b);
  if (b.kind !== 'duration') return noSuchOverload(b);
  return checkedInt(-b.nanoseconds) === undefined ? celError(intOverflow) : moved(a, -b.nanoseconds);
}

export function multiply(a: CelValue, b: CelValue): CelValue {
  return arithmetic(a, b, { integer: (x, y) => x * y, double: (x, y) => x * y });
}

export function divide(a: CelValue, b: CelValue): CelValue {
  return arithmetic(a, b, { integer: (x, y) => (y === 0n ? celError('division by zero') : x / y), double: (x, y) => x / y });
}

export function modulo(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && b === -1n && checkedInt(-a) === undefined) return celError(intOverflow);
  return arithmetic(a, b, { integer: (x, y) => (y === 0n ? celError('modulus by zero') : x % y), double: undefined });
}

/** `-a` */
export function negate(a: CelValue): CelValue {
  if (typeof a === 'bigint') return checkedInt(-a) ?? celError(intOverflow);
  if (typeof a === 'number') return -a;
  return typeof a === 'object' && a.kind === 'duration' ? checkedDuration(-a.nanoseconds) : noSuchOverload(a);
}

interface Operation {
  readonly integer: (x: bigint, y: bigint) => bigint | CelValue;
  readonly double: ((x: number, y: number) => number) | undefined;
}

const adding: Operation = { integer: (x, y) => x + y, double: (x, y) => x + y };
const subtracting: Operation = { integer: (x, y) => x - y, double: (x, y) => x - y };
const intOverflow = 'integer overflow';
const uintOverflow = 'unsigned integer overflow';
const second = 1_000_000_000n;

/** Both operands have the same type; integer overflow is an error. */
function arithmetic(a: CelValue, b: CelValue, { integer, double }: Operation): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    const result = integer(a, b);
    return typeof result === 'bigint' ? (checkedInt(result) ?? celError(intOverflow)) : result;
  }
  if (typeof a === 'number' && typeof b === 'number' && double !== undefined) return double(a, b);
  if (typeof a !== 'object' || a.kind !== 'uint' || typeof b !== 'object' || b.kind !== 'uint') return noSuchOverload(b);
  const result = integer(a.uint, b.uint);
  if (typeof result !== 'bigint') return result;
  const fitting = checkedUint(result);
  return fitting === undefined ? celError(uintOverflow) : uint(fitting);
}

/** An accumulator is extended in place. */
function concatenated(a: CelList, b: CelList): CelList {
  if (a.schemed !== undefined && a.schemed.type !== 'atomic') return joined(a.schemed, b);
  if (a.appendable !== undefined) {
    for (const item of [...b.items]) a.appendable.push(adapt(item));
    return a;
  }
  if (a.items.length === 0) return b;
  return b.items.length === 0 ? a : celListOf([...a.items.map(adapt), ...b.items.map(adapt)], 'concatList');
}

function checkedDuration(nanoseconds: bigint): CelValue {
  return checkedInt(nanoseconds) === undefined ? celError(intOverflow) : celDuration(nanoseconds);
}

function moved(t: Timestamp, nanoseconds: bigint): CelValue {
  const total = t.seconds * second + BigInt(t.nanoseconds) + nanoseconds;
  const rest = ((total % second) + second) % second;
  const seconds = (total - rest) / second;
  if (seconds < minSeconds || seconds > maxSeconds) return celError('timestamp overflow');
  return timestamp(seconds, Number(rest), t.offsetSeconds);
}

function between(a: Timestamp, b: Timestamp): Duration | CelValue {
  const seconds = checkedInt((a.seconds - b.seconds) * second);
  if (seconds === undefined) return celError(intOverflow);
  return checkedDuration(seconds + BigInt(a.nanoseconds - b.nanoseconds));
}
