/** Not a valid protobuf message; the error message is that of Go's generated code. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** An encoded field. */
export interface WireField {
  readonly number: number;
  readonly wireType: number;
  /** Varints and fixed numbers. */
  readonly bits: bigint;
  /** Length-delimited fields. */
  readonly bytes: Uint8Array;
}

const none = new Uint8Array();

/** Yields the fields of a message in their encoded order. Throws WireError for an invalid message. */
export function* wireFields(bytes: Uint8Array, name = 'message'): Generator<WireField> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = { place: 0 };
  while (at.place < bytes.length) {
    const key = varint(bytes, at);
    const number = (key.low >>> 3) | (key.middle << 25);
    const wireType = key.low & 7;
    if (wireType === 4) throw new WireError(`proto: ${name}: wiretype end group for non-group`);
    if (number <= 0) throw new WireError(`proto: ${name}: illegal tag ${number} (wire type ${bigintOf(key)})`);
    if (wireType === 0) yield { number, wireType, bits: bigintOf(varint(bytes, at)), bytes: none };
    else if (wireType === 1 || wireType === 5) {
      const size = wireType === 1 ? 8 : 4;
      if (at.place + size > bytes.length) throw new WireError('unexpected EOF');
      const high = size === 8 ? view.getUint32(at.place + 4, true) : 0;
      const bits = (BigInt(high) << 32n) | BigInt(view.getUint32(at.place, true));
      at.place += size;
      yield { number, wireType, bits, bytes: none };
    } else if (wireType === 2) {
      const { low, middle, high } = varint(bytes, at);
      const length = low + middle * 2 ** 28 + high * 2 ** 56;
      if (length > bytes.length - at.place) throw new WireError('unexpected EOF');
      const start = at.place;
      at.place += length;
      yield { number, wireType, bits: 0n, bytes: bytes.subarray(start, at.place) };
    } else throw new WireError(`proto: illegal wireType ${wireType}`);
  }
}

/** 64 bits as parts of 28, 28 and 8 bits. */
interface Varint {
  low: number;
  middle: number;
  high: number;
}

/** With numbers: V8 of Node 20 ends the process when it optimizes such a loop with bigints. */
function varint(bytes: Uint8Array, at: { place: number }): Varint {
  const value = { low: 0, middle: 0, high: 0 };
  for (let shift = 0; ; shift += 7) {
    if (shift >= 64) throw new WireError('proto: integer overflow');
    const byte = bytes[at.place];
    if (byte === undefined) throw new WireError('unexpected EOF');
    at.place += 1;
    const part = byte & 0x7f;
    if (shift < 28) value.low |= part << shift;
    else if (shift < 56) value.middle |= part << (shift - 28);
    else value.high |= (part << (shift - 56)) & 0xff;
    if (byte < 0x80) return value;
  }
}

function bigintOf({ low, middle, high }: Varint): bigint {
  return (BigInt(high) << 56n) | (BigInt(middle) << 28n) | BigInt(low);
}
