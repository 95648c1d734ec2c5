import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { CliError } from '../../../client/cli-error.js';
import { pathWord, shellCommand } from '../../../writers/shell.js';

/** Logs shrink to a tenth or a twentieth: a larger result of decompressing the first 256 KiB of a file is not a log. */
const maxOutputLength = 100 * 256 * 1024;

/** Bytes that are decompressed at once: at most a thousand times as many come of them. */
const sliceBytes = 64 * 1024;

/** Decompresses the first 256 KiB of a file. */
export function startOf(bytes: Buffer): Buffer {
  if (isGzip(bytes)) return zlib.gunzipSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength });
  const decompress: unknown = isZstd(bytes) ? Reflect.get(zlib, 'zstdDecompressSync') : undefined;
  return typeof decompress === 'function' ? decompress(bytes, { finishFlush: zstdFlush, maxOutputLength }) : bytes;
}

/** ZSTD_e_flush */
const zstdFlush = 1;

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

/** Throws CliError if this version of Node cannot decompress a file that begins with these bytes. */
export function checkDecompression(first: Uint8Array, source: string): void {
  if (isZstd(first)) zstdDecompression(source);
}

/** Returns a stream that decompresses zstd. Node has it since 22.15. */
function zstdDecompression(source: string): Transform {
  const create: unknown = Reflect.get(zlib, 'createZstdDecompress');
  if (typeof create === 'function') return create();
  throw new CliError('unreadable-file', 'this version of Node does not read zstd', {
    location: { file: source },
    suggestions: ['use Node 22.15 or later', `${shellCommand(['zstd', '-dc', pathWord(source)])} | webhook-cli replay -f -`],
  });
}

/**
 * Decompresses a stream of gzip or zstd, which is recognized by its first bytes: rotated files have names of all kinds. What is before the place where it is
 * cut off or damaged is read. Throws CliError if this version of Node cannot decompress it.
 */
export async function decompressChunks(chunks: AsyncGenerator<Buffer>, source: string): Promise<AsyncIterable<Buffer>> {
  const { value: first = Buffer.alloc(0) } = await chunks.next();
  const all = yieldFirst(first, chunks);
  if (isGzip(first)) return pipeThrough(all, zlib.createGunzip());
  return isZstd(first) ? pipeThrough(all, zstdDecompression(source)) : all;
}

async function* yieldFirst(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* rest;
}

/** Node's own iterator drops what it has not returned yet when there is an error. */
async function* pipeThrough(chunks: AsyncIterable<Buffer>, decompression: Transform): AsyncGenerator<Buffer> {
  const made: Buffer[] = [];
  let failure: Error | undefined;
  // What is after the last part of a compressed file is ignored.
  let isOver = false;
  let settle = (): void => {};
  const awaitSettling = (start: (done: () => void) => void): Promise<void> =>
    new Promise(resolve => {
      settle = resolve;
      start(resolve);
    });
  decompression
    .on('data', (part: Buffer) => made.push(part))
    .on('error', error => {
      failure = error;
      settle();
    })
    .on('end', () => {
      isOver = true;
      settle();
    });
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length && !isOver && failure === undefined; at += sliceBytes) {
        await awaitSettling(done => decompression.write(chunk.subarray(at, at + sliceBytes), () => done()));
        yield* made.splice(0);
      }
      if (isOver || failure !== undefined) break;
    }
    if (!isOver && failure === undefined) await awaitSettling(() => decompression.end());
    yield* made.splice(0);
    if (failure !== undefined) throw failure;
  } finally {
    decompression.destroy();
  }
}
