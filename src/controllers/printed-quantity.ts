/**
 * A quantity in its canonical form as Go prints the struct behind it: an integer and a power of ten, the text it came from where that is kept, and the
 * family of its suffix. Throws RangeError for one that is held as a big decimal. Source: apimachinery api/resource/quantity.go ParseQuantity.
 */
export function printedQuantity(text: string): string {
  if (text === '') return struct({ value: 0n, scale: 0, text: '', format: '' });
  if (text === '0') return struct({ value: 0n, scale: 0, text: '0', format: 'DecimalSI' });
  const [, sign = '', whole = '', , fraction = '', suffix = ''] = /^([+-]?)(\d*)(\.(\d*))?(.*)$/s.exec(text) ?? [];
  const kind = suffixOf(suffix);
  // Go drops zeros that say nothing before it counts digits.
  const digits = whole.replace(/^0+(?=\d)/, '') + fraction;
  const isBinary = kind?.format === 'BinarySI';
  const precision = isBinary ? 15 - digits.length - Math.trunc((kind.exponent * 3) / 10) - 1 : 18 - digits.length;
  if (kind === undefined || precision < 0 || (isBinary && fraction !== '')) throw new RangeError(`the quantity ${JSON.stringify(text)}`);
  const scale = (isBinary ? 0 : kind.exponent) - fraction.length;
  const amount = BigInt(digits) * (isBinary ? 1n << BigInt(kind.exponent) : 1n);
  const isKept = isBinary ? (BigInt(digits) & 7n) !== 0n : scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return struct({ value: sign === '-' ? -amount : amount, scale, text: isKept ? text : '', format: kind.format });
}

interface Parts {
  readonly value: bigint;
  readonly scale: number;
  readonly text: string;
  readonly format: string;
}

function struct({ value, scale, text, format }: Parts): string {
  const integer = `i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}}`;
  return `{${integer} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${text} Format:(resource.Format)${format}}`;
}

const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

function suffixOf(suffix: string): { readonly exponent: number; readonly format: string } | undefined {
  const ofTwo = binary[suffix];
  if (ofTwo !== undefined) return { exponent: ofTwo, format: 'BinarySI' };
  const ofTen = decimal[suffix];
  if (ofTen !== undefined) return { exponent: ofTen, format: 'DecimalSI' };
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1];
  return exponent === undefined ? undefined : { exponent: Number(exponent), format: 'DecimalExponent' };
}
