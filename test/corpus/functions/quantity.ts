import { parseQuantity, QuantityError, quantityOfJson, quantityText } from '../../../src/kubernetes/quantity.js';
import type { CorpusCase } from '../files.js';
import { bytesOf, firstDifference } from './inputs.js';

/** `quantity` in, `canonical` or `error` out; class `json`: `json` in, `result` out. */
export function difference(recorded: CorpusCase): string | undefined {
  return firstDifference(recorded, answerOf(recorded), ['canonical', 'result', 'error']);
}

/** Result of the table's function. */
export function answerOf(question: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    if ('json' in question) return { result: `"${quantityText(quantityOfJson(bytesOf(question, 'json')))}"` };
    return { canonical: quantityText(parseQuantity(bytesOf(question, 'quantity'))) };
  } catch (error) {
    if (error instanceof QuantityError) return { error: error.message };
    throw error;
  }
}
