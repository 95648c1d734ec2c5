import type { PassedBody } from './exchange.js';

/** Reads a body of another server to its end, and releases it. `checkSize` throws when too many bytes are read. Rejects if the body is incomplete. */
export async function readPassedBody({ read, release }: PassedBody, checkSize: (bytes: number) => void): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let bytes = await read(); bytes !== undefined; bytes = await read()) {
      size += bytes.length;
      checkSize(size);
      chunks.push(bytes);
    }
  } finally {
    release();
  }
  return Buffer.concat(chunks);
}
