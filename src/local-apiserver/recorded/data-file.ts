import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { baseMinor } from '../../kubernetes/table-file.js';

/**
 * Returns recorded data of an API server's minor; files that end in `.br` are decompressed. The files of other minors
 * than the base minor contain only the differences.
 */
export function readData({ minor }: ApiServer, file: string): Buffer {
  const base = contentsOf(file);
  if (minor === baseMinor || !existsSync(pathOf(`${minor}/${file}`))) return base;
  return applied(JSON.parse(contentsOf(`${minor}/${file}`).toString('latin1')), base);
}

/** Returns the document in a file of recorded data; the caller knows its type. */
export function readJsonData<T>(server: ApiServer, file: string): T {
  return JSON.parse(readData(server, file).toString('utf8'));
}

/** A part of the base, by position and length, or inserted bytes as latin1. */
type DeltaPart = readonly [start: number, length: number] | string;

function applied(delta: readonly DeltaPart[], base: Buffer): Buffer {
  return Buffer.concat(
    delta.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : base.subarray(part[0], part[0] + part[1]))),
  );
}

function contentsOf(file: string): Buffer {
  const bytes = readFileSync(pathOf(file));
  return file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes;
}

function pathOf(file: string): string {
  return path.join(import.meta.dirname, 'data', file);
}
