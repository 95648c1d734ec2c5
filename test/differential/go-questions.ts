import type { Question } from './oracle.js';
import type { Random } from './random.js';
import { randomBytes, randomFloatBits } from './random-go-input.js';
import { randomKeyPair } from './random-key-pair.js';

/** Random questions for each function of go-functions; texts are base64. */
export const goQuestions: Readonly<Record<string, (r: Random) => Question>> = {
  quote: textOf('text'),
  'format-float': r => ({ bits: randomFloatBits(r) }),
  'json-float': r => ({ bits: randomFloatBits(r) }),
  'parse-float': textOf('number', 6),
  'parse-int': textOf('number', 4),
  'parse-uint': textOf('number', 4),
  'parse-bool': r => ({ text: base64(r.chance(40) ? Buffer.from(r.pick(booleans)) : randomBytes(r, 'number', 3)) }),
  'parse-duration': textOf('duration', 7),
  'parse-time': r => ({ text: base64(r.chance(70) ? almostTime(r) : randomBytes(r, 'time', 14)) }),
  'parse-micro-time': r => ({ text: base64(r.chance(70) ? almostTime(r) : randomBytes(r, 'time', 14)) }),
  atoi: textOf('number', 4),
  'status-text': r => ({ code: r.below(700) }),
  'format-time': r => ({
    seconds: String((r.chance(50) ? 1 : -1) * r.below(253402300799)),
    nanoseconds: r.pick([0, 1, 500_000_000, r.below(1e9), 120_000]),
    offset: r.pick([0, 3600, -19_800, 86_340, -60]),
  }),
  'trim-space': textOf('text', 6),
  'media-type': textOf('mediaType', 12),
  'decode-header': textOf('header', 6),
  'header-name': textOf('text', 5),
  base64: textOf('base64', 6),
  utf8: textOf('text', 12),
  'compare-keys': r => ({ a: base64(randomBytes(r, 'name', 3)), b: base64(randomBytes(r, 'name', 3)) }),
  'parse-url': textOf('url'),
  'parse-request-uri': textOf('url'),
  'resolve-reference': r => ({ base: base64(almostUrl(r)), reference: base64(randomBytes(r, 'url', 7)) }),
  'parse-address': textOf('address'),
  'parse-prefix': r => ({ text: prefix(r), other: prefix(r), address: base64(address(r)) }),
  'parse-ip': textOf('address'),
  'mail-address': textOf('mail', 7),
  'json-string': textOf('json', 8),
  'json-indent': textOf('json', 8),
  'fold-name': textOf('name', 5),
  'key-pair': randomKeyPair,
};

const booleans = ['1', 't', 'T', 'TRUE', 'true', 'True', '0', 'f', 'F', 'FALSE', 'false', 'False', 'tRUE', ''];

function textOf(kind: string, maxPieces?: number): (r: Random) => Question {
  return r => ({ text: base64(randomBytes(r, kind, maxPieces)) });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}

function almostTime(r: Random): Buffer {
  const two = (limit: number) => String(r.below(r.chance(90) ? limit : limit + 5)).padStart(r.chance(95) ? 2 : 1, '0');
  const year = r.pick(['2024', '2023', '1900', '0000', '0001', '9999', String(1000 + r.below(9000))]);
  const fraction = r.chance(40)
    ? `${r.pick(['.', ','])}${r.pick(['5', '123456', '000001', '+12345', '-12345', '-00000', '123456789', '1234567890123', '000000001', ''])}`
    : '';
  const zone = r.pick(['Z', 'Z', 'z', '', '+01:00', '-11:30', '+24:60', '+25:00', '+00:61', '-00:00', '+0100', '+1:00', '+aa:00']);
  const text = `${year}-${two(13)}-${two(32)}${r.pick(['T', 'T', 'T', 't'])}${two(24)}:${two(60)}:${two(60)}${fraction}${zone}`;
  if (r.chance(80)) return Buffer.from(text);
  const at = r.below(text.length + 1);
  return Buffer.concat([Buffer.from(text.slice(0, at)), randomBytes(r, 'time', 1), Buffer.from(text.slice(at + r.below(2)))]);
}

function almostUrl(r: Random): Buffer {
  const start = r.pick([
    'https://h/a/b',
    'http://u:p@h:1/',
    'https://h',
    'mailto:x',
    'a/b',
    '/x/y/',
    'https://h/a%2fb/c?q#f',
    '//h/x',
    'file:/a/b',
    '?q',
  ]);
  return r.chance(70) ? Buffer.from(start) : Buffer.concat([Buffer.from(start), randomBytes(r, 'url', 3)]);
}

function address(r: Random): Buffer {
  const four = () => Array.from({ length: 4 }, () => r.pick([0, 1, 10, 127, 128, 192, 255, r.below(256)])).join('.');
  const six = () => `${r.pick(['fe80', '2001:db8', '::ffff', 'ff02', '0'])}::${r.below(65_536).toString(16)}`;
  return r.chance(70) ? Buffer.from(r.chance(50) ? four() : six()) : randomBytes(r, 'address', 5);
}

function prefix(r: Random): string {
  const bits = r.pick(['0', '8', '24', '32', '33', '64', '128', '129', '08', '+8', '', '-1', '99999999999999999999', String(r.below(130))]);
  return base64(Buffer.concat([address(r), Buffer.from(r.chance(95) ? `/${bits}` : bits)]));
}
