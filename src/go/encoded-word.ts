import { Base64Error, decodeGoBase64 } from './base64.js';
import { foldCase } from './fold-name.js';
import { decodeUtf8Bytes } from './utf8.js';

/**
 * Decodes the encoded words (RFC 2047, `=?utf-8?q?caf=C3=A9?=`) of a header. Returns the text as it is if one of them is in a character
 * set other than UTF-8, ISO 8859-1 and ASCII. Source: Go mime.WordDecoder.DecodeHeader.
 */
export function decodeEncodedWords(text: string): string {
  let out = '';
  let rest = text;
  let betweenWords = false;
  for (;;) {
    const start = rest.indexOf('=?');
    const match = start < 0 ? null : word.exec(rest.slice(start));
    if (match === null) return out + rest;
    const [whole, charset = '', encoding = '', content = ''] = match;
    const bytes = decodeContent(encoding, content);
    if (bytes === undefined) {
      betweenWords = false;
      out += rest.slice(0, start + whole.length);
      rest = rest.slice(start + whole.length);
      continue;
    }
    const before = rest.slice(0, start);
    // White space between two encoded words only separates them.
    if (!betweenWords || /[^ \t\n\r]/.test(before)) out += before;
    const decoded = decodeBytes(charset, bytes);
    if (decoded === undefined) return text;
    out += decoded;
    rest = rest.slice(start + whole.length);
    betweenWords = true;
  }
}

/** Decodes a whole encoded word; undefined for any other text. Source: Go mime.WordDecoder.Decode. */
export function decodeEncodedWord(text: string): string | 'unknown charset' | undefined {
  const [, charset = '', encoding = '', content = ''] = /^=\?([^?]+)\?([^?])\?([^?]*)\?=$/.exec(text) ?? [];
  const bytes = charset === '' ? undefined : decodeContent(encoding, content);
  return bytes && (decodeBytes(charset, bytes) ?? 'unknown charset');
}

/** The encoding is one byte. */
const word = /^=\?([^?]*)\?([\0-\x7f\udc80-\udcff])\?((?:(?!\?=)[\s\S])*)\?=/;

function decodeContent(encoding: string, content: string): Uint8Array | undefined {
  if (/^b$/i.test(encoding)) {
    return base64Bytes(content);
  }
  if (!/^q$/i.test(encoding) || !/^(?:[ -<>-~\n\r\t]|=[0-9A-Fa-f]{2})*$/.test(content)) return undefined;
  const plain = content.replaceAll('_', ' ');
  return Buffer.from(
    plain.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

function base64Bytes(text: string): Uint8Array | undefined {
  try {
    return decodeGoBase64(text);
  } catch (error) {
    if (error instanceof Base64Error) return undefined;
    throw error;
  }
}

function decodeBytes(charset: string, bytes: Uint8Array): string | undefined {
  switch (foldCase(charset)) {
    case 'utf-8':
      return decodeUtf8Bytes(bytes);
    case 'iso-8859-1':
      return Buffer.from(bytes).toString('latin1');
    case 'us-ascii':
      return Buffer.from(bytes)
        .toString('latin1')
        .replace(/[\x80-\xff]/g, '\ufffd');
    default:
      return undefined;
  }
}
