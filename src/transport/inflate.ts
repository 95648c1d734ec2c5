import { inflateRawSync } from 'node:zlib';

/** Invalid DEFLATE data; `offset` bytes had been read. */
export class CorruptInput extends Error {
  override readonly name = 'CorruptInput';

  constructor(readonly offset: number) {
    super(`flate: corrupt input before offset ${offset}`);
  }
}

/** The data ends before the last block. */
export class TruncatedInput extends Error {
  override readonly name = 'TruncatedInput';
}

/** The output exceeds the limit. */
export class OutputLimit extends Error {
  override readonly name = 'OutputLimit';
}

export interface Inflated {
  readonly output: Buffer;
  /** Bytes of the input that belong to the stream. */
  readonly length: number;
}

/**
 * Unpacks a DEFLATE stream at the start of `input`. Fails with {@link CorruptInput}, {@link TruncatedInput} or, after `maxBytes`, {@link
 * OutputLimit}. Source: Go compress/flate, whose offset zlib does not report: the least number of bytes that zlib finds invalid.
 */
export function inflate(input: Uint8Array, maxBytes: number): Inflated {
  const result = tryInflate(input, maxBytes);
  if (typeof result === 'object') return result;
  if (result === 'truncated') throw new TruncatedInput();
  if (result === 'too large') throw new OutputLimit();
  let valid = 0;
  let invalid = input.length;
  while (valid + 1 < invalid) {
    const middle = (valid + invalid) >> 1;
    if (tryInflate(input.subarray(0, middle), maxBytes) === 'corrupt') invalid = middle;
    else valid = middle;
  }
  throw new CorruptInput(invalid);
}

const failures = new Map<unknown, 'corrupt' | 'truncated' | 'too large'>([
  ['Z_DATA_ERROR', 'corrupt'],
  ['Z_BUF_ERROR', 'truncated'],
  ['ERR_BUFFER_TOO_LARGE', 'too large'],
]);

/** 1 GiB: what a member may unpack to where the caller has no limit. */
const largestOutput = 1 << 30;

function tryInflate(input: Uint8Array, maxBytes: number): Inflated | 'corrupt' | 'truncated' | 'too large' {
  try {
    // zlib refuses a limit of zero, and one that no buffer has.
    const found = inflateRawSync(input, { info: true, maxOutputLength: Math.min(Math.max(maxBytes, 1), largestOutput) });
    // The types of Node leave out what `info` returns.
    const { buffer, engine } = found as unknown as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
    if (buffer.length > maxBytes) return 'too large';
    // A small output must not keep a large buffer alive.
    const output = 2 * buffer.length < buffer.buffer.byteLength ? Buffer.from(buffer) : buffer;
    return { output, length: engine.bytesWritten };
  } catch (error) {
    const failure = error instanceof Error && 'code' in error ? failures.get(error.code) : undefined;
    if (failure === undefined) throw error;
    return failure;
  }
}
