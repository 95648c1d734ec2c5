import { parseQuantity, QuantityError, quantityText as textOf } from '../../kubernetes/quantity.js';
import { canonicalMicroTime, canonicalTime, durationText as goDuration, parseDuration, TimeError } from '../../kubernetes/time.js';
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

/** The canonical text of a time; undefined for Go's zero time; ends the reading when it is none. */
export function timeText(text: string): string | undefined {
  return orAbort(() => canonicalTime(text));
}

/** The same for a time with microseconds. */
export function microTimeText(text: string): string | undefined {
  return orAbort(() => canonicalMicroTime(text));
}

/** The canonical text of a duration; ends the reading when it is none. */
export function durationText(text: string): string {
  return orAbort(() => goDuration(parseDuration(text)));
}

function orAbort<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TimeError) return abortMessage(error.message);
    throw error;
  }
}
