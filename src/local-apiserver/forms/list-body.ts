import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { WireWriter } from '../../apiserver/objects/protobuf/wire-writer.js';
import { valuesInside } from '../../kubernetes/memoize.js';
import { combineCrc32 } from '../http/crc32.js';
import { gzipBytes, type LargeBody } from '../http/exchange.js';

/** A list in one form: its items, and what is around them. */
export interface WrittenList {
  readonly items: readonly ApiObject[];
  /** Names the form: items are the same bytes in every list of a form. */
  readonly form: string;
  /** Writes an item, with what separates it from the one before. */
  readonly writeItem: (writer: WireWriter, item: ApiObject, isFirst: boolean) => void;
  /** Returns what is before and after the items, which have `size` bytes. */
  readonly around: (size: number) => { readonly head: string | Uint8Array; readonly tail: string | Uint8Array };
}

/** Returns the body of a list, which is written when it is sent if it is long enough to be compressed. */
export function listBody(list: WrittenList): Uint8Array | LargeBody {
  const { items } = list;
  const first = knownChunk(list, 0);
  const isLarge = first !== undefined && first.zipped.size > gzipBytes;
  const writer = new WireWriter();
  let end = 0;
  for (; !isLarge && end < items.length && writer.length <= gzipBytes; end += 1) list.writeItem(writer, items[end] as ApiObject, end === 0);
  return end === items.length ? withFrame(list, writer) : { bytes: () => bytesOfList(list), zipped: () => zipList(list) };
}

function bytesOfList(list: WrittenList): Uint8Array {
  const writer = new WireWriter(chunkBytes);
  for (const [at, item] of list.items.entries()) list.writeItem(writer, item, at === 0);
  return withFrame(list, writer);
}

function withFrame(list: WrittenList, written: WireWriter): Uint8Array {
  const { head, tail } = list.around(written.length);
  return Buffer.concat([Buffer.from(head), written.finish(), Buffer.from(tail)]);
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
  const writer = new WireWriter(2 * chunkBytes);
  for (let at = 0; at < list.items.length; ) {
    const chunk = knownChunk(list, at) ?? newChunk(list, at, writer);
    parts.push(chunk.zipped);
    at += chunk.items.length;
  }
  const { head, tail } = list.around(parts.reduce((sum, { size }) => sum + size, 0));
  const all = [zipPart(Buffer.from(head), false), ...parts, zipPart(Buffer.from(tail), true)];
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

/** Makes a chunk of at most about `chunkBytes`, which ends where a known one starts. `writer` is used for it. */
function newChunk(list: WrittenList, start: number, writer: WireWriter): Chunk {
  const { items, form } = list;
  writer.truncate(0);
  let end = start;
  for (; end < items.length && writer.length < chunkBytes; end += 1) {
    if (end > start && knownChunk(list, end) !== undefined) break;
    list.writeItem(writer, items[end] as ApiObject, end === 0);
  }
  const first = items[start] as ApiObject;
  const chunk = {
    items: items.slice(start, end).map(item => new WeakRef(item)),
    isFirst: start === 0,
    zipped: zipPart(writer.finish(), false),
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
