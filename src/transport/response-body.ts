import { quoteByteString } from '../go/byte-string.js';
import { canonicalHeaderName } from '../go/header-name.js';
import { memoize } from '../kubernetes/memoize.js';
import type { ByteReader } from './byte-reader.js';
import { type Header, hasToken, headerValues, orUnexpectedEnd, type ResponseHead, readHeader, trim } from './response-head.js';
import { asTransportError, isEndOfStream, TransportError } from './transport-error.js';

/** Reads a body, decoded from its framing. */
export interface BodyReader {
  /** Returns the next bytes; undefined at the end. Fails with a {@link TransportError}. */
  read(): Promise<Buffer | undefined>;
  /** Returns the whole body if it has a known length and is buffered, without waiting; undefined otherwise, and after a read. */
  whole?(): Buffer | undefined;
}

/** Framing of a body. */
export interface Framing {
  readonly body: BodyReader;
  /** As announced; -1 if unknown. */
  readonly contentLength: number;
  /** Whether the connection ends with this response. */
  readonly closes: boolean;
}

/**
 * Returns the framing of a response. Fails with a {@link TransportError} for a header that Go rejects. Source: Go net/http readTransfer.
 */
export function framingOf(head: ResponseHead, reader: ByteReader): Framing {
  const { closes, chunked, announced, bodiless } = announcementOf(head);
  if (chunked) {
    checkTrailerNames(head.header);
    return { closes, contentLength: bodiless ? 0 : -1, body: bodiless ? noBody : chunkedBody(reader) };
  }
  if (bodiless || announced === 0) return { closes, contentLength: 0, body: noBody };
  if (announced !== undefined) return { closes, contentLength: announced, body: sizedBody(reader, announced) };
  return { closes: true, contentLength: -1, body: bodyUntilEnd(reader) };
}

/** Returns the framing of the response to a HEAD request, which has no body. */
export function framingOfHead(head: ResponseHead): Framing {
  const { closes, announced } = announcementOf(head);
  return { closes, contentLength: announced ?? -1, body: noBody };
}

/** What a head says about its body. Heads that repeat are the same value. */
const announcementOf = memoize((head: ResponseHead) => ({
  closes: shouldClose(head),
  chunked: isChunked(head),
  announced: contentLength(head.header),
  bodiless: Math.floor(head.statusCode / 100) === 1 || head.statusCode === 204 || head.statusCode === 304,
}));

function shouldClose({ major, minor, header }: ResponseHead): boolean {
  if (major < 1) return true;
  const close = hasToken(header, 'connection', 'close');
  return major === 1 && minor === 0 ? close || !hasToken(header, 'connection', 'keep-alive') : close;
}

function isChunked({ major, minor, header }: ResponseHead): boolean {
  const encodings = headerValues(header, 'transfer-encoding');
  const [first] = encodings;
  if (first === undefined || major < 1 || (major === 1 && minor < 1)) return false;
  if (encodings.length > 1) throw new TransportError('http', `too many transfer encodings: ${quotedList(encodings)}`);
  if (first.toLowerCase() !== 'chunked') throw new TransportError('http', `unsupported transfer encoding: ${quoteByteString(first)}`);
  return true;
}

function contentLength(header: Header): number | undefined {
  const lengths = headerValues(header, 'content-length');
  const [first] = lengths;
  if (first === undefined) return undefined;
  const text = trim(first);
  if (lengths.some(each => trim(each) !== text)) {
    throw new TransportError('http', `http: message cannot contain multiple Content-Length headers; got ${quotedList(lengths)}`);
  }
  if (text === '') throw new TransportError('http', 'invalid empty Content-Length ""');
  if (!/^\d+$/.test(text) || BigInt(text) >= 1n << 63n) throw new TransportError('http', `bad Content-Length ${quoteByteString(text)}`);
  return Number(text);
}

function quotedList(values: readonly string[]): string {
  return `[${values.map(quoteByteString).join(' ')}]`;
}

function checkTrailerNames(header: Header): void {
  for (const value of headerValues(header, 'trailer')) {
    const bad = /(?:^|,)[ \t]*(transfer-encoding|trailer|content-length)[ \t]*(?:,|$)/i.exec(value)?.[1];
    if (bad !== undefined) throw new TransportError('http', `bad trailer key ${quoteByteString(canonicalHeaderName(bad))}`);
  }
}

const noBody: BodyReader = { read: async () => undefined };

function sizedBody(reader: ByteReader, length: number): BodyReader {
  let left = length;
  return {
    async read() {
      if (left === 0) return undefined;
      if (reader.buffered().length === 0 && !(await reader.fill())) throw orUnexpectedEnd(reader);
      const part = reader.buffered().subarray(0, left);
      reader.discard(part.length);
      left -= part.length;
      return part;
    },
    whole() {
      if (left !== length || reader.buffered().length < length) return undefined;
      const bytes = reader.buffered().subarray(0, length);
      reader.discard(length);
      left = 0;
      return bytes;
    },
  };
}

/** Reads to the end of the connection. */
export function bodyUntilEnd(reader: ByteReader): BodyReader {
  return {
    async read() {
      if (reader.buffered().length === 0 && !(await reader.fill())) {
        const ending = reader.ending();
        if (isEndOfStream(ending)) return undefined;
        throw ending;
      }
      const part = reader.buffered();
      reader.discard(part.length);
      return part;
    },
  };
}

/** Source: Go net/http/internal chunkedReader, and the trailer of net/http body. */
function chunkedBody(reader: ByteReader): BodyReader {
  let left = 0n;
  let started = false;
  let done = false;
  /** Bytes of framing beyond the allowance for the data. */
  let excess = 0;

  async function beginChunk(): Promise<void> {
    if (started) await endOfChunk(reader);
    started = true;
    const line = await readChunkLine(reader);
    left = chunkLength(line);
    // Extensions and tiny chunks must not outweigh the data: 16 bytes a chunk and twice the data are allowed.
    excess = Math.max(0, excess + line.length + 2 - (16 + 2 * Number(left)));
    if (excess > 16_384 && left > 0n) throw new TransportError('body', 'chunked encoding contains too much non-data');
  }

  return {
    async read() {
      if (done) return undefined;
      if (left === 0n) await beginChunk();
      if (left === 0n) {
        done = true;
        await readTrailer(reader);
        return undefined;
      }
      if (reader.buffered().length === 0 && !(await reader.fill())) throw orUnexpectedEnd(reader);
      const buffered = reader.buffered();
      const part = left < BigInt(buffered.length) ? buffered.subarray(0, Number(left)) : buffered;
      reader.discard(part.length);
      left -= BigInt(part.length);
      if (left > 0n) return part;
      const { data, framing } = wholeChunks(reader);
      excess = Math.max(0, excess - framing);
      return data.length === 0 ? part : Buffer.concat([part, ...data]);
    },
  };
}

/**
 * Returns the data of ordinary chunks that are buffered completely, and by how much they lower the excess: a million one-byte chunks cost
 * no more than one large chunk. Other chunks are left for the careful reader.
 */
function wholeChunks(reader: ByteReader): { readonly data: Buffer[]; readonly framing: number } {
  const buffered = reader.buffered();
  const data: Buffer[] = [];
  let framing = 0;
  let at = 0;
  for (;;) {
    const start = chunkStart.exec(buffered.toString('latin1', at, at + longestStart));
    const digits = start?.[1] ?? '';
    const length = Number.parseInt(digits, 16);
    const from = at + 4 + digits.length;
    if (digits === '' || length === 0 || from + length > buffered.length) break;
    data.push(buffered.subarray(from, from + length));
    framing += 16 + 2 * length - digits.length - 2;
    at = from + length;
  }
  reader.discard(at);
  return { data, framing };
}

/** End of a chunk and start of the next one. */
const chunkStart = /^\r\n([0-9a-fA-F]{1,6})\r\n/;
const longestStart = 10;

async function endOfChunk(reader: ByteReader): Promise<void> {
  const end = await reader.peek(2);
  if (end.length < 2) throw orUnexpectedEnd(reader);
  if (end.toString('latin1') !== '\r\n') throw new TransportError('body', 'malformed chunked encoding');
  reader.discard(2);
}

/** Size of Go's buffer: a chunk line and a trailer must fit into it. */
const bufferSize = 4_096;

async function readChunkLine(reader: ByteReader): Promise<string> {
  let end = reader.buffered().indexOf(0x0a);
  while (end < 0 && reader.buffered().length < bufferSize) {
    if (!(await reader.fill())) throw orUnexpectedEnd(reader);
    end = reader.buffered().indexOf(0x0a);
  }
  if (end < 0 || end >= bufferSize) throw new TransportError('body', 'header line too long');
  const line = reader.buffered().toString('latin1', 0, end + 1);
  reader.discard(end + 1);
  const carriageReturn = line.indexOf('\r');
  if (carriageReturn < 0) throw new TransportError('body', 'chunked line ends with bare LF');
  if (carriageReturn !== line.length - 2) throw new TransportError('body', 'invalid CR in chunked line');
  return line.slice(0, -2);
}

function chunkLength(line: string): bigint {
  const [digits = ''] = line.replace(/[ \t]+$/, '').split(';', 1);
  if (digits === '') throw new TransportError('body', 'empty hex number for chunk length');
  const hex = /^[0-9a-fA-F]*/.exec(digits)?.[0] ?? '';
  if (hex.length > 16) throw new TransportError('body', 'http chunk length too large');
  if (hex.length < digits.length) throw new TransportError('body', 'invalid byte in chunk length');
  return BigInt(`0x${hex}`);
}

async function readTrailer(reader: ByteReader): Promise<void> {
  const start = await reader.peek(2);
  if (start.length < 2) throw trailerEnd();
  if (start.toString('latin1') === '\r\n') return reader.discard(2);
  while (!reader.buffered().subarray(0, bufferSize).includes('\r\n\r\n')) {
    if (reader.buffered().length >= bufferSize || !(await reader.fill())) {
      throw new TransportError('body', 'http: suspiciously long trailer after chunked body');
    }
  }
  try {
    await readHeader(reader);
  } catch (error) {
    const failure = asTransportError(error);
    throw failure.message === 'unexpected EOF' ? trailerEnd() : failure;
  }
}

function trailerEnd(): TransportError {
  return new TransportError('body', 'http: unexpected EOF reading trailer');
}
