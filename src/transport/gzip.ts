import { crc32 } from 'node:zlib';
import { CorruptInput, inflate, OutputLimit, TruncatedInput } from './inflate.js';
import type { BodyReader } from './response-body.js';
import { asTransportError, TransportError, unexpectedEndOfStream } from './transport-error.js';

/**
 * Unpacks the members of a gzip body as they arrive. `maxBytes` limits the unpacked size, 10 MiB the packed size. Fails with a {@link
 * TransportError} with Go's message: `gzip: invalid header`, `gzip: invalid checksum`, `flate: corrupt input before offset 7`. Source: Go
 * compress/gzip Reader, net/http gzipReader.
 */
export function gunzipped(body: BodyReader, maxBytes: number): BodyReader {
  const packed = packedBytes(body, Math.min(maxBytes, maxPackedBytes));
  let left = maxBytes;

  /** Returns the next member; undefined at the end. */
  async function readMember(): Promise<Buffer | undefined> {
    for (;;) {
      const bytes = await packed.next();
      if (bytes.length === 0 && packed.isAtEnd()) return undefined;
      const found = memberAt(bytes, left, maxBytes);
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
      // Small members are collected: each one alone would cost more than its contents.
      const outputs: Buffer[] = [];
      let size = 0;
      while (size < gathered) {
        const output = await readMember();
        if (output === undefined) break;
        if (output.length > 0) outputs.push(output);
        size += output.length;
      }
      return size === 0 ? undefined : outputs.length === 1 ? outputs[0] : Buffer.concat(outputs, size);
    },
  };
}

const gathered = 65_536;

/** No review is this large; larger bodies contain millions of members that unpack to nothing. */
const maxPackedBytes = 10 << 20;

/** Bytes of a body that are not unpacked yet. */
interface PackedBytes {
  /** Returns bytes from the start of a member: as many as wanted unless the body ends. */
  next(): Promise<Buffer>;
  take(count: number): void;
  /** Called if {@link next} returned an incomplete member: doubles the wanted size. Fails if there is no more. */
  wantMore(): void;
  /** Fails if the body broke off instead of ending. */
  isAtEnd(): boolean;
}

function packedBytes(body: BodyReader, maxBytes: number): PackedBytes {
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
      if (total > maxBytes)
        throw new TransportError('limit', `compressed response body is larger than ${maxBytes} bytes; kube-apiserver has no such limit`);
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
      if (end !== undefined) throw end === 'proper' ? unexpectedEndOfStream() : end;
      // The first bytes show whether it is gzip at all; after that it is unpacked only when there is twice as much.
      wanted = Math.max(2 * size, firstTry);
    },
    isAtEnd() {
      if (end !== undefined && end !== 'proper') throw end;
      return end === 'proper';
    },
  };
}

const firstTry = 16_384;

function tooLarge(maxBytes: number): TransportError {
  return new TransportError('limit', `response body unpacks to more than ${maxBytes} bytes; kube-apiserver has no such limit`);
}

interface Member {
  readonly output: Buffer;
  /** Bytes of the member, with header and checksum. */
  readonly length: number;
}

/** Unpacks the member that starts here; undefined if it is incomplete. `left` of the `maxBytes` may come out. */
function memberAt(bytes: Buffer, left: number, maxBytes: number): Member | undefined {
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
    if (error instanceof OutputLimit) throw tooLarge(maxBytes);
    if (error instanceof CorruptInput) throw new TransportError('body', error.message);
    throw error;
  }
}

const fixedHeader = 10;
const flags = { headerChecksum: 2, extra: 4, name: 8, comment: 16 } as const;

/**
 * Returns the length of the header. Fails with {@link TruncatedInput} if it is incomplete. Source: RFC 1952 2.3; Go compress/gzip
 * readHeader.
 */
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
