import { parseDuration, durationText as textOfDuration } from '../../go/duration.js';
import { TimeError } from '../../go/quote-for-time.js';
import { canonicalMicroTime, canonicalTime } from '../../go/time-text.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { parseBoundedQuantity, parseQuantity, QuantityError, quantityText as textOf } from '../../kubernetes/quantity.js';
import { abortMessage } from './typed-reading.js';

/** Go's zero time in a pointer: written as null, but different from a nil pointer. */
export const zeroTimeText = '0001-01-01T00:00:00Z';

/** Returns the canonical text of a quantity from its text in the document, escapes included; aborts the reading when it is invalid. */
export function quantityLeafText(server: ApiServer, raw: string): string {
  const parse = server.since('v1.38') ? parseBoundedQuantity : parseQuantity;
  return orAbort(() => textOf(parse(raw)));
}

/** Returns the canonical text of a time; aborts the reading when it is invalid. */
export function timeLeafText(text: string): string {
  return orAbort(() => canonicalTime(text) ?? zeroTimeText);
}

/** Returns the canonical text of a time with microseconds; aborts the reading when it is invalid. */
export function microTimeLeafText(text: string): string {
  return orAbort(() => canonicalMicroTime(text) ?? zeroTimeText);
}

/** Returns the canonical text of a duration; aborts the reading when it is invalid. */
export function durationLeafText(text: string): string {
  return orAbort(() => textOfDuration(parseDuration(text)));
}

function orAbort(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof QuantityError || error instanceof TimeError) return abortMessage(error.message);
    throw error;
  }
}
