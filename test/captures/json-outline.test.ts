import { describe, expect, it } from 'vitest';
import { outlineAt } from '../../src/captures/json-outline.js';
import { markersOf } from '../../src/captures/markers.js';
import { JsonSyntaxError, readValue } from '../../src/go/json/reader.js';

/** Returns the same for every run, in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const pieces = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"a"',
  '"kind"',
  '"\\u0041"',
  '"\\x"',
  '"é😀"',
  ' ',
  '\n',
  '1',
  '-0.5e3',
  '01',
  '-',
  'true',
  'nul',
  '"cut',
];

function endByReader(text: string): number | undefined {
  try {
    return readValue(text, 0).end;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

describe('the outline of a JSON value', () => {
  it('accepts what the reader accepts, and ends where it ends', () => {
    const next = numbers(7);
    let accepted = 0;
    for (let round = 0; round < 4000; round += 1) {
      const body = Array.from({ length: Math.floor(next() * 12) }, () => pieces[Math.floor(next() * pieces.length)]).join('');
      const text = next() < 0.5 ? `{"a":${body}}` : `[${body}]`;
      const outline = outlineAt(text, 0, markersOf(text));
      const end = endByReader(text);
      expect([text, outline.outcome === 'read' ? outline.end : undefined]).toEqual([text, end]);
      if (end !== undefined) accepted += 1;
    }
    expect(accepted).toBeGreaterThan(100);
  });

  it('names objects that may be captures and strings that may contain some, and nothing else', () => {
    const review = '{"kind": "AdmissionReview", "n": {"kind": "Pod"}}';
    const string = '"{\\"operation\\": 1}"';
    const text = `{"a": [${review}, ${string}, "{", "operation"], "b": {"kind": "Event"}}`;
    const outline = outlineAt(text, 0, markersOf(text));
    const parts = outline.outcome === 'read' ? outline.parts.map(({ start, end }) => text.slice(start, end)) : [];
    expect(parts).toEqual([review, string]);
  });

  it('names the containers that have not ended where it fails', () => {
    const text = '{"a": [{"b": 1}, {"c": x';
    expect(outlineAt(text, 0, markersOf(text))).toEqual({ outcome: 'failed', at: 23, open: [0, 6, 17] });
  });
});
