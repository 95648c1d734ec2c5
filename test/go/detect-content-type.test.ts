import { expect, it } from 'vitest';
import { detectContentType } from '../../src/go/detect-content-type.js';

it.each([
  ['<!doctype html>', 'text/html; charset=utf-8'],
  ['\n <A >', 'text/html; charset=utf-8'],
  ['<ab>', 'text/plain; charset=utf-8'],
  [' <?xml version="1.0"?>', 'text/xml; charset=utf-8'],
  ['%PDF-1.7', 'application/pdf'],
  ['{"a":1}', 'text/plain; charset=utf-8'],
  ['\xff\xfea\0', 'text/plain; charset=utf-16le'],
  ['RIFF\0\0\0\0WAVE', 'audio/wave'],
  ['\0\0\0\x10ftypmp42\0\0\0\0', 'video/mp4'],
  ['\0\0\0\x10ftypisomisom', 'application/octet-stream'],
  ['\x1f\x8b\x08\0', 'application/x-gzip'],
  ['a\0b', 'application/octet-stream'],
  [`${'a'.repeat(512)}\0`, 'text/plain; charset=utf-8'],
])('guesses the type of %j', (contents, type) => {
  expect(detectContentType(Buffer.from(contents, 'latin1'))).toBe(type);
});
