import { lastAtMost } from '../encoding/line-places.js';
import type { Layer } from './layer.js';
import type { Capture } from './scan.js';

/** A review that is in a text, but cannot be read. */
export interface UnreadableReview {
  readonly at: number;
  readonly message: string;
  readonly suggestions: readonly string[];
}

/** A review that Go prints with `%v` or `%+v`, or by its String method. */
const goStruct =
  /AdmissionReview\{TypeMeta:|AdmissionRequest\{UID:[0-9a-f]{8}-|\{\{AdmissionReview admission\.k8s\.io\/v1|\{Kind:AdmissionReview APIVersion:/g;

/** The kind of a review in JSON, possibly escaped. */
const kindMember = /["']kind\\*["']\s*:\s*\\*["']AdmissionReview\\*["']/g;

/** More of them say nothing new. */
const maxUnreadable = 100;

/**
 * Returns the reviews of a text that are not among its captures, which are in the order of the text: cut off, built by code, or printed by Go.
 * At most 100 of each form.
 */
export function unreadableReviews(layer: Layer, captures: readonly Capture[]): UnreadableReview[] {
  const starts = captures.map(({ start }) => start);
  const isRead = (at: number): boolean => {
    const nearest = starts.length === 0 ? undefined : captures[lastAtMost(starts, at)];
    return nearest !== undefined && nearest.start <= at && at <= nearest.last;
  };
  const places = (marker: RegExp): number[] => {
    const found: number[] = [];
    for (const { index } of layer.text.matchAll(marker)) {
      const at = layer.originOf(startOfEscape(layer.text, index));
      if (!isRead(at)) found.push(at);
      if (found.length === maxUnreadable) break;
    }
    return found;
  };
  return [
    ...places(goStruct).map(at => ({
      at,
      message: 'an AdmissionReview printed as a Go struct cannot be read back',
      suggestions: ['log the body of the request instead', 'record the reviews with webhook-cli proxy'],
    })),
    ...places(kindMember).map(at => ({
      at,
      message: 'the AdmissionReview is not complete: it is cut off, or contains something other than JSON',
      suggestions: ['check the end of the review: logs cut long lines', 'record the reviews with webhook-cli proxy'],
    })),
  ];
}

/** Returns the offset of the backslashes before a quote. */
function startOfEscape(text: string, quote: number): number {
  let at = quote;
  while (text[at - 1] === '\\') at -= 1;
  return at;
}
