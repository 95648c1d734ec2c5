import { compareNumbers, isNumber } from './numbers.js';
import { type CelError, type CelValue, celError, noSuchOverload } from './value.js';

/** -1, 0 or 1 for ordered values; an error for others. Source: cel-go, the Compare methods. */
export function compareCelValues(a: CelValue, b: CelValue): number | CelError {
  if (isNumber(a)) return compareNumeric(a, b);
  if (typeof a === 'string') return typeof b === 'string' ? compareText(a, b) : noSuchOverload(b);
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : noSuchOverload(b);
  if (typeof b !== 'object' || a.kind !== b.kind) return noSuchOverload(b);
  if (a.kind === 'bytes' && b.kind === 'bytes') return Buffer.compare(a.bytes, b.bytes);
  if (a.kind === 'duration' && b.kind === 'duration') return sign(a.nanoseconds, b.nanoseconds);
  if (a.kind === 'timestamp' && b.kind === 'timestamp') return sign(a.seconds, b.seconds) || sign(a.nanoseconds, b.nanoseconds);
  return noSuchOverload(b);
}

/** Compares by code points, which is the order of UTF-8 bytes. */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    // A surrogate represents a character above all others.
    if (x !== y) return (isSurrogate(x) ? x + 0x10000 : x) < (isSurrogate(y) ? y + 0x10000 : y) ? -1 : 1;
  }
  return sign(a.length, b.length);
}

function compareNumeric(a: Parameters<typeof compareNumbers>[0], b: CelValue): number | CelError {
  if (typeof a === 'number' && Number.isNaN(a)) return celError(notOrdered);
  if (!isNumber(b)) return noSuchOverload(b);
  const order = compareNumbers(a, b);
  return Number.isNaN(order) ? celError(notOrdered) : order;
}

const notOrdered = 'NaN values cannot be ordered';

function sign<T extends bigint | number>(x: T, y: T): number {
  return x < y ? -1 : x > y ? 1 : 0;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
