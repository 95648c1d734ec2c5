/** Writer for protobuf messages. */
export interface WireWriter {
  varint(value: number | bigint): void;
  /** Tag of a field: number and wire type. */
  tag(number: number, wireType: 0 | 1 | 2 | 5): void;
  bytes(value: Uint8Array): void;
  float64(value: number): void;
  finish(): Uint8Array;
}

/** Creates an empty writer. */
export function newWireWriter(): WireWriter {
  let buffer = Buffer.allocUnsafe(256);
  let length = 0;
  const reserve = (more: number): void => {
    if (length + more <= buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + more));
    buffer.copy(grown, 0, 0, length);
    buffer = grown;
  };
  const byte = (value: number): void => {
    buffer[length] = value;
    length += 1;
  };
  const varint = (value: number | bigint): void => {
    reserve(10);
    if (typeof value === 'number' && value >= 0 && value < 2 ** 31) {
      let left = value;
      for (; left > 127; left >>>= 7) byte((left & 127) | 128);
      byte(left);
      return;
    }
    let left = BigInt.asUintN(64, BigInt(value));
    for (; left > 127n; left >>= 7n) byte(Number(left & 127n) | 128);
    byte(Number(left));
  };
  return {
    varint,
    tag: (number, wireType) => varint((number << 3) | wireType),
    bytes: value => {
      varint(value.length);
      reserve(value.length);
      buffer.set(value, length);
      length += value.length;
    },
    float64: value => {
      reserve(8);
      buffer.writeDoubleLE(value, length);
      length += 8;
    },
    finish: () => buffer.subarray(0, length),
  };
}
