import { parseIP } from '../go/net/ip.js';
import { quote, quoteBytes } from '../go/quote.js';
import { atEnd, constructedContextTag, contextTag, cursorOver, type DerCursor, enter, nextTagIs, readAnyElement, tags } from './der.js';
import { isDomainName, parseMailbox } from './domain-name.js';
import { MalformedCertificate, requiredDer } from './malformed-certificate.js';

/** Address and mask, four or sixteen octets each. */
export interface IPRange {
  readonly ip: Uint8Array;
  readonly mask: Uint8Array;
}

/** Permitted or excluded names, by type. */
export interface Subtrees {
  readonly dnsDomains: readonly string[];
  readonly ipRanges: readonly IPRange[];
  readonly emailAddresses: readonly string[];
  readonly uriDomains: readonly string[];
}

/** Names for which an authority may sign. */
export interface NameConstraints {
  readonly permitted: Subtrees;
  readonly excluded: Subtrees;
}

const malformed = 'x509: invalid NameConstraints extension';

/**
 * Parses nameConstraints. `allHandled` is false if it constrains a type of name that Go does not check. Source: crypto/x509
 * parseNameConstraintsExtension.
 */
export function readNameConstraints(value: Uint8Array): { constraints: NameConstraints; allHandled: boolean } {
  const outer = cursorOver(value);
  const sequence = requiredDer(enter(outer, tags.sequence), malformed);
  if (!atEnd(outer)) throw new MalformedCertificate(malformed);
  const permitted = optional(sequence, 0);
  const excluded = optional(sequence, 1);
  if (!atEnd(sequence)) throw new MalformedCertificate(malformed);
  if (isEmpty(permitted) && isEmpty(excluded)) throw new MalformedCertificate('x509: empty name constraints extension');
  const read = [readSubtrees(permitted), readSubtrees(excluded)] as const;
  return {
    constraints: { permitted: read[0].subtrees, excluded: read[1].subtrees },
    allHandled: read[0].allHandled && read[1].allHandled,
  };
}

function optional(sequence: DerCursor, n: number): DerCursor | undefined {
  const tag = constructedContextTag(n);
  return nextTagIs(sequence, tag) ? requiredDer(enter(sequence, tag), malformed) : undefined;
}

function isEmpty(subtrees: DerCursor | undefined): boolean {
  return subtrees === undefined || atEnd(subtrees);
}

function readSubtrees(cursor: DerCursor | undefined): { subtrees: Subtrees; allHandled: boolean } {
  const subtrees = { dnsDomains: [] as string[], ipRanges: [] as IPRange[], emailAddresses: [] as string[], uriDomains: [] as string[] };
  let allHandled = true;
  while (cursor !== undefined && !atEnd(cursor)) {
    const { tag, contents } = requiredDer(readAnyElement(requiredDer(enter(cursor, tags.sequence), malformed)), malformed);
    if (tag === contextTag(2)) subtrees.dnsDomains.push(dnsDomain(contents));
    else if (tag === contextTag(7)) subtrees.ipRanges.push(ipRange(contents));
    else if (tag === contextTag(1)) subtrees.emailAddresses.push(emailConstraint(contents));
    else if (tag === contextTag(6)) subtrees.uriDomains.push(uriDomain(contents));
    else allHandled = false;
  }
  return { subtrees, allHandled };
}

function dnsDomain(contents: Uint8Array): string {
  const domain = ascii(contents);
  if (isDomainName(domain, true)) return domain;
  throw new MalformedCertificate(`x509: failed to parse dnsName constraint ${quote(domain)}`);
}

function ipRange(contents: Uint8Array): IPRange {
  const half = contents.length / 2;
  if (half !== 4 && half !== 16) throw new MalformedCertificate(`x509: IP constraint contained value of length ${contents.length}`);
  const mask = contents.subarray(half);
  const bits = [...mask].map(octet => octet.toString(2).padStart(8, '0')).join('');
  if (!/^1*0*$/.test(bits)) {
    throw new MalformedCertificate(`x509: IP constraint contained invalid mask ${Buffer.from(mask).toString('hex')}`);
  }
  return { ip: contents.subarray(0, half), mask };
}

function emailConstraint(contents: Uint8Array): string {
  const constraint = ascii(contents);
  const valid = constraint.includes('@') ? parseMailbox(constraint) !== undefined : isDomainName(constraint, true);
  if (valid) return constraint;
  throw new MalformedCertificate(`x509: failed to parse rfc822Name constraint ${quote(constraint)}`);
}

function uriDomain(contents: Uint8Array): string {
  const domain = ascii(contents);
  const message = `x509: failed to parse URI constraint ${quote(domain)}`;
  if (parseIP(domain) !== undefined) throw new MalformedCertificate(`${message}: cannot be IP address`);
  if (isDomainName(domain, true)) return domain;
  throw new MalformedCertificate(message);
}

function ascii(contents: Uint8Array): string {
  if (contents.every(octet => octet < 0x80)) return Buffer.from(contents).toString('latin1');
  throw new MalformedCertificate(`x509: invalid constraint value: x509: ${quoteBytes(contents)} cannot be encoded as an IA5String`);
}
