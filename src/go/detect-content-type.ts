/** Max bytes that are looked at. */
const sniffLength = 512;

const html = [
  '!DOCTYPE HTML',
  'HTML',
  'HEAD',
  'SCRIPT',
  'IFRAME',
  'H1',
  'DIV',
  'FONT',
  'TABLE',
  'A',
  'STYLE',
  'TITLE',
  'B',
  'BODY',
  'BR',
  'P',
  '!--',
];

/** Starts of contents, one character for each byte, in Go's order. */
const signatures: readonly (readonly [start: RegExp, type: string])[] = [
  [new RegExp(`^[\\t\\n\\f\\r ]*<(?:${html.join('|')})[ >]`, 'i'), 'text/html; charset=utf-8'],
  [/^[\t\n\f\r ]*<\?xml/, 'text/xml; charset=utf-8'],
  [/^%PDF-/, 'application/pdf'],
  [/^%!PS-Adobe-/, 'application/postscript'],
  [/^\xfe\xff[\s\S]{2}/, 'text/plain; charset=utf-16be'],
  [/^\xff\xfe[\s\S]{2}/, 'text/plain; charset=utf-16le'],
  [/^\xef\xbb\xbf[\s\S]/, 'text/plain; charset=utf-8'],
  [/^\0\0[\x01\x02]\0/, 'image/x-icon'],
  [/^BM/, 'image/bmp'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\s\S]{4}WEBPVP/, 'image/webp'],
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^FORM[\s\S]{4}AIFF/, 'audio/aiff'],
  [/^ID3/, 'audio/mpeg'],
  [/^OggS\0/, 'application/ogg'],
  [/^MThd\0\0\0\x06/, 'audio/midi'],
  [/^RIFF[\s\S]{4}AVI /, 'video/avi'],
  [/^RIFF[\s\S]{4}WAVE/, 'audio/wave'],
];

const laterSignatures: typeof signatures = [
  [/^\x1a\x45\xdf\xa3/, 'video/webm'],
  [/^[\s\S]{34}LP/, 'application/vnd.ms-fontobject'],
  [/^\0\x01\0\0/, 'font/ttf'],
  [/^OTTO/, 'font/otf'],
  [/^ttcf/, 'font/collection'],
  [/^wOFF/, 'font/woff'],
  [/^wOF2/, 'font/woff2'],
  [/^\x1f\x8b\x08/, 'application/x-gzip'],
  [/^PK\x03\x04/, 'application/zip'],
  [/^Rar!\x1a\x07(?:\0|\x01\0)/, 'application/x-rar-compressed'],
  [/^\0asm/, 'application/wasm'],
  [/^[^\0-\x08\x0b\x0e-\x1a\x1c-\x1f]*$/, 'text/plain; charset=utf-8'],
];

/** Returns the media type that Go guesses for contents without one. Source: Go net/http DetectContentType. */
export function detectContentType(contents: Uint8Array): string {
  const bytes = Buffer.from(contents.subarray(0, sniffLength));
  const start = bytes.toString('latin1');
  const typeIn = (table: typeof signatures): string | undefined => table.find(([signature]) => signature.test(start))?.[1];
  return typeIn(signatures) ?? (isMp4(bytes) ? 'video/mp4' : (typeIn(laterSignatures) ?? 'application/octet-stream'));
}

function isMp4(bytes: Buffer): boolean {
  if (bytes.length < 12) return false;
  const boxLength = bytes.readUInt32BE(0);
  if (bytes.length < boxLength || boxLength % 4 !== 0 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  for (let at = 8; at < boxLength; at += 4) if (at !== 12 && bytes.toString('latin1', at, at + 3) === 'mp4') return true;
  return false;
}
