/** Words of which every capture has at least one, in any encoding but base64. */
const marker = /AdmissionReview|operation|audit\.k8s\.io/g;

/** The places of a text without which no capture is possible. */
export interface Markers {
  /** Reports whether there is one from an offset to another; by default to the end of the text. */
  readonly isBetween: (start: number, end?: number) => boolean;
}

/** Returns the markers of a text. Most texts have few, so that most of a log need not be read. */
export function markersOf(text: string): Markers {
  const places: number[] = [];
  for (const { index } of text.matchAll(marker)) places.push(index);
  return {
    isBetween: (start, end = text.length) => (places[firstAtLeast(places, start)] ?? end) < end,
  };
}

function firstAtLeast(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
