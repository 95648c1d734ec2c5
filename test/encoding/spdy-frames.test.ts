import { describe, expect, it } from 'vitest';
import {
  controlFrame,
  controls,
  dataFrame,
  finFlag,
  numbers,
  resetFrame,
  type SpdyPart,
  SpdyReader,
} from '../../src/encoding/spdy/spdy-frames.js';

const frames = Buffer.concat([
  controlFrame(controls.reply, numbers(1)),
  dataFrame(3, Buffer.from('hello')),
  dataFrame(3, Buffer.alloc(0)),
  resetFrame(1, 5),
  dataFrame(3, Buffer.from('world'), finFlag),
]);

/** Joins the parts of the data of one frame. */
function joined(parts: readonly SpdyPart[]): unknown[] {
  const all: { kind: string; stream?: number; text?: string; isLast?: boolean; type?: number }[] = [];
  for (const part of parts) {
    if (part.kind === 'fault') all.push({ kind: part.message });
    else if (part.kind === 'control') all.push({ kind: part.kind, type: part.type });
    else {
      const last = all.at(-1);
      const text = part.bytes.toString();
      if (last?.stream === part.stream && last.isLast === false) Object.assign(last, { text: `${last.text}${text}`, isLast: part.isLast });
      else all.push({ kind: part.kind, stream: part.stream, text, isLast: part.isLast });
    }
  }
  return all;
}

describe('SpdyReader', () => {
  it('reads the same frames wherever the bytes are cut', () => {
    const expected = [
      { kind: 'control', type: controls.reply },
      { kind: 'data', stream: 3, text: 'hello', isLast: false },
      { kind: 'control', type: controls.reset },
      { kind: 'data', stream: 3, text: 'world', isLast: true },
    ];
    for (let at = 0; at <= frames.length; at += 1) {
      const reader = new SpdyReader();
      expect(joined([...reader.read(frames.subarray(0, at)), ...reader.read(frames.subarray(at))])).toEqual(expected);
    }
    const reader = new SpdyReader();
    expect(joined([...frames].flatMap(byte => [...reader.read(Buffer.from([byte]))]))).toEqual(expected);
  });

  it('passes on data before their frame is complete', () => {
    const reader = new SpdyReader();
    const head = Buffer.from([0, 0, 0, 3, finFlag, 0xff, 0xff, 0xff]);
    expect(joined([...reader.read(Buffer.concat([head, Buffer.from('a')]))])).toEqual([
      { kind: 'data', stream: 3, text: 'a', isLast: false },
    ]);
  });

  it.each([
    ['of another version', [0x80, 2, 0, 1, 0, 0, 0, 0], 'it sends frames of SPDY 2'],
    ['of more than 64 KiB', [0x80, 3, 0, 2, 0, 1, 0, 1], 'it sends a control frame of 65537 bytes'],
  ])('reads nothing after a control frame %s', (_, bytes, message) => {
    const reader = new SpdyReader();
    expect([...reader.read(Buffer.from(bytes))]).toEqual([{ kind: 'fault', message }]);
    expect([...reader.read(frames)]).toEqual([]);
  });
});
