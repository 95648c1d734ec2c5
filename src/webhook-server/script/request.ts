import type { Channel } from './channel.js';

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query of the request line. */
  readonly path: string;
  /** As received, in order. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** Reads one HTTP/1 request; undefined when the connection ends before. */
export async function readRequest(channel: Channel): Promise<ReceivedRequest | undefined> {
  const requestLine = await channel.takeLine();
  if (requestLine === undefined) return undefined;
  const [method = '', path = ''] = requestLine.split(' ');
  const headers: [string, string][] = [];
  for (;;) {
    const line = await channel.takeLine();
    if (line === undefined) return undefined;
    if (line === '') break;
    const colon = line.indexOf(':');
    headers.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
  }
  const header = (name: string): string => headers.find(([n]) => n.toLowerCase() === name)?.[1] ?? '';
  const isChunked = header('transfer-encoding').toLowerCase() === 'chunked';
  const body = isChunked ? await readChunks(channel) : await channel.take(Number(header('content-length') || 0));
  return body && { method, path, headers, body };
}

async function readChunks(channel: Channel): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for (;;) {
    const size = Number.parseInt((await channel.takeLine()) ?? '', 16);
    if (Number.isNaN(size)) return undefined;
    const chunk = await channel.take(size);
    const end = await channel.takeLine();
    if (chunk === undefined || end === undefined) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(chunk);
  }
}
