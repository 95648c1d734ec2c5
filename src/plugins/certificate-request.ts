/**
 * Returns the organizations in the subject of a PKCS #10 request, PEM in base64; none when it cannot be parsed, which validation refuses
 * earlier.
 */
export function organizationsOf(request: string): string[] {
  const pem = Buffer.from(request, 'base64').toString('latin1');
  const body = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END CERTIFICATE REQUEST-----/.exec(pem)?.[1];
  if (body === undefined) return [];
  // Lines before an empty one are PEM headers.
  const [outer] = elementsOf(Buffer.from(body.replace(/^[\s\S]*\n\s*\n/, ''), 'base64'));
  const [information] = elementsOf(outer?.content);
  const subject = elementsOf(information?.content)[1];
  return elementsOf(subject?.content)
    .flatMap(set => elementsOf(set.content))
    .flatMap(({ content }) => {
      const [type, value] = elementsOf(content);
      return type !== undefined && value !== undefined && type.content.equals(organization) ? [value.content.toString('utf8')] : [];
    });
}

/** OID 2.5.4.10. */
const organization = Buffer.from([0x55, 0x04, 0x0a]);

interface Element {
  readonly content: Buffer;
}

/** Parses consecutive DER elements, up to the first invalid one. */
function elementsOf(bytes: Buffer | undefined): Element[] {
  const elements: Element[] = [];
  let at = 0;
  while (bytes !== undefined && at + 2 <= bytes.length) {
    const first = bytes[at + 1] ?? 0;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + lengthBytes;
    if (lengthBytes > 4 || start > bytes.length) break;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    if (start + length > bytes.length) break;
    elements.push({ content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}
