import { quoteInner } from './quote.js';

/** Bytes (one a character) in double quotes as Go prints a string that holds them: what is no UTF-8 becomes `\xff`. Source: Go strconv.Quote. */
export function quoteBytes(bytes: string): string {
  // Put together in blocks: millions of pieces take more memory than what they make.
  const blocks: string[] = ['"'];
  for (let start = 0; start < bytes.length; ) {
    const end = blockEnd(bytes, start);
    blocks.push(quotedBlock(bytes.slice(start, end)));
    start = end;
  }
  blocks.push('"');
  return blocks.join('');
}

/** Where a block ends: not within a character, which begins three bytes before at most. */
function blockEnd(bytes: string, start: number): number {
  const most = start + blockSize;
  if (most >= bytes.length) return bytes.length;
  const begins = [0, 1, 2, 3].find(back => (bytes.charCodeAt(most - back) & 0xc0) !== 0x80);
  return most - (begins ?? 0);
}

function quotedBlock(bytes: string): string {
  const pieces: string[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = utf8Length(bytes, at);
    if (length === 0) {
      if (at > start) pieces.push(quoteInner(utf8Text(bytes.slice(start, at))));
      pieces.push(byteEscapes[bytes.charCodeAt(at) - 0x80] ?? '');
      start = at + 1;
    }
    at += Math.max(length, 1);
  }
  if (start < bytes.length) pieces.push(quoteInner(utf8Text(bytes.slice(start))));
  return pieces.join('');
}

const blockSize = 16_384;
const byteEscapes = Array.from({ length: 0x80 }, (_, at) => `\\x${(at + 0x80).toString(16)}`);

/** The text that bytes (one a character) stand for; what is no UTF-8 becomes U+FFFD. */
export function utf8Text(bytes: string): string {
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;
}

/** Bytes of the character that starts here; 0 when none does. Source: RFC 3629 4. */
function utf8Length(bytes: string, at: number): number {
  const first = bytes.charCodeAt(at);
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  const second = bytes.charCodeAt(at + 1);
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (!(second >= least && second <= most)) return 0;
  for (let next = 2; next < length; next += 1) {
    const byte = bytes.charCodeAt(at + next);
    if (!(byte >= 0x80 && byte <= 0xbf)) return 0;
  }
  return length;
}
