/** What a message says of itself before its body. */
export interface MessageHead {
  /** Request or status line. */
  readonly start: string;
  /** Names as received, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Reports whether servers disagree about where a request ends: further requests could be hidden in its body from what observes the connection. Source: RFC 9112 sections 5.1, 5.2,
 * 6.1 and 6.3.
 */
export function isAmbiguous({ start, headers }: MessageHead): boolean {
  if (headers.some(([name, value]) => !token.test(name) || /[\0\r\n]/.test(value))) return true;
  const values = (name: string): readonly string[] => headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);
  const lengths = new Set(values('content-length'));
  const [encoding, ...others] = values('transfer-encoding');
  if (encoding === undefined) return lengths.size > 1;
  return others.length > 0 || encoding.toLowerCase() !== 'chunked' || lengths.size > 0 || start.endsWith('HTTP/1.0');
}
