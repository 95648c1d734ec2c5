import { answerOf } from '../corpus/functions/yaml-stream.js';
import { compareWithOracle, countAndSeed, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { randomYaml } from './random-yaml.js';

/** Compares random manifest files with kubectl's reader: `ASK_FUNCTIONS=... node dist/test/differential/yaml-stream.js [COUNT] [SEED]`. */
const { count, seed } = countAndSeed();
const random = randomFrom(seed);
await compareWithOracle({ questions: Array.from({ length: count }, () => questionOf(random)), answer: answerOf }, ['-tries', '3']);

function questionOf(from: Random): Question {
  const text = from.chance(60) ? yamlFile(from) : jsonFile(from);
  if (from.chance(80)) return { fn: 'yaml-stream', input: text };
  const bytes = Buffer.from(text, from.pick(['utf8', 'utf8', 'utf16le', 'latin1'] as const));
  for (let i = from.below(3); i > 0 && bytes.length > 0; i -= 1) bytes[from.below(bytes.length)] = 128 + from.below(128);
  if (bytes.length % 2 === 0 && from.chance(20)) bytes.swap16();
  const mark = from.pick([[], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf], [0xef, 0xbb], [0xff]]);
  return { fn: 'yaml-stream', inputBase64: Buffer.concat([Buffer.from(mark), bytes]).toString('base64') };
}

function yamlFile(from: Random): string {
  const separators = [
    '---\n',
    '---\n',
    '--- \n',
    '--- # c\n',
    '---\r\n',
    '\n---\n',
    '--- x\n',
    '----\n',
    '...\n',
    '---#c\n',
    '---\t\n',
    '',
    ' ---\n',
    '---',
    '---\u00a0\n',
    '# c\n',
    '~\n',
    'null\n',
    '{}\n',
  ];
  const parts = Array.from({ length: 1 + from.below(5) }, () => (from.chance(60) ? from.pick(separators) : yamlDocument(from)));
  const text = parts.join('');
  return from.chance(15) ? text.replaceAll('\n', '\r\n') : text;
}

function yamlDocument(from: Random): string {
  if (from.chance(40))
    return from.pick([
      'a: 1\n',
      'b: [x, y]\n',
      'c:\n- d: é\n',
      'kind: Pod\n',
      '- 1\n- 2\n',
      'a: 1',
      '"x"\n',
      'a: |\n  ---\n  b\n',
      'a: |\n---\nb\n',
      '{"a": 1}\n',
      '{a: 1}\n',
    ]);
  return randomYaml(from);
}

function jsonFile(from: Random): string {
  const values = [
    '{"a":1}',
    '{"a":1}',
    '{}',
    '{"b": [1, 2]}',
    ' {"a":\n1}',
    '{"a":"é\u2028<"}',
    '1',
    '"x"',
    'null',
    '[1]',
    'true',
    'tru',
    '{a: 1}',
    '{"a":1',
    '{"a":1,}',
    '-',
    '1.',
    'b: 2',
    'c: [',
    '{"a":"\\x"}',
    '{"a":"\t"}',
    '// c',
    '# c',
  ];
  const between = ['', '', ' ', '\n', '\n\n', '\r\n', '---\n', '\n---\n', '--- x\n', ',', ';', '\u00a0', '\ufffd', '\t', '\v'];
  const count = 1 + from.below(5);
  let text = from.chance(20)
    ? from.pick(['\n', ' ', '\u00a0', '\ufeff', '\t\n', ' '.repeat(4095), ' '.repeat(4096), '\n'.repeat(4100)])
    : '';
  for (let i = 0; i < count; i += 1) text += (i === 0 && from.chance(85) ? '{"a":1}' : from.pick(values)) + from.pick(between);
  return text;
}
