import { crc32 } from 'node:zlib';
import { CorruptInput, type Inflated, inflate, OutputLimit, TruncatedInput } from './inflate.js';
import type { BodyReader } from './response-body.js';
import { asTransportError, TransportError, unexpectedEnd } from './transport-error.js';

/**
 * A body unpacked, members one after the other as one. It is read to its end first; `most` bounds what it unpacks to.
 * Fails with a {@link TransportError} in Go's words: `gzip: invalid header`, `gzip: invalid checksum`, `flate: corrupt input before offset 7`.
 * Source: Go compress/gzip Reader, net/http gzipReader.
 */
export function gunzipped(body: BodyReader, most: number): BodyReader {
  let done = false;
  return {
    async read() {
      if (done) return undefined;
      done = true;
      const packed = await readPacked(body, most);
      const unpacked = unpack(packed, most);
      return unpacked.length === 0 ? undefined : unpacked;
    },
  };
}

/** What came of a body, and why there is no more: undefined is its proper end. */
interface Packed {
  readonly bytes: Buffer;
  readonly failure: TransportError | undefined;
}

async function readPacked(body: BodyReader, most: number): Promise<Packed> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for (let part = await body.read(); part !== undefined; part = await body.read()) {
      const isFirstLook = size < fixedHeader && size + part.length >= fixedHeader;
      parts.push(part);
      size += part.length;
      if (size > most) throw tooLarge(most);
      // What is no gzip is refused at once, whatever else would come.
      if (isFirstLook && !isGzip(Buffer.concat(parts))) break;
    }
  } catch (error) {
    return { bytes: Buffer.concat(parts), failure: asTransportError(error) };
  }
  return { bytes: Buffer.concat(parts), failure: undefined };
}

function tooLarge(most: number): TransportError {
  return new TransportError('limit', `response body unpacks to more than ${most} bytes; kube-apiserver has no such limit`);
}

const fixedHeader = 10;

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

function unpack(packed: Packed, most: number): Buffer {
  const members: Buffer[] = [];
  let at = 0;
  let left = most;
  while (at < packed.bytes.length || packed.failure !== undefined) {
    const start = at + headerLength(packed, at);
    const { output, length } = unpackMember(packed, start, left);
    const end = start + length;
    if (end + 8 > packed.bytes.length) throw cut(packed);
    const sound = packed.bytes.readUInt32LE(end) === crc32(output) && packed.bytes.readUInt32LE(end + 4) === output.length >>> 0;
    if (!sound) throw new TransportError('body', 'gzip: invalid checksum');
    members.push(output);
    left -= output.length;
    at = end + 8;
  }
  return Buffer.concat(members);
}

function unpackMember({ bytes, failure }: Packed, start: number, most: number): Inflated {
  try {
    return inflate(bytes.subarray(start), most);
  } catch (error) {
    if (error instanceof TruncatedInput) throw cut({ bytes, failure });
    if (error instanceof OutputLimit) throw tooLarge(most);
    if (error instanceof CorruptInput) throw new TransportError('body', error.message);
    throw error;
  }
}

function cut({ failure }: Packed): TransportError {
  return failure ?? unexpectedEnd();
}

const flags = { headerChecksum: 2, extra: 4, name: 8, comment: 16 } as const;

/** Source: RFC 1952 2.3; Go compress/gzip readHeader. */
function headerLength(packed: Packed, start: number): number {
  const bytes = packed.bytes.subarray(start);
  if (bytes.length < fixedHeader) throw cut(packed);
  if (!isGzip(bytes)) throw invalidHeader();
  const flag = bytes[3] ?? 0;
  let at = fixedHeader;
  if ((flag & flags.extra) !== 0) {
    if (at + 2 > bytes.length || at + 2 + bytes.readUInt16LE(at) > bytes.length) throw cut(packed);
    at += 2 + bytes.readUInt16LE(at);
  }
  if ((flag & flags.name) !== 0) at = textEnd(packed, bytes, at);
  if ((flag & flags.comment) !== 0) at = textEnd(packed, bytes, at);
  if ((flag & flags.headerChecksum) === 0) return at;
  if (at + 2 > bytes.length) throw cut(packed);
  if (bytes.readUInt16LE(at) !== (crc32(bytes.subarray(0, at)) & 0xffff)) throw invalidHeader();
  return at + 2;
}

function textEnd(packed: Packed, bytes: Buffer, start: number): number {
  const longest = 512;
  const end = bytes.subarray(start, start + longest).indexOf(0);
  if (end >= 0) return start + end + 1;
  if (bytes.length - start >= longest) throw invalidHeader();
  throw cut(packed);
}

function invalidHeader(): TransportError {
  return new TransportError('body', 'gzip: invalid header');
}
