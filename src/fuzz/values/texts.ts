import { type Pools, wellFormedPool } from './pools.js';
import type { Random } from './random.js';

/** Names that authors write in code: annotations and labels of the fields above often hold such values. */
const plainTexts: readonly string[] = [
  '',
  'true',
  'false',
  'a',
  'none',
  'null',
  'default',
  'x,y',
  'a=b',
  'key: value',
  ' a ',
  'A',
  'TRUE',
  'yes',
];

/** Texts that code which parses, quotes, formats or matches trips over. */
export const oddTexts: readonly string[] = [
  ...['"', "it's", '\\', 'a"b', 'a\\b', 'back\\\\slash\\n', '{"a": 1}', '[1,2', '{', '"}]', '<b>&amp;</b>', '<&>'],
  ...[
    '{{ .Values.x }}',
    '{{',
    `$\{HOME}`,
    '$(id)',
    '%s%d%n',
    '%',
    '100%',
    '%2e%2e/',
    '`id`',
    '#comment',
    '../../etc/passwd',
    '*',
    '?',
    '[',
    '(',
    ')',
  ],
  ...['ü', 'naïve café', '日本語テキスト', '🙂🙂🙂', 'e\u0301', '\u202eabc', '\u2028', 'ß', 'İ', 'a\u00a0b', '\ufeffx', '𝕊'],
  ...['line\nbreak', 'tab\there', 'a\r\nb', '\n', ' ', '  '],
  ...[
    '8080',
    '0',
    '-1',
    '007',
    '1e3',
    '0x1F',
    '1.5',
    '-0',
    '99999999999999999999',
    '9223372036854775808',
    'NaN',
    'Infinity',
    '12a',
    '1,000',
    '٣',
  ],
  ...['1h', '90s', '1.5h', 'P1D', '1d', '10m30s', '1Gi', '500m', '1k', '5e2', '0.5'],
  ...['2024-02-29', '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.678+02:00', 'tomorrow', '1700000000'],
  ...[
    '::1',
    '10.0.0.0/8',
    'fe80::1%eth0',
    'https://example.com/a?b=c',
    'http://[::1]:80',
    'a:b:c',
    'user@example.com',
    'a/b/c',
    '/',
    'a,b,,c',
    ',',
    '=',
    'a==',
    ';',
    '|',
  ],
  ...['__proto__', 'constructor', 'undefined', '~', '~1', 'a~b/c', 'a.b.c', '[]', '{}', '- a', 'a: [b', '!!binary x', '*anchor'],
];

/** Texts on which expressions with nested repetitions take long; the longest first, because a check may end at the first text that it refuses. */
export const backtracking: readonly string[] = ['a', '0', 'a-', 'a.', '1,', ' ', '/', 'a/', '-', '.', '=', '(', 'a1', 'x '].flatMap(unit =>
  [62, 45, 32, 28].map(length => `${unit.repeat(Math.ceil(length / unit.length))}${length === 45 ? '_\u00e4' : '!'}`),
);

/** Returns a value for a field that takes any text. */
export function anyText(r: Random, pools: Pools, dictionary: readonly string[]): string {
  const source = r.below(100);
  if (source < 25 && dictionary.length > 0) return r.pick(dictionary);
  if (source < 65) return r.pick(oddTexts);
  if (source < 75) return r.pick(plainTexts);
  if (source < 83) return r.pick(backtracking);
  if (source < 90) return longText(r);
  return r.pick(pools.texts);
}

/** Repeats a text to a length at which limits of parsers, columns and labels are. */
export function longText(r: Random, lengths: readonly number[] = [64, 70, 254, 300, 1000, 5000]): string {
  const unit = r.pick(['a', 'ab-', 'ü', '🙂', 'x ', '1', '{"a":', 'a,b;', '\\"', 'a.b/']);
  const length = r.pick(lengths);
  return wellFormedPool(unit.repeat(Math.ceil(length / unit.length)).slice(0, length));
}
