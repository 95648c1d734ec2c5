import { isList, isMap, isRawJson, type Value } from '../../go/value.js';
import { readUnstructured } from '../unstructured.js';

/** Tag of CBOR that describes itself, with which every document begins. Source: RFC 8949 3.4.6. */
export const selfDescribed: Uint8Array = Uint8Array.of(0xd9, 0xd9, 0xf7);

/**
 * Returns a JSON document as CBOR: strings are byte strings, and floats have the smallest width that keeps their value. The order of keys is kept; the API
 * server's is random. Source: apimachinery runtime/serializer/cbor, internal/modes/encode.go.
 */
export function cborOfJson(json: string): Uint8Array {
  const parts: Uint8Array[] = [selfDescribed];
  writeItem(readUnstructured(json), parts);
  return Buffer.concat(parts);
}

/** Returns an event of a watch, of an object in CBOR. Source: apimachinery watch, apis/meta/v1/watch.go. */
export function cborEvent(type: string, object: Uint8Array): Uint8Array {
  return Buffer.concat([selfDescribed, head(major.map, 2n), bytes('type'), bytes(type), bytes('object'), object]);
}

const major = { positive: 0, negative: 1, bytes: 2, list: 4, map: 5 } as const;

function writeItem(value: Value, parts: Uint8Array[]): void {
  if (value === null) parts.push(Uint8Array.of(0xf6));
  else if (typeof value === 'boolean') parts.push(Uint8Array.of(value ? 0xf5 : 0xf4));
  else if (typeof value === 'string') parts.push(bytes(value));
  else if (typeof value === 'bigint') parts.push(value < 0n ? head(major.negative, -1n - value) : head(major.positive, value));
  else if (typeof value === 'number') parts.push(float(value));
  else if (isList(value)) {
    parts.push(head(major.list, BigInt(value.length)));
    for (const item of value) writeItem(item, parts);
  } else if (isMap(value)) {
    parts.push(head(major.map, BigInt(value.size)));
    for (const [key, member] of value) {
      parts.push(bytes(key));
      writeItem(member, parts);
    }
  } else if (isRawJson(value)) writeItem(readUnstructured(value.rawJson), parts);
}

function bytes(text: string): Uint8Array {
  const content = Buffer.from(text);
  return Buffer.concat([head(major.bytes, BigInt(content.length)), content]);
}

/** Returns the first bytes of an item: its major type and a number. */
function head(type: number, count: bigint): Uint8Array {
  const first = type << 5;
  if (count < 24n) return Uint8Array.of(first | Number(count));
  const size = count < 0x100n ? 1 : count < 0x10000n ? 2 : count < 0x100000000n ? 4 : 8;
  const written = Buffer.alloc(9);
  written.writeBigUInt64BE(count, 1);
  const number = written.subarray(9 - size);
  return Buffer.concat([Uint8Array.of(first | (24 + Math.log2(size))), number]);
}

function float(value: number): Uint8Array {
  const half = halfOf(value);
  const written = Buffer.alloc(9);
  if (half !== undefined) {
    written[0] = 0xf9;
    written.writeUInt16BE(half, 1);
    return written.subarray(0, 3);
  }
  if (Math.fround(value) === value) {
    written[0] = 0xfa;
    written.writeFloatBE(value, 1);
    return written.subarray(0, 5);
  }
  written[0] = 0xfb;
  written.writeDoubleBE(value, 1);
  return written;
}

/** Returns the bits of a finite float16; undefined if it cannot have the value. */
function halfOf(value: number): number | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === 0) return sign;
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  const fraction = size / 2 ** (exponent - 10);
  if (exponent > 15 || !Number.isInteger(fraction)) return undefined;
  // Subnormal numbers have the exponent of the smallest normal ones, without their first bit.
  return fraction < 1024 ? sign | fraction : sign | ((exponent + 15) << 10) | (fraction - 1024);
}
