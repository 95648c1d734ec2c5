import { ownMember } from '../go/own-members.js';
import { atEnd, cursorOver, enter, readAnyElement, tags } from './der.js';
import { readObjectIdentifier } from './der-values.js';
import { MalformedCertificate, requiredDer } from './malformed-certificate.js';

/** Attributes of a subject or issuer in order; the type is an object identifier in dotted notation. */
export type DistinguishedName = readonly { readonly type: string; readonly value: string }[];

/** Parses a Name. Throws MalformedCertificate with Go's message. Source: crypto/x509 parseName. */
export function readDistinguishedName(whole: Uint8Array): DistinguishedName {
  const sequence = requiredDer(enter(cursorOver(whole), tags.sequence), 'x509: invalid RDNSequence');
  const attributes: { type: string; value: string }[] = [];
  while (!atEnd(sequence)) {
    const set = requiredDer(enter(sequence, tags.set), 'x509: invalid RDNSequence');
    while (!atEnd(set)) {
      const attribute = requiredDer(enter(set, tags.sequence), 'x509: invalid RDNSequence: invalid attribute');
      const type = requiredDer(readObjectIdentifier(attribute), 'x509: invalid RDNSequence: invalid attribute type');
      const value = requiredDer(readAnyElement(attribute), 'x509: invalid RDNSequence: invalid attribute value');
      attributes.push({ type, value: characterString(value.tag, value.contents) });
    }
  }
  return attributes;
}

/** Returns the common name; the last one if there are several, as in Go. Empty if there is none. */
export function commonNameOf(name: DistinguishedName): string {
  return name.findLast(attribute => attribute.type === '2.5.4.3')?.value ?? '';
}

/** Returns the first organization; undefined if there is none. */
export function organizationOf(name: DistinguishedName): string | undefined {
  return name.find(attribute => attribute.type === '2.5.4.10')?.value;
}

const shortNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.17': 'POSTALCODE',
};

/** Returns the name for people: `CN=webhook, O=team`, the most specific attribute first. Empty for an empty name. */
export function describeName(name: DistinguishedName): string {
  return name.map(({ type, value }) => `${ownMember(shortNames, type) ?? type}=${value}`).join(', ');
}

function characterString(tag: number, bytes: Uint8Array): string {
  const text = decoded(tag, bytes);
  if (text.value !== undefined) return text.value;
  throw new MalformedCertificate(`x509: invalid RDNSequence: invalid attribute value: ${text.problem}`);
}

/** Decodes the string types that Go supports, with the characters that Go allows in each. Source: crypto/x509 parseASN1String. */
function decoded(tag: number, bytes: Uint8Array): { readonly value?: string; readonly problem: string } {
  const latin1 = Buffer.from(bytes).toString('latin1');
  switch (tag) {
    case tags.t61String:
      return { value: latin1, problem: '' };
    case tags.printableString:
      return matching(latin1, /^[A-Za-z0-9'()+,\-./ :=?*&]*$/, 'invalid PrintableString');
    case tags.utf8String:
      return utf8(bytes);
    case tags.bmpString:
      return ucs2(bytes);
    case tags.ia5String:
      return matching(latin1, /^[\0-\x7f]*$/, 'invalid IA5String');
    case tags.numericString:
      return matching(latin1, /^[0-9 ]*$/, 'invalid NumericString');
    default:
      return { problem: `unsupported string type: ${tag}` };
  }
}

function matching(text: string, allowed: RegExp, problem: string): { value?: string; problem: string } {
  return allowed.test(text) ? { value: text, problem } : { problem };
}

function utf8(bytes: Uint8Array): { value?: string; problem: string } {
  try {
    return { value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), problem: '' };
  } catch {
    return { problem: 'invalid UTF-8 string' };
  }
}

/** Decodes two octets a character; one trailing zero character is dropped, surrogates and noncharacters are rejected. */
function ucs2(bytes: Uint8Array): { value?: string; problem: string } {
  const problem = 'invalid BMPString';
  if (bytes.length % 2 !== 0) return { problem };
  const codes = Array.from({ length: bytes.length / 2 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
  if (codes.at(-1) === 0) codes.pop();
  const refused = codes.some(c => c >= 0xfffe || (c >= 0xfdd0 && c <= 0xfdef) || (c >= 0xd800 && c <= 0xdfff));
  return refused ? { problem } : { value: String.fromCharCode(...codes), problem };
}
