import { answerOf } from '../corpus/functions/quantity.js';
import { compareWithOracle, countAndSeed, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';

/** Compares random quantities with the Go type: `ASK_FUNCTIONS=... node dist/test/differential/quantity.js [COUNT] [SEED]`. */
const { count, seed } = countAndSeed();
const random = randomFrom(seed);
await compareWithOracle({ questions: Array.from({ length: count }, () => questionOf(random)), answer: answerOf });

function questionOf(from: Random): Question {
  const text = quantity(from);
  if (from.chance(80)) return { fn: 'quantity', quantity: text };
  const plain = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/.test(text);
  const json = plain && from.chance(50) ? text : JSON.stringify(from.pick(['', ' ', '\t', '\u00a0']) + text + from.pick(['', ' ']));
  return { fn: 'quantity', json: from.chance(5) ? from.pick(['null', 'true', '{}', '[]', '""', '"\\u0031"', '0', '-0', '"0"']) : json };
}

function quantity(from: Random): string {
  const sign = from.pick(['', '', '', '-', '+', '--']);
  const whole = from.pick([
    '',
    '0',
    '00',
    digits(from, 3),
    digits(from, 3),
    digits(from, 19),
    digits(from, 30),
    `${digits(from, 4)}000`,
    '1024',
    '1048576',
    '9223372036854775807',
    '8',
    '16',
  ]);
  const fraction = from.chance(35) ? `.${from.pick(['', '0', '5', '25', '000', digits(from, 4), digits(from, 12), digits(from, 25)])}` : '';
  return sign + whole + fraction + suffix(from) + (from.chance(3) ? from.pick([' ', '.', 'i', 'B', 'é', '%', '1', '-']) : '');
}

function suffix(from: Random): string {
  if (from.chance(30)) return '';
  if (from.chance(70)) return from.pick(['n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']);
  if (from.chance(80))
    return `${from.pick(['e', 'E'])}${from.pick(['', '-', '+'])}${from.pick([String(from.below(30)), String(from.below(400)), '3', '6', '9', '007', ''])}`;
  return from.pick(['K', 'ki', 'mi', 'KI', 'i', 'ee', 'Eie', 'nn', 'e3m', 'Ki1', 'e00012', 'e99999', '+', '-5', 'me3']);
}

function digits(from: Random, most: number): string {
  return Array.from({ length: 1 + from.below(most) }, () => from.below(10)).join('');
}
