import { answerOf } from '../corpus/functions/merge-patch.js';
import { compareWithOracle, countAndSeed, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { array, object, spoiled, value } from './random-json.js';

/** Compares JSON merge patches of random documents with the API server's library. */
function question(r: Random): Question {
  const original = r.chance(92) ? object(r, 4, '') : r.pick([array(r, 3, ''), value(r, 2, '')]);
  const patch = r.chance(92) ? object(r, 4, '') : r.pick([array(r, 3, ''), value(r, 2, '')]);
  return {
    fn: 'merge-patch',
    original: r.chance(3) ? spoiled(r, original.text) : original.text,
    patch: r.chance(3) ? spoiled(r, patch.text) : patch.text,
  };
}

const { count, seed } = countAndSeed();
const random = randomFrom(seed);
const questions = Array.from({ length: count }, () => question(random));
await compareWithOracle({ questions, answer: q => answerOf(String(q['original']), String(q['patch'])) });
