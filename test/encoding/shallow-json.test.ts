import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readShallowJson } from '../../src/encoding/shallow-json.js';
import type { JsonNode } from '../../src/go/json/node.js';
import { JsonSyntaxError, readJson } from '../../src/go/json/reader.js';

/** Returns the node with all lazy parts parsed. */
function whole(node: JsonNode): JsonNode {
  if (node.type === 'object') return { ...node, members: node.members.map(member => ({ ...member, value: whole(member.value) })) };
  return node.type === 'array' ? { ...node, items: node.items.map(whole) } : node;
}

describe('JSON that is parsed on access', { timeout: 60_000 }, () => {
  it('equals the result of readJson, with positions', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.nat(4), fc.boolean(), (text, levels, indented) => {
        const written = indented ? JSON.stringify(JSON.parse(text), null, 2) : text;
        return JSON.stringify(whole(readShallowJson(written, levels))) === JSON.stringify(whole(readJson(written)));
      }),
    );
  });

  it('may contain any strings', () => {
    const text = String.raw`{"a": ["}", "\"]", "\\", "\\\"{"], "\\": {"b": "["}}`;
    expect(whole(readShallowJson(text, 3))).toEqual(readJson(text));
  });

  it.each([
    '',
    '{',
    '[1',
    '{"a": 1',
    '["]',
    '[1 2]',
    '[1,]',
    '{"a" 1}',
    '{"a": 1 "b": 2}',
    '{a: 1}',
    '{"a": 1,}',
    '[1}',
    '[] x',
    '[tru]',
    '{"a": [}]',
  ])('is rejected with the same error as by readJson: %s', text => {
    expect(() => readJson(text)).toThrow(JsonSyntaxError);
    expect(() => whole(readShallowJson(text, 3))).toThrow(JsonSyntaxError);
  });
});
