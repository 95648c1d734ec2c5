import type { Random } from './random.js';

/** A YAML text of any quality: plausible and then corrupted, or a mixture of tokens. */
export function randomYaml(random: Random): string {
  const kind = random.below(100);
  if (kind < 30) return document(random);
  if (kind < 60) return mutilated(random, document(random));
  if (kind < 75) return soup(random);
  if (kind < 90)
    return `${random.pick(['v: ', '- ', '', '? ', 'v: [', '{a: ', '&a '])}${scalar(random)}${random.pick(['\n', '', ']', '}', ': x\n'])}`;
  return mutilated(random, padded(random, document(random)));
}

const words = [
  'a',
  'b',
  'key',
  'x y',
  'yes',
  'no',
  'on',
  'n',
  'y',
  'true',
  'null',
  '~',
  '',
  'é',
  '日本',
  '😀',
  'a#b',
  'a:b',
  '-a',
  '?a',
  ':a',
  '<<',
  '.',
  '=',
  'a,b',
];
const numbers = [
  '0',
  '1',
  '-1',
  '+1',
  '007',
  '08',
  '0o17',
  '0b11',
  '-0b1',
  '0b-1',
  '0b+1',
  '0x1F',
  '0X1f',
  '1_000',
  '1__0',
  '_1',
  '1_',
  '1.5',
  '.5',
  '5.',
  '.5_0',
  '._5',
  '1e3',
  '1E400',
  '-.inf',
  '.inf',
  '.NaN',
  '+.inf',
  '-0',
  '-0.0',
  '1.0',
  '1e20',
  '1e21',
  '1e-7',
  '12345678',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551615',
  '18446744073709551616',
  '-9223372036854775808',
  '-9223372036854775809',
  '0xFFFFFFFFFFFFFFFF',
  '0xFFFFFFFFFFFFFFFFF',
  '1:30',
  '2001-01-01',
  '2001-13-45',
  '2001-1-2T3:4:5Z',
  '2001-1-2 3:4:5',
  '2001-01-02t03:04:05.5+01:00',
  '1e39',
  '16777217.5',
  '0.1',
  '123456789.25',
  '1e5',
  '1e6',
  '+0',
  '0_7',
  '0o8',
  '00',
  '1.e3',
  '1e',
  '+',
  '-',
  '0x',
  '0x1p3',
  '1,000',
];
const tags = [
  '!!str',
  '!!int',
  '!!float',
  '!!bool',
  '!!null',
  '!!binary',
  '!!timestamp',
  '!!seq',
  '!!map',
  '!!merge',
  '!',
  '!foo',
  '!!foo',
  '!e!x',
  '!<tag:yaml.org,2002:int>',
  '!<!!int>',
  '!!%73tr',
  '!!%ff',
  '!!%c3%a9',
  '!!%c3x',
  '!<x',
  '!!',
  '!é',
  '!a!',
];
const pieces = [
  'a',
  'b',
  ' ',
  '  ',
  '\n',
  '\n',
  '\n  ',
  '\n- ',
  ': ',
  ':',
  '- ',
  '-',
  '? ',
  '?',
  '[',
  ']',
  '{',
  '}',
  ',',
  ', ',
  '&a',
  '*a',
  '&b ',
  '*b ',
  '!',
  '!!str ',
  '|',
  '>',
  '|-\n',
  '>+\n  ',
  '|2\n',
  "'",
  '"',
  '\\',
  '\\n',
  '\\x41',
  '\\ud800',
  '%',
  '%YAML 1.1\n',
  '%TAG ! x\n',
  '---',
  '---\n',
  '\n---\n',
  '...\n',
  '#',
  ' #',
  '@',
  '`',
  '\t',
  '\r',
  '\r\n',
  '\x85',
  '\u2028',
  '\ufeff',
  '0',
  '1',
  '<<: ',
  '<<',
  '~',
  '"\\\n',
  '\u0007',
  '😀',
  '\u00a0',
  '=',
  '.',
  '_',
];

function document(random: Random): string {
  const start = random.chance(10)
    ? random.pick([
        '---\n',
        '--- ',
        '%YAML 1.1\n---\n',
        '%YAML 1.2\n---\n',
        '%TAG !e! tag:e,2000:\n---\n',
        '\ufeff',
        '# c\n',
        '\n',
        '...\n',
        '%FOO\n---\n',
      ])
    : '';
  const end = random.chance(10) ? random.pick(['...\n', '---\nb\n', '\n---\n{', '# end', '\n\n', '...\n%YAML 1.1\n', '\t\n', '... x']) : '';
  return start + block(random, 0, random.below(4)) + end;
}

function block(random: Random, indent: number, depth: number): string {
  if (depth === 0 || random.chance(15))
    return `${random.chance(80) ? inline(random, 2) : blockScalar(random, indent)}${random.chance(85) ? '\n' : ' # c\n'}`;
  const pad = ' '.repeat(indent);
  const count = 1 + random.below(4);
  const sequence = random.chance(35);
  let out = properties(random, 5);
  if (indent > 0 || out !== '') out = `${out}\n`;
  for (let i = 0; i < count; i += 1) {
    if (random.chance(5)) out += random.pick(['# note\n', '\n', `${pad}# c\n`, '  \n']);
    if (sequence)
      out += random.chance(30) ? `${pad}- ${compact(random, indent + 2, depth - 1)}` : `${pad}- ${block(random, indent + 2, depth - 1)}`;
    else if (random.chance(5)) out += `${pad}? ${inline(random, 1)}\n${pad}: ${block(random, indent + 2, depth - 1)}`;
    else
      out += `${pad}${key(random)}:${random.pick([' ', ' ', ' ', '  ', '\t', ''])}${block(random, indent + random.pick([2, 2, 2, 1, 4, 0]), depth - 1)}`;
  }
  return out;
}

function compact(random: Random, indent: number, depth: number): string {
  return `${key(random)}: ${block(random, indent + 2, depth)}${random.chance(50) ? `${' '.repeat(indent)}${key(random)}: ${inline(random, 1)}\n` : ''}`;
}

function key(random: Random): string {
  if (random.chance(60)) return random.pick(['a', 'b', 'c', 'd']);
  if (random.chance(20)) return '<<';
  if (random.chance(10)) return inline(random, 1);
  return scalar(random);
}

function properties(random: Random, percent: number): string {
  if (!random.chance(percent)) return '';
  return random.pick(['&a ', '&b ', '&a', `${random.pick(tags)} `, '&a !!map ', '!!seq &b ', '&a &b ', '& ', '&é ']);
}

function inline(random: Random, depth: number): string {
  const before = properties(random, 8);
  if (random.chance(7)) return before + random.pick(['*a', '*b', '*c', '[*a, *b]', '*a ']);
  if (depth === 0 || random.chance(70)) return before + scalar(random);
  const items = Array.from({ length: random.below(4) }, () => inline(random, depth - 1));
  if (random.chance(50)) return `${before}[${items.join(random.pick([', ', ',', ',\n ', ' , ']))}${random.chance(10) ? ',' : ''}]`;
  const pairs = items.map(item => `${random.chance(85) ? `${key(random)}: ` : random.pick(['? ', 'k', '"k":', '? a : ', ': '])}${item}`);
  return `${before}{${pairs.join(', ')}${random.chance(10) ? ',' : ''}}`;
}

function scalar(random: Random): string {
  const kind = random.below(10);
  if (kind < 3) return random.pick(words);
  if (kind < 6) return random.pick(numbers);
  if (kind < 7) return `${random.pick(tags)} ${random.pick(random.chance(50) ? numbers : words)}`;
  if (kind < 8) return `'${random.pick(words)}${random.pick(['', "''", '\n', '\n\n  ', ' ', '"'])}${random.pick(words)}'`;
  if (kind < 9)
    return `"${random.pick(words)}${random.pick(['', '\\n', '\\x41', '\\u00e9', '\\U0001F600', '\\ud800', '\\q', '\\\n  ', '\n', '\n\n', '\\/', "'", '\\0', '\\ ', '\\\t', '\\_', '\\N', '\\L', '\\e', '\t'])}${random.pick(words)}"`;
  if (random.chance(30))
    return `!!binary ${random.pick(['aGk=', '/w==', 'aGk', 'a GV', '"aGk=\\n"', '====', 'aGkA', '"aG\\nk="', 'aG==', 'aH=='])}`;
  return random.pick([
    'a\n  b',
    'a\n\n  b',
    'a #b',
    'a: b',
    '- a',
    '? a',
    ': a',
    'a b  c',
    '[a',
    'a]',
    '"a',
    "'a",
    '|',
    '>',
    '@a',
    '`a',
    '%a',
    '!a',
    '&a',
    '*',
    'a\tb',
    'a:',
    'a: ',
    '"a":b',
    'x{',
    '}',
    ',',
  ]);
}

function blockScalar(random: Random, indent: number): string {
  const pad = ' '.repeat(random.pick([indent, indent, indent, indent + 1, Math.max(indent - 1, 0), 0, 2]));
  const header = random.pick(['|', '>', '|-', '>-', '|+', '>+', '|2', '>1', '|0', '|2-', '|-2', '|  # c', '|x', '>#c', '|+1', '>9']);
  const lines = Array.from({ length: random.below(5) }, () =>
    random.pick([
      '',
      '',
      `${pad}a`,
      `${pad}b c`,
      `${pad}  deeper`,
      `${pad}\ttab`,
      '\t',
      `${pad}# no`,
      ' ',
      `${pad}é`,
      `${pad}---`,
      '---',
      `${pad} `,
    ]),
  );
  return `${header}${random.pick(['\n', '\n', '\n', '\r\n', '\u2028', ''])}${lines.join(random.pick(['\n', '\n', '\n', '\r\n', '\r', '\x85', '\u2028']))}`;
}

function soup(random: Random): string {
  return Array.from({ length: 1 + random.below(14) }, () => random.pick(pieces)).join('');
}

function mutilated(random: Random, text: string): string {
  const characters = [...text];
  for (let i = 1 + random.below(3); i > 0; i -= 1) {
    const at = random.below(characters.length + 1);
    const remove = random.chance(60) ? random.below(3) : 0;
    characters.splice(at, remove, ...(random.chance(70) ? [random.pick(pieces)] : []));
  }
  return characters.join('');
}

/** Long enough for several read buffers. */
function padded(random: Random, text: string): string {
  const filler = `${random.pick(['# ', '"', '', '- '])}${random.pick(['x', 'é', 'y ', '日', '😀', 'z\n']).repeat(random.pick([100, 170, 255, 300, 511, 512, 513, 1020, 1100]))}${random.pick(['\n', '\n', '": 1\n', '\u0001'])}`;
  return random.chance(50) ? filler + text : text + filler;
}
