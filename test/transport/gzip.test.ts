import { randomBytes } from 'node:crypto';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzipped } from '../../src/transport/gzip.js';
import { inflate } from '../../src/transport/inflate.js';
import { TransportError } from '../../src/transport/transport-error.js';

/** Returns the result of a body that arrives in pieces, and then ends or fails. */
async function unpacked(
  bytes: Buffer,
  { pieces = 3, failure = undefined as TransportError | undefined, most = 1 << 20 } = {},
): Promise<string> {
  const size = Math.ceil(bytes.length / pieces);
  const parts = Array.from({ length: size === 0 ? 0 : Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const reader = gunzipped(
    {
      read: async () => {
        const part = parts.shift();
        if (part === undefined && failure !== undefined) throw failure;
        return part;
      },
    },
    most,
  );
  try {
    let out = '';
    for (let part = await reader.read(); part !== undefined; part = await reader.read()) out += part.toString('latin1');
    return out;
  } catch (error) {
    if (error instanceof TransportError) return `${error.failureClass}: ${error.message}`;
    throw error;
  }
}

function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at < 0 ? bytes.length + at : at] = value;
  return copy;
}

const hello = gzipSync('hello');

describe('a gzip body', () => {
  it('is unpacked for every packer', async () => {
    const text = Buffer.concat([randomBytes(3_000), Buffer.alloc(70_000, 'ab'), Buffer.from('{"a":1}'.repeat(500))]).toString('latin1');
    const bytes = Buffer.from(text, 'latin1');
    for (const level of [0, 1, 6, 9]) {
      for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY]) {
        expect(await unpacked(gzipSync(bytes, { level, strategy }), { pieces: 7 })).toBe(text);
      }
    }
  });

  it.each([
    ['empty', Buffer.alloc(0), ''],
    ['of two members', Buffer.concat([hello, gzipSync(' world')]), 'hello world'],
    ['with a name', Buffer.concat([changed(hello, 3, 8).subarray(0, 10), Buffer.from('a.json\0'), hello.subarray(10)]), 'hello'],
    ['with another magic number', changed(hello, 0, 0x1e), 'body: gzip: invalid header'],
    ['of another method', changed(hello, 2, 7), 'body: gzip: invalid header'],
    ['with rubbish behind it', Buffer.concat([hello, Buffer.alloc(10, 'x')]), 'body: gzip: invalid header'],
    ['with a little rubbish behind it', Buffer.concat([hello, Buffer.alloc(9, 'x')]), 'http: unexpected EOF'],
    ['with a wrong checksum', changed(hello, -8, 0xff), 'body: gzip: invalid checksum'],
    ['with a wrong length', changed(hello, -1, 1), 'body: gzip: invalid checksum'],
    ['cut in the header', hello.subarray(0, 9), 'http: unexpected EOF'],
    ['cut in the data', hello.subarray(0, 14), 'http: unexpected EOF'],
    ['cut in the checksum', hello.subarray(0, -1), 'http: unexpected EOF'],
    ['with a block of no type', changed(hello, 10, 0x07), 'body: flate: corrupt input before offset 1'],
    [
      'with a stored block that contradicts itself',
      Buffer.concat([hello.subarray(0, 10), Buffer.from([1, 5, 0, 0, 0])]),
      'body: flate: corrupt input before offset 5',
    ],
    [
      'that refers to what was never there',
      Buffer.concat([hello.subarray(0, 10), Buffer.from([0x03, 0x02])]),
      'body: flate: corrupt input before offset 2',
    ],
  ])('%s', async (_, bytes, expected) => {
    expect(await unpacked(bytes)).toBe(expected);
  });

  it('that ends early reports why, unless it was invalid before', async () => {
    const failure = new TransportError('tcp', 'read tcp CLIENT->127.0.0.1:1: read: connection reset by peer');
    expect(await unpacked(hello.subarray(0, 12), { failure })).toBe(`tcp: ${failure.message}`);
    expect(await unpacked(changed(hello, 0, 0), { failure })).toBe('body: gzip: invalid header');
  });

  it('unpacks up to the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(1 << 20));
    expect((await unpacked(bomb, { most: 1 << 20 })).length).toBe(1 << 20);
    expect(await unpacked(bomb, { most: (1 << 20) - 1 })).toMatch(/^limit: response body unpacks to more than 1048575 bytes/);
  });

  it('counts all its members together', async () => {
    const members = Buffer.concat(new Array<Buffer>(5).fill(gzipSync(Buffer.alloc(1_000))));
    expect((await unpacked(members, { most: 5_000 })).length).toBe(5_000);
    expect(await unpacked(members, { most: 4_500 })).toBe(
      'limit: response body unpacks to more than 4500 bytes; kube-apiserver has no such limit',
    );
  });

  it('stops reading a member that unpacks beyond the limit', async () => {
    let read = 0;
    const bomb = gzipSync(Buffer.alloc(1 << 24));
    const reader = gunzipped(
      {
        read: async () => {
          read += 1;
          return bomb.subarray((read - 1) * 4_096, read * 4_096);
        },
      },
      1 << 20,
    );
    await expect(reader.read()).rejects.toThrow('unpacks to more than 1048576 bytes');
    expect(read * 4_096).toBeLessThan(bomb.length);
  });

  it('of very many members is unpacked', async () => {
    const members = Buffer.concat(new Array<Buffer>(20_000).fill(gzipSync('x')));
    expect(await unpacked(members, { pieces: 50 })).toBe('x'.repeat(20_000));
  });

  it('ends at its last block', () => {
    const packed = deflateRawSync('hello');
    expect(inflate(Buffer.concat([packed, Buffer.from('tail')]), 100)).toEqual({ output: Buffer.from('hello'), length: packed.length });
  });
});
