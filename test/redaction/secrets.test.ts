import { describe, expect, it } from 'vitest';
import { mapAt, toValue, valueAt } from '../../src/go/value.js';
import { jsonWithoutSecrets, searchOfTexts, withoutSecrets } from '../../src/redaction/secrets.js';
import { textWithoutSecrets } from '../../src/redaction/text-secrets.js';

describe('withoutSecrets', () => {
  it('returns a value without secrets unchanged', () => {
    const value = toValue({ kind: 'Pod', spec: { containers: [{ name: 'app', env: [{ name: 'PORT', value: '80' }] }], tokenPath: '/t' } });
    expect(withoutSecrets(value)).toBe(value);
  });

  it('copies only parts with secrets, and does not modify its argument', () => {
    const value = toValue({ a: { list: ['x'] }, b: { list: [{ password: 'canary' }, { name: 'y' }] }, c: 1 });
    const clean = withoutSecrets(value);
    expect(JSON.stringify([...(mapAt(clean)?.keys() ?? [])])).toBe('["a","b","c"]');
    expect(valueAt(clean, 'a')).toBe(valueAt(value, 'a'));
    expect(valueAt(clean, 'b', 'list', 1)).toBe(valueAt(value, 'b', 'list', 1));
    expect(valueAt(clean, 'b', 'list', 0, 'password')).toMatch(/^<redacted sha256:[0-9a-f]{8}>$/);
    expect(valueAt(value, 'b', 'list', 0, 'password')).toBe('canary');
  });
});

describe('searchOfTexts', () => {
  it.each([
    ['an object without secrets', '{"a": [1, "x"]}'],
    ['an object with one', '{"password": "canary-one"}'],
    ['a list with one', '[{"password": "canary-one"}]'],
    ['text that is no JSON', 'password=canary-one'],
    ['a string', '"password=canary-one"'],
  ])('redacts %s as without it, each time', (_, text) => {
    const search = searchOfTexts();
    const clean = jsonWithoutSecrets(text);
    expect(clean).not.toContain('canary');
    expect([jsonWithoutSecrets(text, undefined, search), jsonWithoutSecrets(text, undefined, search)]).toEqual([clean, clean]);
  });

  it('parses a text and redacts its value once', () => {
    const { read, clean } = searchOfTexts();
    const text = '{"password": "canary-one"}';
    const value = read(text);
    expect(read(text)).toBe(value);
    if (value === undefined) throw new Error('the text is JSON');
    expect(clean(value)).toBe(clean(value));
    expect(clean(value)).not.toBe(value);
  });
});

describe('textWithoutSecrets', () => {
  it('leaves what it has redacted', () => {
    const clean = textWithoutSecrets(
      'GET /hook?access_token=h3DWhVAZ7AWnZhfNzL&b=2 password="qQ6IvMt7bkEU" got {"auths":{"r":{"auth":"bWU6cXExdw=="}}}',
    );
    expect(clean.match(/<redacted sha256:[0-9a-f]{8}>/g)).toHaveLength(3);
    expect(textWithoutSecrets(clean)).toBe(clean);
  });
});

describe('a text of megabytes', () => {
  it('is redacted as a whole if it is a word that no pattern can match', () => {
    expect(textWithoutSecrets(`a ${'A1b2'.repeat(4_000_000)} b`)).toMatch(/^<redacted sha256:[0-9a-f]{8}>$/);
  });

  it.each([
    ['an assigned value', `token=${'x'.repeat(16_000_000)}`],
    ['a member', `{"token":"${'x'.repeat(16_000_000)}"}`],
  ])('loses %s', (_, text) => {
    expect(textWithoutSecrets(text)).toMatch(/^\S{0,10}<redacted sha256:[0-9a-f]{8}>\S{0,2}$/);
  });

  it('is searched in linear time for JSON web tokens', () => {
    const text = 'eyJ-'.repeat(250_000);
    expect(textWithoutSecrets(text)).toBe(text);
  });

  it('loses a JSON web token of 100 kB', () => {
    expect(textWithoutSecrets(`a eyJhbGciOiJub25lIn0.${'e'.repeat(99_000)}.sig b`)).toMatch(/^a <redacted sha256:[0-9a-f]{8}> b$/);
  });
});
