import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { valuesInside } from '../../kubernetes/memoize.js';
import { combineCrc32 } from '../http/crc32.js';
import type { LargeBody } from '../http/exchange.js';

/** Parts of a body: texts and bytes. */
type Parts = readonly (string | Uint8Array)[];

/** A list in one form: its items, and what is around them. */
export interface WrittenList {
  readonly items: readonly ApiObject[];
  /** Names the form: items are the same bytes in every list of a form. */
  readonly form: string;
  /** Returns the bytes of an item, with those that separate it from the one before. */
  readonly partsOf: (item: ApiObject, isFirst: boolean) => Parts;
  /** Returns what is before and after the items, which have `size` bytes. */
  readonly around: (size: number) => { readonly head: string | Uint8Array; readonly tail: string | Uint8Array };
}

/** Returns the body of a list, which is written when it is sent. */
export function listBody(list: WrittenList): LargeBody {
  return {
    isLongerThan: bytes => isLongerThan(list, bytes),
    bytes: () => bytesOfList(list),
    zipped: () => zipList(list),
  };
}

function isLongerThan(list: WrittenList, bytes: number): boolean {
  const { items, partsOf } = list;
  let size = 0;
  for (let at = 0; at < items.length && size <= bytes; ) {
    const chunk = knownChunk(list, at);
    size += chunk?.zipped.size ?? sizeOf(partsOf(items[at] as ApiObject, false));
    at += chunk?.items.length ?? 1;
  }
  return size > bytes;
}

/** Writes all parts into one buffer: a string of all would be as large again. */
function bytesOfList({ items, partsOf, around }: WrittenList): Uint8Array {
  const parts: (string | Uint8Array)[] = [''];
  for (const [at, item] of items.entries()) for (const part of partsOf(item, at === 0)) parts.push(part);
  const { head, tail } = around(sizeOf(parts));
  parts[0] = head;
  parts.push(tail);
  return joined(parts);
}

/** Items that follow each other, compressed. A list is a sequence of chunks, and most of them are the same in the next list. */
interface Chunk {
  /** Replaced items are not kept. */
  readonly items: readonly WeakRef<ApiObject>[];
  readonly isFirst: boolean;
  readonly zipped: ZippedPart;
}

/** Compressed bytes, and what the gzip format says of them. */
interface ZippedPart {
  readonly size: number;
  readonly crc: number;
  readonly deflated: Uint8Array;
}

/** Longer than what deflate refers back to (32 KiB), so a chunk compresses nearly as well as the whole. */
const chunkBytes = 128 * 1024;

/** Chunks by their first item and form: they live as long as it is stored. */
const chunks = valuesInside<ApiObject, Map<string, Chunk>>();

/** Returns the list as gzip, made of compressed chunks: those of items that have not changed are compressed once. */
function zipList(list: WrittenList): Uint8Array {
  const parts: ZippedPart[] = [];
  for (let at = 0; at < list.items.length; ) {
    const chunk = knownChunk(list, at) ?? newChunk(list, at);
    parts.push(chunk.zipped);
    at += chunk.items.length;
  }
  const { head, tail } = list.around(parts.reduce((sum, { size }) => sum + size, 0));
  const all = [zipPart(joined([head]), false), ...parts, zipPart(joined([tail]), true)];
  const end = Buffer.alloc(8);
  end.writeUInt32LE(all.reduce((crc, part) => combineCrc32(crc, part.crc, part.size), 0));
  end.writeUInt32LE(all.reduce((sum, { size }) => sum + size, 0) % 2 ** 32, 4);
  return Buffer.concat([gzipHead, ...all.map(({ deflated }) => deflated), end]);
}

/** Deflate without a name or a time, at the fastest level, of an unknown system: as Go writes it. */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff]);

/** Returns the chunk that starts with an item of the list, if the items after it are still the same. */
function knownChunk({ items, form }: WrittenList, start: number): Chunk | undefined {
  const first = items[start];
  const known = first === undefined ? undefined : chunks.get(first)?.get(form);
  if (known === undefined || known.isFirst !== (start === 0) || known.items.length > items.length - start) return undefined;
  for (let i = 1; i < known.items.length; i += 1) if (known.items[i]?.deref() !== items[start + i]) return undefined;
  return known;
}

/** Makes a chunk of at most about `chunkBytes`, which ends where a known one starts. */
function newChunk(list: WrittenList, start: number): Chunk {
  const { items, form, partsOf } = list;
  const parts: (string | Uint8Array)[] = [];
  let end = start;
  for (let size = 0; end < items.length && size < chunkBytes; end += 1) {
    if (end > start && knownChunk(list, end) !== undefined) break;
    const added = partsOf(items[end] as ApiObject, end === 0);
    size += sizeOf(added);
    parts.push(...added);
  }
  const first = items[start] as ApiObject;
  const chunk = {
    items: items.slice(start, end).map(item => new WeakRef(item)),
    isFirst: start === 0,
    zipped: zipPart(joined(parts), false),
  };
  chunks.set(first, (chunks.get(first) ?? new Map<string, Chunk>()).set(form, chunk));
  return chunk;
}

/** Compresses a part so that others can follow it, or the last one. */
function zipPart(bytes: Uint8Array, isLast: boolean): ZippedPart {
  const deflated = deflateRawSync(bytes, { level: 1, finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH });
  // A copy, because the buffers of zlib are longer.
  return { size: bytes.length, crc: crc32(bytes), deflated: new Uint8Array(deflated) };
}

function sizeOf(parts: Parts): number {
  let size = 0;
  for (const part of parts) size += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  return size;
}

function joined(parts: Parts): Buffer {
  const bytes = Buffer.allocUnsafe(sizeOf(parts));
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') at += bytes.write(part, at);
    else {
      bytes.set(part, at);
      at += part.length;
    }
  }
  return bytes;
}
