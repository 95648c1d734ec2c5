import { sharedGetters } from '../../go/shared-getters.js';

/** Reads a body in the chunked transfer coding incrementally. Source: net/http/internal chunked.go. */
export interface ChunkedReader {
  /** Consumes bytes; returns how many belong to the body's coding. */
  push(bytes: Uint8Array): number;
  readonly done: boolean;
  /** Go's message when the coding is invalid. */
  readonly error: string | undefined;
}

const maxLineLength = 4096;
const newline = 0x0a;
const carriageReturn = 0x0d;

/** Returns a reader that passes on the decoded bytes in parts. */
export function createChunkedReader(onData: (bytes: Uint8Array) => void): ChunkedReader {
  let state: 'size' | 'data' | 'dataEnd' | 'trailer' | 'done' = 'size';
  let line = '';
  let remaining = 0;
  let excess = 0;
  let error: string | undefined;

  /** Adds bytes up to a newline to the line; returns how many were consumed, and whether the line is complete. */
  const readLine = (bytes: Uint8Array, from: number): { readonly end: number; readonly complete: boolean } => {
    const at = bytes.indexOf(newline, from);
    const end = at < 0 ? bytes.length : at + 1;
    line += Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString('latin1');
    return { end, complete: at >= 0 };
  };

  const endSizeLine = (): void => {
    const size = sizeOf(line);
    if (typeof size === 'string') {
      error = size;
      return;
    }
    // Source: chunked.go beginChunk: 16 bytes and the double of the data are allowed as overhead.
    excess = Math.max(0, excess + line.length + 2 - 16 - 2 * size);
    if (excess > 16 * 1024) error = 'chunked encoding contains too much non-data';
    remaining = size;
    state = size === 0 ? 'trailer' : 'data';
    line = '';
  };

  const step = (bytes: Uint8Array, at: number): number => {
    if (state === 'data') {
      const end = Math.min(bytes.length, at + remaining);
      onData(bytes.subarray(at, end));
      remaining -= end - at;
      if (remaining === 0) state = 'dataEnd';
      return end;
    }
    if (state === 'dataEnd') {
      if (bytes[at] !== (line === '' ? carriageReturn : newline)) error = 'malformed chunked encoding';
      line = line === '' ? '\r' : '';
      if (line === '') state = 'size';
      return at + 1;
    }
    const { end, complete } = readLine(bytes, at);
    if (line.length >= maxLineLength) error = 'header line too long';
    else if (complete && state === 'size') endSizeLine();
    else if (complete) {
      if (/^\r?\n$/.test(line)) state = 'done';
      line = '';
    }
    return end;
  };

  const push = (bytes: Uint8Array): number => {
    let at = 0;
    while (at < bytes.length && state !== 'done' && error === undefined) at = step(bytes, at);
    return at;
  };
  return withProgress({ push }, { done: () => state === 'done', error: () => error });
}

const withProgress = sharedGetters<Pick<ChunkedReader, 'done' | 'error'>>('done', 'error');

/** Returns the size in a line that starts a chunk, or Go's message. */
function sizeOf(line: string): number | string {
  if (!line.endsWith('\r\n')) return 'chunked line ends with bare LF';
  const digits =
    line
      .slice(0, -2)
      .split(';', 1)[0]
      ?.replace(/[ \t]+$/, '') ?? '';
  if (digits === '') return 'empty hex number for chunk length';
  if (!/^[0-9a-fA-F]+$/.test(digits)) return 'invalid byte in chunk length';
  return digits.length > 16 ? 'http chunk length too large' : Number.parseInt(digits, 16);
}
