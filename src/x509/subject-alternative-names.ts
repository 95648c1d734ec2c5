import { quote } from '../go/quote.js';
import { parseUrl, UrlError } from '../go/url/parse.js';
import type { Url } from '../go/url/url.js';
import { atEnd, contextTag, cursorOver, enter, readAnyElement, tags } from './der.js';
import { isDomainName } from './domain-name.js';
import { MalformedCertificate, requiredDer } from './malformed-certificate.js';

/** Names of a certificate by type, in the order of the certificate. */
export interface SubjectAlternativeNames {
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  /** Four or sixteen octets. */
  readonly ipAddresses: readonly Uint8Array[];
  readonly uris: readonly Url[];
}

export const noNames: SubjectAlternativeNames = { dnsNames: [], emailAddresses: [], ipAddresses: [], uris: [] };

/** Parses subjectAltName; other types of names are skipped. Source: crypto/x509 parseSANExtension. */
export function readSubjectAlternativeNames(value: Uint8Array): SubjectAlternativeNames {
  const sequence = requiredDer(enter(cursorOver(value), tags.sequence), 'x509: invalid subject alternative names');
  const names = { dnsNames: [] as string[], emailAddresses: [] as string[], ipAddresses: [] as Uint8Array[], uris: [] as Url[] };
  while (!atEnd(sequence)) {
    const { tag, contents } = requiredDer(readAnyElement(sequence), 'x509: invalid subject alternative name');
    if (tag === contextTag(1)) names.emailAddresses.push(ascii(contents, 'rfc822Name'));
    if (tag === contextTag(2)) names.dnsNames.push(ascii(contents, 'dNSName'));
    if (tag === contextTag(6)) names.uris.push(uriName(ascii(contents, 'uniformResourceIdentifier')));
    if (tag === contextTag(7)) names.ipAddresses.push(ipName(contents));
  }
  return names;
}

function ascii(contents: Uint8Array, type: string): string {
  if (contents.some(octet => octet > 0x7f)) throw new MalformedCertificate(`x509: SAN ${type} is malformed`);
  return Buffer.from(contents).toString('latin1');
}

function uriName(text: string): Url {
  const uri = parsedUri(text);
  if (!isDomainName(uri.host)) throw new MalformedCertificate(`x509: cannot parse URI ${quote(text)}: invalid domain`);
  return uri;
}

function parsedUri(text: string): Url {
  try {
    return parseUrl(text);
  } catch (error) {
    if (error instanceof UrlError) throw new MalformedCertificate(`x509: cannot parse URI ${quote(text)}: ${error.message}`);
    throw error;
  }
}

function ipName(contents: Uint8Array): Uint8Array {
  if (contents.length === 4 || contents.length === 16) return contents;
  throw new MalformedCertificate(`x509: cannot parse IP address of length ${contents.length}`);
}
