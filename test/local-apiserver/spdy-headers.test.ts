import { constants, createDeflate, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { numbers } from '../../src/encoding/spdy/spdy-frames.js';
import { headersIn, type SpdyHeaders, SpdyHeaderWriter } from '../../src/encoding/spdy/spdy-headers.js';
import { spdyDictionary } from '../../src/local-apiserver/port-forward/spdy-dictionary.js';
import { SpdyHeaderReader } from '../../src/local-apiserver/port-forward/spdy-header-reader.js';

const headersOf = (id: number): SpdyHeaders => [
  ['streamtype', 'error'],
  ['port', '8443'],
  ['requestid', String(id)],
];

const textOf = (headers: SpdyHeaders): Buffer =>
  Buffer.concat([numbers(headers.length), ...headers.flat().flatMap(word => [numbers(word.length), Buffer.from(word)])]);

/** Compresses as other programs do: one stream that is flushed after each text. */
function compressor(dictionary: Buffer | undefined): (text: Buffer) => Promise<Buffer> {
  const deflate = createDeflate({ level: 9, ...(dictionary === undefined ? {} : { dictionary }) });
  const chunks: Buffer[] = [];
  deflate.on('data', chunk => chunks.push(chunk));
  return text =>
    new Promise(resolve => {
      deflate.write(text);
      deflate.flush(constants.Z_SYNC_FLUSH, () => resolve(Buffer.concat(chunks.splice(0))));
    });
}

describe('the headers of SPDY', () => {
  it('start with a dictionary of 1,423 bytes, whose checksum every zlib stream with it has', () => {
    expect(spdyDictionary()).toHaveLength(1423);
    expect(deflateSync('a', { dictionary: spdyDictionary() }).readUInt32BE(2)).toBe(0xe3c6a7c2);
  });

  it.each([
    ['with the dictionary', spdyDictionary()],
    ['without it', undefined],
  ])('are read from a stream %s, beyond its window', async (_, dictionary) => {
    const compress = compressor(dictionary);
    const reader = new SpdyHeaderReader();
    for (let id = 0; id < 1500; id += 1) {
      const headers = headersOf(id);
      expect(reader.read(await compress(textOf(headers)))).toEqual(new Map(headers));
    }
  });

  it('are written as stored blocks, which are one stream, too', () => {
    const [writer, reader] = [new SpdyHeaderWriter(), new SpdyHeaderReader()];
    for (let id = 0; id < 3; id += 1) expect(reader.read(writer.write(headersOf(id)))).toEqual(new Map(headersOf(id)));
    expect(reader.read(writer.write([]))).toEqual(new Map());
    expect(() => writer.write([['a', 'a'.repeat(70_000)]])).toThrow(RangeError);
  });

  it('are invalid where they are not compressed, not complete, or larger than 64 KiB', async () => {
    expect(new SpdyHeaderReader().read(Buffer.from('no zlib stream'))).toBeUndefined();
    expect(new SpdyHeaderReader().read(Buffer.alloc(0))).toBeUndefined();
    expect(new SpdyHeaderReader().read(await compressor(spdyDictionary())(Buffer.alloc(100_000)))).toBeUndefined();
    expect(new SpdyHeaderReader().read(await compressor(undefined)(numbers(1000, 4)))).toBeUndefined();
    const text = textOf(headersOf(1));
    for (let end = 0; end < text.length; end += 1) expect(headersIn(text.subarray(0, end))).toBeUndefined();
  });
});
