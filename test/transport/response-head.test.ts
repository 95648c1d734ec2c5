import { describe, expect, it } from 'vitest';
import { createByteReader } from '../../src/transport/byte-reader.js';
import type { Connection } from '../../src/transport/connection.js';
import { bufferedHead, readResponseHead } from '../../src/transport/response-head.js';

function connectionWith(parts: readonly Buffer[]): Connection {
  const left = [...parts];
  const nothing = (): void => undefined;
  return { read: async () => left.shift(), write: nothing, isQuiet: () => false, hold: nothing, destroy: nothing };
}

interface Outcome {
  readonly head: unknown;
  /** The bytes after the head. */
  readonly rest: string;
}

async function readByLines(text: string): Promise<Outcome> {
  const reader = createByteReader(connectionWith([Buffer.from(text, 'latin1')]));
  try {
    const head = await readResponseHead(reader);
    return { head, rest: reader.buffered().toString('latin1') };
  } catch (error) {
    return { head: String(error), rest: '' };
  }
}

const lines = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\ncontent-length:  2 \r\nX: \xe9\r\nx: 2';

describe('a head that is buffered as a whole', () => {
  it.each([
    ['usual', `${lines}\r\n\r\n{}`],
    ['without fields', 'HTTP/1.0 204\r\n\r\n'],
    ['an early response', `HTTP/1.1 100 Continue\r\n\r\n${lines}\r\n\r\n`],
    ['a name with a space', 'HTTP/1.1 200 OK\r\nA B : c\r\n\r\n'],
    ['an empty value', 'HTTP/1.1 200 OK\r\nA:\r\n\r\n'],
  ])('%s: is the same as line by line', async (_name, text) => {
    for (const _ of [1, 2]) {
      const reader = createByteReader(connectionWith([Buffer.from(text, 'latin1')]));
      await reader.fill();
      const head = bufferedHead(reader);
      expect({ head, rest: reader.buffered().toString('latin1') }).toEqual(await readByLines(text));
    }
  });

  it.each([
    ['incomplete', lines],
    ['bare line feeds', 'HTTP/1.1 200 OK\nA: b\n\r\n\r\n'],
    ['a bare line feed in the middle', 'HTTP/1.1 200 OK\r\nA: b\n\r\nC: d\r\n\r\n'],
    ['a field of two lines', 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n'],
    ['a field that begins with a tab', 'HTTP/1.1 200 OK\r\n\tA: b\r\n\r\n'],
    ['no colon', 'HTTP/1.1 200 OK\r\nA\r\n\r\n'],
    ['a control character', 'HTTP/1.1 200 OK\r\nA: \x01\r\n\r\n'],
    ['another protocol', 'SSH-2.0\r\n\r\n'],
    ['a status that is not a number', 'HTTP/1.1 2xx OK\r\n\r\n'],
    ['a long head', `HTTP/1.1 200 OK\r\nA: ${'b'.repeat(5000)}\r\n\r\n`],
    ['an end of two carriage returns', 'HTTP/1.1 200 OK\r\nA: b\r\r\n\r\n'],
  ])('%s: is left to the reader of lines, with every byte', async (_name, text) => {
    const reader = createByteReader(connectionWith([Buffer.from(text, 'latin1')]));
    await reader.fill();
    expect(bufferedHead(reader)).toBeUndefined();
    expect(reader.buffered().toString('latin1')).toBe(text);
  });

  it('does not pass the limit', async () => {
    const text = 'HTTP/1.1 200 OK\r\nA: b\r\n\r\n';
    const reader = createByteReader(connectionWith([Buffer.from(text)]));
    await reader.fill();
    reader.limit(text.length - 1);
    expect(bufferedHead(reader)).toBeUndefined();
    reader.limit(text.length);
    expect(bufferedHead(reader)).toBeDefined();
  });
});
