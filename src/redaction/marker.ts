import { createHash } from 'node:crypto';

/** What is between the angle brackets of a marker, as a regular expression. */
export const markerText = 'redacted sha256:[0-9a-f]{8}';

/** Finds a marker. */
export const marker = new RegExp(`<${markerText}>`);

/** Finds all markers; the group is the digest. */
export const markers = /<redacted sha256:([0-9a-f]{8})>/g;

const whole = new RegExp(`^<${markerText}>$`);

/** Replacement of a secret wherever the program writes or prints: different secrets have different digests. */
export function redacted(text: string): string {
  if (isRedacted(text)) return text;
  return `<redacted sha256:${createHash('sha256').update(text).digest('hex').slice(0, 8)}>`;
}

/** Reports whether a text is only a marker. */
export function isRedacted(text: string): boolean {
  return whole.test(text);
}
