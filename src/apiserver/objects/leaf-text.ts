import { parseQuantity, QuantityError, quantityText as textOf } from '../../kubernetes/quantity.js';
import { trimSpace } from '../../kubernetes/white-space.js';
import { abortMessage } from './typed-reading.js';

/** The canonical text of a quantity from what stands in the document, escapes and all; ends the reading when it is none. */
export function quantityText(raw: string): string {
  try {
    return textOf(parseQuantity(trimSpace(raw)));
  } catch (error) {
    if (error instanceof QuantityError) return abortMessage(error.message);
    throw error;
  }
}
export function timeText(text: string): string {
  return text;
}
export function microTimeText(text: string): string {
  return text;
}
export function durationText(text: string): string {
  return text;
}
