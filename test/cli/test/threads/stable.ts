/** Replaces what differs between two runs with the same seed: times, ports and certificates. */
export function stable(text: string): string {
  return text
    .replace(/-----BEGIN CERTIFICATE-----[^"]*/g, 'CERTIFICATE')
    .replace(/echo [\w+/=]+ \| base64 -d/g, 'CERTIFICATE')
    .replace(/(127\.0\.0\.1:|"port":)\d+/g, '$1PORT')
    .replace(/\b((?:duration|start)Ms"?:|time=|startedAt"?:|timestamp=) ?"?[-:.\dTZ]+"?/g, '$1TIME')
    .replace(/\b\d[\d.]* m?s\b/g, 'TIME')
    .replace(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]+ GMT/g, 'DATE');
}

/** The uid of everything: threads draw uids in another order. */
export const equalUid = (): string => '00000000-0000-4000-8000-000000000000';
