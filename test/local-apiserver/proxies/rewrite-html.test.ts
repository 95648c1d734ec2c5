import { expect, it } from 'vitest';
import { rewriteHtml } from '../../../src/local-apiserver/proxy/rewrite-html.js';

const below = (page: string): string => rewriteHtml(page, link => `/below${link}`);

it.each([
  ['a link', '<a href=/x>', '<a href="/below/x">'],
  ['an element without links', '<td HREF=/x>', '<td href="/x">'],
  ['a link with an escape', '<a href="/x?a=1&#38;b=&quot;">', '<a href="/below/x?a=1&amp;b=&#34;">'],
  ['a character by another name in a link, which stays', '<a href="/caf&eacute;?a=1&amp;b">', '<a href="/caf&eacute;?a=1&amp;b">'],
  ['a character by another name elsewhere', '<img alt="&eacute;&lt;">', '<img alt="&eacute;&lt;">'],
  ['an escaped name of a character', '<img alt="&amp;lt;">', '<img alt="&amp;lt;">'],
  ['a comment', '<!-- <a href=/x> --><a href=/y>', '<!-- <a href=/x> --><a href="/below/y">'],
  ['an empty comment', '<!--><a href=/y>', '<!--><a href="/below/y">'],
  ['an end tag', '</a href=/x>', '</a href=/x>'],
  ['text of a script', '<script>"<a href=/x>"</script><a href=/y>', '<script>"<a href=/x>"</script><a href="/below/y">'],
  ['a script that does not end', '<script><a href=/x>', '<script><a href=/x>'],
  ['plain text', '<plaintext><a href=/x></plaintext>', '<plaintext><a href=/x></plaintext>'],
  ['a tag that does not end', 'x<a href=/x', 'x'],
  ['a value that does not end', 'x<a href="/x>y', 'x'],
  ['a lone bracket', 'a < b <', 'a < b <'],
  ['an attribute that begins with an equals sign', '<a =x href=/y>', '<a =x="" href="/below/y">'],
])('rewrites the links of %s', (_, page, expected) => {
  expect(below(page)).toBe(expected);
});

it('takes time in proportion to the page', () => {
  const page = '<a href="/x" '.repeat(20_000);
  const began = performance.now();
  expect(below(page)).toBe('');
  expect(performance.now() - began).toBeLessThan(2000);
});
