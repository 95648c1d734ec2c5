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
    const number = Number(BigInt.asIntN(32, key >> 3n));
    const wireType = Number(key & 7n);
    if (wireType === 4) throw new WireError(`proto: ${name}: wiretype end group for non-group`);
    if (number <= 0) throw new WireError(`proto: ${name}: illegal tag ${number} (wire type ${key})`);
    if (wireType === 0) yield { number, wireType, bits: varint(bytes, at), bytes: none };
    else if (wireType === 1 || wireType === 5) {
      const size = wireType === 1 ? 8 : 4;
      if (at.place + size > bytes.length) throw new WireError('unexpected EOF');
      const bits = size === 8 ? view.getBigUint64(at.place, true) : BigInt(view.getUint32(at.place, true));
      at.place += size;
      yield { number, wireType, bits, bytes: none };
    } else if (wireType === 2) {
      const length = varint(bytes, at);
      if (length > BigInt(bytes.length - at.place)) throw new WireError('unexpected EOF');
      const start = at.place;
      at.place += Number(length);
      yield { number, wireType, bits: 0n, bytes: bytes.subarray(start, at.place) };
    } else throw new WireError(`proto: illegal wireType ${wireType}`);
  }
}

function varint(bytes: Uint8Array, at: { place: number }): bigint {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    if (shift >= 64n) throw new WireError('proto: integer overflow');
    const byte = bytes[at.place];
    if (byte === undefined) throw new WireError('unexpected EOF');
    at.place += 1;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asUintN(64, value);
  }
}
