/** Decodes unpadded URL-safe base64; returns Go's error message for invalid text. Source: encoding/base64 RawURLEncoding. */
export function decodeBase64Url(text: string): Uint8Array | string {
  const bad = /[^A-Za-z0-9_-]/.exec(text);
  if (bad !== null) return `illegal base64 data at input byte ${bad.index}`;
  if (text.length % 4 === 1) return `illegal base64 data at input byte ${text.length - 1}`;
  return Buffer.from(text, 'base64url');
}
