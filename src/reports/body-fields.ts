/** Bytes in a JSON document: `body` for text, `bodyBase64` otherwise. Lossless either way. */
export function bodyFields(bytes: Uint8Array): { readonly body: string } | { readonly bodyBase64: string } {
  const body = Buffer.from(bytes);
  const text = body.toString('utf8');
  return Buffer.from(text, 'utf8').equals(body) ? { body: text } : { bodyBase64: body.toString('base64') };
}
