import { crc32 } from 'node:zlib';
import { CorruptInput, inflate, OutputLimit, TruncatedInput } from './inflate.js';
import type { BodyReader } from './response-body.js';
import { asTransportError, TransportError, unexpectedEnd } from './transport-error.js';

/**
 * A body unpacked, members one after the other as one, each as soon as it is there; `most` bounds what it unpacks to; of the packed
 * bytes 10 MiB are read.
 * Fails with a {@link TransportError} in Go's words: `gzip: invalid header`, `gzip: invalid checksum`, `flate: corrupt input before offset 7`.
 * Source: Go compress/gzip Reader, net/http gzipReader.
 */
export function gunzipped(body: BodyReader, most: number): BodyReader {
  const packed = packedBytes(body, Math.min(most, mostPackedBytes));
  let left = most;

  /** The next member; undefined at the end. */
  async function member(): Promise<Buffer | undefined> {
    for (;;) {
      const bytes = await packed.next();
      if (bytes.length === 0 && packed.isAtEnd()) return undefined;
      const found = memberAt(bytes, left, most);
      if (found !== undefined) {
        packed.take(found.length);
        left -= found.output.length;
        return found.output;
      }
      packed.wantMore();
    }
  }

  return {
    async read() {
      // Members of a few bytes are gathered: each on its own would cost more than it holds.
      const outputs: Buffer[] = [];
      let size = 0;
      while (size < gathered) {
        const output = await member();
        if (output === undefined) break;
        if (output.length > 0) outputs.push(output);
        size += output.length;
      }
      return size === 0 ? undefined : outputs.length === 1 ? outputs[0] : Buffer.concat(outputs, size);
    },
  };
}

const gathered = 65_536;

/** No review is as large; what is, holds millions of members that unpack to nothing. */
const mostPackedBytes = 10 << 20;

/** What came of a body and has not been unpacked yet. */
interface PackedBytes {
  /** From the start of a member on, as much as is wanted unless there is no more. */
  next(): Promise<Buffer>;
  take(count: number): void;
  /** What {@link next} gave was no whole member: twice as much is wanted. Fails when there is no more, with the reason why there is none. */
  wantMore(): void;
  /** Fails when the body broke off instead of ending. */
  isAtEnd(): boolean;
}

function packedBytes(body: BodyReader, most: number): PackedBytes {
  let parts: Buffer[] = [];
  let size = 0;
  let total = 0;
  let wanted = fixedHeader;
  let end: 'proper' | TransportError | undefined;

  async function readPart(): Promise<void> {
    try {
      const part = await body.read();
      if (part === undefined) {
        end = 'proper';
        return;
      }
      total += part.length;
      if (total > most)
        throw new TransportError('limit', `compressed response body is larger than ${most} bytes; kube-apiserver has no such limit`);
      parts.push(part);
      size += part.length;
    } catch (error) {
      end = asTransportError(error);
    }
  }

  return {
    async next() {
      while (size < wanted && end === undefined) await readPart();
      const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, size);
      parts = [bytes];
      return bytes;
    },
    take(count) {
      parts = parts.map(part => part.subarray(count));
      size -= count;
      wanted = 1;
    },
    wantMore() {
      if (end !== undefined) throw end === 'proper' ? unexpectedEnd() : end;
      // What is no gzip is refused by its first bytes; more is unpacked again only when there is twice as much of it.
      wanted = Math.max(2 * size, firstTry);
    },
    isAtEnd() {
      if (end !== undefined && end !== 'proper') throw end;
      return end === 'proper';
    },
  };
}

const firstTry = 16_384;

function tooLarge(most: number): TransportError {
  return new TransportError('limit', `response body unpacks to more than ${most} bytes; kube-apiserver has no such limit`);
}

interface Member {
  readonly output: Buffer;
  /** Bytes that it takes, header and checksum included. */
  readonly length: number;
}

/** The member that begins here; undefined when its end is not there. `left` of the `most` bytes may come out. */
function memberAt(bytes: Buffer, left: number, most: number): Member | undefined {
  try {
    const start = headerLength(bytes);
    const { output, length } = inflate(bytes.subarray(start), left);
    const end = start + length;
    if (end + 8 > bytes.length) return undefined;
    const isSound = bytes.readUInt32LE(end) === crc32(output) && bytes.readUInt32LE(end + 4) === output.length >>> 0;
    if (!isSound) throw new TransportError('body', 'gzip: invalid checksum');
    return { output, length: end + 8 };
  } catch (error) {
    if (error instanceof TruncatedInput) return undefined;
    if (error instanceof OutputLimit) throw tooLarge(most);
    if (error instanceof CorruptInput) throw new TransportError('body', error.message);
    throw error;
  }
}

const fixedHeader = 10;
const flags = { headerChecksum: 2, extra: 4, name: 8, comment: 16 } as const;

/** Fails with {@link TruncatedInput} when the header is longer than what is there. Source: RFC 1952 2.3; Go compress/gzip readHeader. */
function headerLength(bytes: Buffer): number {
  if (bytes.length < fixedHeader) throw new TruncatedInput();
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) throw invalidHeader();
  const flag = bytes[3] ?? 0;
  let at = fixedHeader;
  if ((flag & flags.extra) !== 0) {
    if (at + 2 > bytes.length || at + 2 + bytes.readUInt16LE(at) > bytes.length) throw new TruncatedInput();
    at += 2 + bytes.readUInt16LE(at);
  }
  if ((flag & flags.name) !== 0) at = textEnd(bytes, at);
  if ((flag & flags.comment) !== 0) at = textEnd(bytes, at);
  if ((flag & flags.headerChecksum) === 0) return at;
  if (at + 2 > bytes.length) throw new TruncatedInput();
  if (bytes.readUInt16LE(at) !== (crc32(bytes.subarray(0, at)) & 0xffff)) throw invalidHeader();
  return at + 2;
}

function textEnd(bytes: Buffer, start: number): number {
  const longest = 512;
  const end = bytes.subarray(start, start + longest).indexOf(0);
  if (end >= 0) return start + end + 1;
  if (bytes.length - start >= longest) throw invalidHeader();
  throw new TruncatedInput();
}

function invalidHeader(): TransportError {
  return new TransportError('body', 'gzip: invalid header');
}
