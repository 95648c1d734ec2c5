import { decodeUtf8Bytes } from '../../src/go/utf8.js';
import type { Random } from './random.js';

/** Pieces that inputs of a function are made of: near-misses come from joining them at random. */
const pieces: Readonly<Record<string, readonly string[]>> = {
  url: split(
    'https|http|HTTP|mailto|urn|1a|a+b|://|//|///|:|/|/|?|?|#|#|@|&|=|;|+|a.example.com|é.example|[::1]|[fe80::1%25en0]|' +
      '[::ffff:1.2.3.4]|[1.2.3.4]|[v1.x]|[::1|]|127.0.0.1|:443|:|:0a|%41|%2f|%2F|%af|%C3%A9|%zz|%|%2|%25|%20|%00|u:p|u|ü| |"|' +
      "'|<|..|.|./|../|a|b c|*|!|$|(|)|[|^|`|{|}|~|\\|\u007f|\n|\u0000",
  ),
  address: split(
    '1|0|00|01|255|256|10|192.168.0.1|1.2.3|.|.|.|:|:|:|::|::|fe80|FFFF|ffff|abcd|12345|0000|%|%eth0|::ffff:|127.0.0.1|::1|' +
      '224.0.0.1|ff02::1|169.254.1.1|g| |-1|x|/|1:2:3:4:5:6:7:8',
  ),
  number: split(
    '1|0|9|5|42|007|-|+|-|.|.|e|E|e+|e-|_|0x|0X|p|P-|a|F|inf|Infinity|nan|9223372036854775807|9223372036854775808|' +
      '18446744073709551615|18446744073709551616|99999999999999999999|308|324|1.7976931348623157|2.2250738585072014|' +
      '4.9406564584124654|0.1|1e23|8.5|9007199254740993| |x|true|T|False|0000000000000000000000001',
  ),
  duration: split(
    '1|1.5|.5|5.|-|+|h|m|s|ms|us|µs|μs|ns|d|9223372036|9223372036854775807|9223372036854775808|0|.|2562047h47m16.854775807s|' + ' ',
  ),
  time: split('2024|-|02|29|30|T|t| |23|:|59|60|7|Z|z|+01:00|-24:60|+25:00|.5|,123456789|.|0000|9999|13|00|31|+|1'),
  header: split(
    '=?utf-8?q?a=C3=A9?=|=?utf-8?Q?=FF_x?=|=?iso-8859-1?b?6Q==?=|=?US-ASCII?q?=80?=|=?x?q?a?=|=?utf-8?b?YQ?=|' +
      '=?utf-8?b?YQ=\n=?=|=?|?=|?|=| |\t|q|text|=?utf-8?q??=|=?utf-8?q?a b?=|=?UTF-8?B?w6k=?=',
  ),
  mediaType: split(
    "application/json|text/plain|TEXT|/|;|; | ;|charset|Charset|=|= |\"|\\|utf-8|utf-8''|'en'|us-ascii'x'|x''|a*|a*0|" +
      'a*0*|a*1|a*1*|a*2|a*01|a|%41|%C3%A9|%fF|%zz|%|x| |,|C:\\a|\t|\u0130|\u212a|*',
  ),
  base64: split('YQ==|YWI=|YWJj|Y|QQ|=|==|\n|\r| |-|_|+|/|/w==|YR==|YWJ=|é|!'),
  mail: split(
    'a|b.c|user|@|@|example.com|localhost|.|<|>| |"|"a b"|\\|(c)|(|)|,|;|:|Name|=?utf-8?q?a?=|=?x?q?a?=|[127.0.0.1]|[|]|é|\t|' +
      'Group:|-|_|!|\'|..|a@b|<a@b>|"q"@x|\r\n |=?utf-8?b?YQ==?=',
  ),
  json: split(
    '{|}|[|]|"a"|"k":|:|,|1|-0|1.5|1e400|01|true|null|nul| |\n|\t|"\\u00e9"|"\\ud800"|"\\ud83d\\ude00"|"\\x"|"<&>"|{}|[]|"|' +
      '\u2028|{"a":[1,{"b":null}]}',
  ),
  name: split('k|K|i|n|d|s|S|\u212a|\u017f|kind|Kinds|\u0131|I|D'),
  text: split('abc|A|z-|-|content|TYPE|_|X'),
};

/** Splits at vertical bars. */
function split(joined: string): readonly string[] {
  return joined.split('|');
}

const oddCharacters = [
  ...[
    '\0',
    '\x01',
    '\x07',
    '\b',
    '\t',
    '\n',
    '\v',
    '\f',
    '\r',
    '\x1b',
    ' ',
    '"',
    '\\',
    "'",
    '\x7f',
    '\x80',
    '\x85',
    '\xa0',
    '\xad',
    '\xff',
  ],
  ...[
    '\u0130',
    '\u017f',
    '\u1680',
    '\u2000',
    '\u200a',
    '\u200b',
    '\u2028',
    '\u2029',
    '\u202f',
    '\u205f',
    '\u3000',
    '\ufeff',
    '\ufffd',
    '\uffff',
  ],
  ...['\u{1f600}', '\u{e0001}', '\u{10ffff}', 'é', 'ß', 'Σ', '日'],
];

const oddBytes = ['ff', '80', 'c3', 'c080', 'e0a0', 'eda080', 'f0808080', 'f48fbfbf', 'f4908080', 'f88080808080', 'e282', 'c3a9c3'];

/** Returns the bytes of a random input: pieces, odd or random characters, and bytes that are not UTF-8. */
export function randomBytes(r: Random, kind: string, maxPieces = 9): Buffer {
  const own = pieces[kind] ?? [];
  const parts = Array.from({ length: r.below(maxPieces + 1) }, () => {
    if (own.length > 0 && r.chance(82)) return Buffer.from(r.pick(own));
    if (r.chance(25)) return Buffer.from(r.pick(oddBytes), 'hex');
    return Buffer.from(r.chance(50) ? r.pick(oddCharacters) : randomCharacter(r));
  });
  return Buffer.concat(parts);
}

/** Returns the same as text without loss. */
export function randomText(r: Random, kind: string, maxPieces = 9): string {
  return decodeUtf8Bytes(randomBytes(r, kind, maxPieces));
}

/** Returns any character of Unicode, most often of the first planes. */
function randomCharacter(r: Random): string {
  const code = r.below(r.pick([0x80, 0x800, 0x10000, 0x32000, 0x110000]));
  return String.fromCodePoint(code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
}

/** Returns the 64 bits of a float as hex: any bits, extremes, integers, short decimals, neighbors of powers. */
export function randomFloatBits(r: Random): string {
  const view = new DataView(new ArrayBuffer(8));
  const kind = r.below(7);
  if (kind < 2) {
    view.setUint32(0, r.below(2 ** 32));
    view.setUint32(4, r.below(2 ** 32));
  } else {
    view.setFloat64(0, niceFloat(r, kind));
    if (r.chance(20)) view.setBigUint64(0, view.getBigUint64(0) + BigInt(r.below(3) - 1));
  }
  return view.getBigUint64(0).toString(16).padStart(16, '0');
}

function niceFloat(r: Random, kind: number): number {
  const sign = r.chance(50) ? 1 : -1;
  if (kind === 2) return sign * r.below(2 ** 31) * 10 ** (r.below(30) - 12);
  if (kind === 3) return sign * (r.below(1e6) / 128);
  if (kind === 4) return sign * 10 ** (r.below(640) - 323);
  if (kind === 5) return sign * r.below(5000);
  return r.pick([
    0,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    5e-324,
    Number.MAX_VALUE,
    1e6,
    1e21,
    1e-7,
    2 ** 53,
    0.5,
    0.0078125,
  ]);
}
