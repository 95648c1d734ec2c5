import { describe, expect, it } from 'vitest';
import { escapePropertyName, unescapePropertyName } from '../../../src/cel/values/property-name.js';

describe('property names in expressions', () => {
  it.each([
    ['plain', 'plain'],
    ['a-b', 'a__dash__b'],
    ['a.b/c', 'a__dot__b__slash__c'],
    ['a__b', 'a__underscores__b'],
    ['namespace', '__namespace__'],
    ['namespaces', 'namespaces'],
  ])('escapes %s as %s', (name, identifier) => {
    expect(escapePropertyName(name)).toBe(identifier);
    expect(unescapePropertyName(identifier)).toBe(name);
  });

  it.each(['', '1st', 'a b', 'naïve', 'a$'])('cannot escape %j', name => {
    expect(escapePropertyName(name)).toBeUndefined();
  });

  it.each(['__no__', 'a__namespace__', '__dash____what__'])('cannot unescape %s', identifier => {
    expect(unescapePropertyName(identifier)).toBeUndefined();
  });
});
