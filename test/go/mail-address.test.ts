import { describe, expect, it } from 'vitest';
import { isEmailAddress } from '../../src/go/net/mail-address.js';

describe('an email address', () => {
  it.each([
    'a@b',
    'First Last <a.b@example.com>',
    '"quoted name" <a@b>',
    '"a b"@example.com (comment (nested))',
    'a@[127.0.0.1]',
    'Name.. <a@b>',
    'group: a@b;',
    '=?utf-8?q?a?= <a@b>',
  ])('can be %s', text => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it.each([
    '',
    'a',
    '.a@b',
    'a..b@c',
    'a@b.',
    '<a@b',
    'a@b, c@d',
    'group: a@b, c@d;',
    'group:;',
    '""@b',
    'a@[localhost]',
    'a@b (comment',
    '=?x?q?a?= <a@b>',
    'a@b\udcff',
  ])('cannot be %j', text => {
    expect(isEmailAddress(text)).toBe(false);
  });
});
