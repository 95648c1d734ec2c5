/**
 * A header's text with its encoded words (RFC 2047, `=?utf-8?q?caf=C3=A9?=`) decoded; the text itself when one is in a character set
 * other than UTF-8, ISO 8859-1 and ASCII. Source: Go mime.WordDecoder.DecodeHeader.
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
      out += rest.slice(0, start + 2);
      rest = rest.slice(start + 2);
      continue;
    }
    const before = rest.slice(0, start);
    // White space between two encoded words only keeps them apart.
    if (!betweenWords || /[^ \t\n\r]/.test(before)) out += before;
    const decoded = decodeBytes(charset, bytes);
    if (decoded === undefined) return text;
    out += decoded;
    rest = rest.slice(start + whole.length);
    betweenWords = true;
  }
}

const word = /^=\?([^?]*)\?([\s\S])\?((?:(?!\?=)[\s\S])*)\?=/;

function decodeContent(encoding: string, content: string): Buffer | undefined {
  if (/^b$/i.test(encoding)) {
    const bare = content.replace(/[\r\n]/g, '');
    return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(bare) ? Buffer.from(bare, 'base64') : undefined;
  }
  if (!/^q$/i.test(encoding) || !/^(?:[ -<>-~\n\r\t]|=[0-9A-Fa-f]{2})*$/.test(content)) return undefined;
  const plain = content.replaceAll('_', ' ');
  return Buffer.from(
    plain.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

function decodeBytes(charset: string, bytes: Buffer): string | undefined {
  switch (charset.toLowerCase()) {
    case 'utf-8':
      // Bytes that are no UTF-8 stay recognisable as such: half surrogate pairs.
      return Buffer.from(bytes.toString('utf8')).equals(bytes) ? bytes.toString('utf8') : '\udc80';
    case 'iso-8859-1':
      return bytes.toString('latin1');
    case 'us-ascii':
      return bytes.toString('latin1').replace(/[\x80-\xff]/g, '\ufffd');
    default:
      return undefined;
  }
}
