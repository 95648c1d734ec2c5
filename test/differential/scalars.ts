import { answerOf as intOrStringAnswer } from '../corpus/functions/intorstring.js';
import { answerOf as timeAnswer } from '../corpus/functions/time.js';
import { compareWithOracle, countAndSeed, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';

/**
 * Compares random times, durations and int-or-strings with the Go types: `ASK_FUNCTIONS=... node dist/test/differential/scalars.js [COUNT]
 * [SEED]`.
 */
const { count, seed } = countAndSeed();
const random = randomFrom(seed);
const questions = Array.from({ length: count }, () => questionOf(random));
await compareWithOracle({
  questions,
  answer: question => (question['fn'] === 'intorstring' ? intOrStringAnswer(question) : timeAnswer(question)),
});

function questionOf(from: Random): Question {
  const kind = from.below(4);
  if (kind === 0) return { fn: 'duration', json: json(from, duration(from)) };
  if (kind === 1) return { fn: 'microtime', json: json(from, time(from, 90)) };
  if (kind === 2) return { fn: 'time', json: json(from, time(from, 30)) };
  if (from.chance(40))
    return { fn: 'intorstring', class: from.pick(['value', 'pointer']), json: json(from, from.pick(['x', '5%', '80', ''])) };
  const value = from.chance(20)
    ? from.below(5000) - 1000
    : `${from.pick(['', '-', '+', ' '])}${from.pick(['5', '33', '100', '250', '0', '2.5', 'x', '99999999999999999999', ''])}${from.pick(['%', '%', '%', ''])}`;
  return { fn: 'intorstring', value, total: from.pick([0, 1, 3, 10, 7, 100, 1000, -5]), roundUp: from.chance(50) };
}

function json(from: Random, text: string): string {
  return from.chance(92)
    ? JSON.stringify(text)
    : from.pick(['null', 'true', '0', '-0', '1.5', '1e2', '[]', '{}', '2147483647', '-2147483649', '""']);
}

function mutilated(from: Random, text: string): string {
  if (from.chance(60)) return text;
  const at = from.below(text.length + 1);
  return (
    text.slice(0, at) +
    from.pick(['', '', 'x', '0', '9', '-', ':', ' ', '.', 'Z', '"', '\\', 'é', '+', '\n']) +
    text.slice(at + from.below(3))
  );
}

function time(from: Random, fractionPercent: number): string {
  const two = (limit: number) => (from.chance(90) ? String(from.below(limit)).padStart(2, '0') : String(from.below(limit + 5)));
  const year = from.pick(['2024', '2023', '1900', '0000', '0001', '9999', '1969', String(1000 + from.below(9000))]);
  const date = `${year}-${two(14)}-${two(33)}`;
  const fraction = from.chance(fractionPercent)
    ? from.pick(['.', ',']) +
      from.pick(['123456', '000001', '1', '123456789', '1234567890123', '12345', '+12345', '-12345', '-00000', '999999', ''])
    : '';
  const zone = from.pick([
    'Z',
    'Z',
    'z',
    '',
    '+01:00',
    '-11:30',
    '+24:60',
    '+25:00',
    '+00:61',
    '-00:00',
    '+0100',
    '+1:00',
    '+aa:00',
    '+25:aa',
    ' 01:00',
  ]);
  return mutilated(from, `${date}${from.pick(['T', 'T', 'T', 't', ' '])}${two(25)}:${two(61)}:${two(61)}${fraction}${zone}`);
}

function duration(from: Random): string {
  const part = () => {
    const whole = from.pick([
      '',
      '0',
      '1',
      '5',
      String(from.below(1000)),
      '9223372036854775807',
      '9223372036854775808',
      '2562047',
      '00012',
    ]);
    const fraction = from.pick(['', '', '', '.5', '.', '.000000001', '.123456789123456789123456789', `.${from.below(100000)}`]);
    return whole + fraction + from.pick(['h', 'm', 's', 's', 'ms', 'us', 'µs', 'μs', 'ns', 'd', '', 'S', 'é']);
  };
  const parts = Array.from({ length: from.pick([1, 1, 1, 2, 3]) }, part);
  return mutilated(from, from.pick(['', '', '-', '+', '0']) + parts.join(''));
}
