/** Writes DER, the encoding of certificates. */

/** Returns an element with this identifier octet and these contents. */
export function derElement(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(length)]), ...contents]);
}

export function sequence(...elements: readonly Uint8Array[]): Uint8Array {
  return derElement(0x30, ...elements);
}

export function set(...elements: readonly Uint8Array[]): Uint8Array {
  return derElement(0x31, ...elements);
}

export function boolean(value: boolean): Uint8Array {
  return derElement(0x01, Uint8Array.of(value ? 0xff : 0));
}

export function nullValue(): Uint8Array {
  return derElement(0x05);
}

/** Returns a non-negative INTEGER, minimally encoded. */
export function derInteger(value: bigint): Uint8Array {
  const hex = value.toString(16);
  const octets = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return (octets[0] ?? 0) < 0x80 ? derElement(0x02, octets) : derElement(0x02, Uint8Array.of(0), octets);
}

/** Returns an OBJECT IDENTIFIER from dotted notation. */
export function objectIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return derElement(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

export function octetString(contents: Uint8Array): Uint8Array {
  return derElement(0x04, contents);
}

/** Returns a BIT STRING without the last `unusedBits`. */
export function bitString(octets: Uint8Array, unusedBits = 0): Uint8Array {
  return derElement(0x03, Uint8Array.of(unusedBits), octets);
}

export function utf8String(text: string): Uint8Array {
  return derElement(0x0c, Buffer.from(text, 'utf8'));
}

/** Returns a time to the second: with a two-digit year where allowed, until 2049. */
export function derTime(at: Date): Uint8Array {
  const text = at
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '');
  const year = at.getUTCFullYear();
  return year >= 1950 && year < 2050 ? derElement(0x17, Buffer.from(text.slice(2))) : derElement(0x18, Buffer.from(text));
}

/** Returns a field `[n] EXPLICIT`. */
export function explicit(n: number, contents: Uint8Array): Uint8Array {
  return derElement(0xa0 | n, contents);
}

/** Returns a primitive field `[n] IMPLICIT`. */
export function implicit(n: number, contents: Uint8Array): Uint8Array {
  return derElement(0x80 | n, contents);
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return [0x80 | octets.length, ...octets];
}

function base128(value: number): number[] {
  const octets = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) octets.unshift(0x80 | (rest % 128));
  return octets;
}
