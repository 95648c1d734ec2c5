/** Returns the CRC-32 of two parts that follow each other, from those of each; `size` is that of the second one. Source: zlib crc32_combine. */
export function combineCrc32(first: number, second: number, size: number): number {
  return (productOf(powerOf(size), first) ^ second) >>> 0;
}

/** The polynomial of gzip; the highest bit is the coefficient of 1. */
const polynomial = 0xedb88320;
const one = 0x80000000;
/** x to the power of 8: the shift by one byte. */
const byteShift = 0x00800000;

/** Returns the polynomial by which a number of bytes of zeros multiplies. */
function powerOf(bytes: number): number {
  let power = one;
  let square = byteShift;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = productOf(square, power);
    square = productOf(square, square);
  }
  return power;
}

/** Multiplies two polynomials over GF(2), modulo that of gzip. */
function productOf(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial;
  }
  return product >>> 0;
}
