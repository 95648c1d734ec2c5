import { answerOf } from '../corpus/functions/yaml.js';
import { compareWithOracle, countAndSeed, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { randomYaml } from './random-yaml.js';

/** Compares random YAML with the Go library: `ASK_FUNCTIONS=... node dist/test/differential/yaml.js [COUNT] [SEED]`. */
const { count, seed } = countAndSeed();
const random = randomFrom(seed);
const questions = Array.from({ length: count }, () => questionOf(random));
await compareWithOracle({ questions, answer: answerOf }, ['-tries', '3']);

function questionOf(from: Random): Question {
  const text = randomYaml(from);
  if (from.chance(95)) return { fn: 'yaml', yaml: text };
  const bytes = Buffer.from(text, from.pick(['utf8', 'utf16le', 'latin1'] as const));
  if (bytes.length > 0 && from.chance(50)) bytes[from.below(bytes.length)] = 128 + from.below(128);
  const mark = from.pick([[], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]]);
  return { fn: 'yaml', yamlBase64: Buffer.concat([Buffer.from(mark), bytes]).toString('base64') };
}
