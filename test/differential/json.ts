import { decodeGoUtf8, encodeUtf8Bytes } from '../../src/go/utf8.js';
import { answerOf } from '../corpus/functions/go-json.js';
import { compareWithOracle, countAndSeed, type OracleAnswer, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';

const pieces = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"a"',
  '"b"',
  '"kind"',
  '1',
  '-0',
  '1.5',
  '1e400',
  '1E-3',
  'null',
  'true',
  ' ',
  '\n',
  '"\\u00e9"',
  '"\\ud800"',
  '"é<&>"',
  '"\\',
  'tru',
  '-',
  '.',
  '01',
  'x',
  'é',
  '\t',
  '"\u2028"',
  '\u0001',
  "'",
  '+',
];
const keys = ['"a"', '"b"', '"kind"', '"items"', '"apiVersion"', '"a.b"', '""', '"\\u0061"', '"é"', '"😀"', '"\\uffff"'];
const scalars = [
  '1',
  '-0',
  '1.0',
  '1e3',
  '0.1',
  '1e21',
  '1e-7',
  '9223372036854775807',
  '-9223372036854775809',
  '1e400',
  '"a"',
  '"\\ud83d\\ude00"',
  '"\\ud83d"',
  '"<>&"',
  '"\\u0000"',
  '"😀"',
  '"\\/"',
  'true',
  'false',
  'null',
  '{}',
  '[]',
  '"W"',
];

/**
 * Compares random JSON, valid and invalid, with Go's untyped readers: `ASK_FUNCTIONS=... node dist/test/differential/json.js [COUNT]
 * [SEED]`.
 */
const { count, seed } = countAndSeed();
const random = randomFrom(seed);
const questions = Array.from({ length: count }, () => questionOf(random));
await compareWithOracle({ questions, answer: question => printed(answerOf(question)) });

function questionOf(from: Random): Question {
  const className = from.pick(['text', 'text', 'custom-resource']);
  const text = className === 'text' || from.chance(40) ? anyText(from) : object(from);
  if (from.chance(90)) return { fn: 'go-json', class: className, json: text };
  const bytes = Buffer.from(text);
  if (bytes.length > 0) bytes[from.below(bytes.length)] = 128 + from.below(128);
  return { fn: 'go-json', class: className, jsonBase64: bytes.toString('base64') };
}

function anyText(from: Random): string {
  if (from.chance(30)) return Array.from({ length: from.below(9) }, () => from.pick(pieces)).join('');
  const text = value(from, 4);
  if (from.chance(55)) return text;
  const characters = [...text];
  characters.splice(from.below(characters.length + 1), from.below(2), from.pick(pieces));
  return characters.join('');
}

function value(from: Random, depth: number): string {
  if (depth === 0 || from.chance(40)) return from.pick(scalars);
  const parts = Array.from({ length: from.below(5) }, () => value(from, depth - 1));
  return from.chance(45) ? `[${parts.join(',')}]` : `{${parts.map(part => `${from.pick(keys)}:${part}`).join(',')}}`;
}

function object(from: Random): string {
  const version = from.chance(50) ? '"apiVersion":"x/v1",' : '';
  const items = from.pick([value(from, 3), `[${value(from, 2)},${value(from, 2)}]`, `[{"a":${value(from, 1)}}]`]);
  return `{"kind":${from.pick(['"W"', '"WList"', '"List"', '""', '1'])},${version}"items":${items}}`;
}

/** As the oracle prints strings: invalid UTF-8 replaced. */
function printed(answer: OracleAnswer): OracleAnswer {
  const texts = Object.entries(answer).map(([key, text]) => [key, typeof text === 'string' ? decodeGoUtf8(encodeUtf8Bytes(text)) : text]);
  return Object.fromEntries(texts);
}
