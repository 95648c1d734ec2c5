import type { LeafName } from '../../../src/kubernetes/schema.js';
import type { CorpusCase } from '../files.js';
import { bytesOf, firstDifference } from './inputs.js';
import { roundTrip } from './typed-member.js';

/** By class (`time`, `microtime`, `duration`): `json` in, `result` or `error` out. */
export function difference(recorded: CorpusCase): string | undefined {
  return firstDifference(recorded, answerOf({ fn: recorded.name.split('/')[1], ...recorded }), ['result', 'error']);
}

/** Result of the table's function. */
export function answerOf(question: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return roundTrip(bytesOf(question, 'json'), leaves.get(String(question['fn'])) ?? 'time', false);
}

const leaves = new Map<string, LeafName>([
  ['time', 'time'],
  ['microtime', 'microtime'],
  ['duration', 'duration'],
]);
