import { describe, expect, it } from 'vitest';
import { suspiciousCharacters } from '../../src/client/manifests/manifests.js';

const found = (text: string): string[] => suspiciousCharacters(Buffer.from(text)).map(({ line, column }) => `${line}:${column}`);

describe('a typographic quote', () => {
  it.each([
    ['name: \u201cweb\u201d\n', ['1:7']],
    ['- \u201cweb\u201d\n', ['1:3']],
    ['a: 1\ndata: {a: \u201cx\u201d}\n', ['2:11']],
  ])('around a value is suspicious: %j', (text, places) => {
    expect(found(text)).toEqual(places);
  });

  it.each([
    'description: The field \u201cname\u201d is required.\n',
    'description: |\n  \u201cname\u201d is the name of the object.\n',
    "description: 'Same as \u201cx\u201d'\n",
    '{"description": "either \u201ca\u201d or \u201cb\u201d"}\n',
    'description: \u201cname\u201d is required\n',
  ])('within a description is text: %j', text => {
    expect(found(text)).toEqual([]);
  });
});
