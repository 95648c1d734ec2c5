import { IntOrStringError, scaledIntOrPercent } from '../../../src/kubernetes/int-or-string.js';
import type { CorpusCase } from '../files.js';
import { bytesOf, firstDifference } from './inputs.js';
import { roundTrip } from './typed-member.js';

/** `json` in, `result` or `error` out; class `scaled`: `value`, `total` and `roundUp` in, `scaled` out. */
export function difference(recorded: CorpusCase): string | undefined {
  return firstDifference(recorded, answerOf({ class: recorded.name.split('/')[1], ...recorded }), ['result', 'scaled', 'error']);
}

/** Result of the table's function. */
export function answerOf(question: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { value, total, roundUp } = question;
  if (value === undefined) return roundTrip(bytesOf(question, 'json'), 'intorstring', question['class'] === 'pointer');
  try {
    const scaled = scaledIntOrPercent(
      typeof value === 'number' ? BigInt(value) : String(value),
      Number(total),
      roundUp === true ? 'up' : 'down',
    );
    return { scaled: Number(scaled) };
  } catch (error) {
    if (error instanceof IntOrStringError) return { error: error.message };
    throw error;
  }
}
