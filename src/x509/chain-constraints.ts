import { formatIP } from '../go/net/ip.js';
import { parseAddress } from '../go/netip/address.js';
import { NetipError } from '../go/netip/error.js';
import { quote } from '../go/quote.js';
import { type Url, urlText } from '../go/url/url.js';
import type { Certificate } from './certificate.js';
import { domainTrees, ipTrees, mailTrees, type Trees } from './constraint-trees.js';
import { formatMailbox, isDomainName, type Mailbox, parseMailbox } from './domain-name.js';
import type { Subtrees } from './name-constraints.js';
import type { SubjectAlternativeNames } from './subject-alternative-names.js';

/**
 * Checks the names of each certificate of a chain (leaf first) against the constraints of the authorities above it. Returns Go's message,
 * which follows `not authorized to sign for this name: `. Source: crypto/x509 checkChainConstraints.
 */
export function chainConstraintsError(chain: readonly Certificate[]): string | undefined {
  const rules = chain.flatMap((certificate, index) => {
    const constraints = certificate.nameConstraints;
    return constraints === undefined ? [] : [{ index, permitted: constraints.permitted, excluded: constraints.excluded }];
  });
  for (const [index, certificate] of chain.entries()) {
    const above = rules.filter(rule => rule.index > index);
    if (above.length === 0) return undefined;
    if (!certificate.hasNames) continue;
    const names = comparable(certificate.names);
    if (typeof names === 'string') return names;
    for (const rule of above) {
      const error = namesError(names, rule);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

interface ComparableNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly Uint8Array[];
  readonly uris: readonly { readonly domain: string; readonly text: string }[];
  readonly mailboxes: readonly Mailbox[];
}

/** Returns the names as constraints compare them, or an error for names without that form. */
function comparable(names: SubjectAlternativeNames): ComparableNames | string {
  const uris = names.uris.map(uri => uriDomain(uri));
  const failedUri = uris.find(uri => typeof uri === 'string');
  if (failedUri !== undefined) return failedUri;
  const mailboxes = names.emailAddresses.map(email => parseMailbox(email) ?? `cannot parse rfc822Name ${quote(email)}`);
  const failedMailbox = mailboxes.find(mailbox => typeof mailbox === 'string');
  if (failedMailbox !== undefined) return failedMailbox;
  return {
    dnsNames: names.dnsNames,
    ipAddresses: names.ipAddresses,
    uris: uris.filter(uri => typeof uri !== 'string'),
    mailboxes: mailboxes
      .filter(mailbox => typeof mailbox !== 'string')
      .map(({ local, domain }) => ({ local, domain: domain.toLowerCase() })),
  };
}

/** Returns the host of a URI without its port; constraints do not apply to IP addresses. Source: crypto/x509 parseURIs. */
function uriDomain(uri: Url): { domain: string; text: string } | string {
  const { host } = uri;
  const text = urlText(uri);
  const lower = host.toLowerCase();
  if (lower === '') return `URI with empty host (${quote(text)}) cannot be matched against constraints`;
  let domain = lower;
  if (lower.includes(':') && !lower.endsWith(']')) {
    const split = hostWithoutPort(host);
    if (split.problem !== undefined) return `cannot parse URI host ${quote(host)}: address ${host}: ${split.problem}`;
    domain = split.host;
  }
  if (isAddress(domain) || /^\[.*\]$/s.test(domain)) {
    return `URI with IP (${quote(text)}) cannot be matched against constraints`;
  }
  return { domain, text };
}

function isAddress(text: string): boolean {
  try {
    parseAddress(text);
    return true;
  } catch (error) {
    if (error instanceof NetipError) return false;
    throw error;
  }
}

/** Source: net.SplitHostPort, for what a URI's host can be. */
function hostWithoutPort(host: string): { host: string; problem?: string } {
  const colon = host.lastIndexOf(':');
  if (host.startsWith('[')) {
    const bracket = host.indexOf(']');
    if (bracket + 1 === colon) return { host: host.slice(1, bracket) };
    return { host, problem: host[bracket + 1] === ':' ? 'too many colons in address' : 'missing port in address' };
  }
  const name = host.slice(0, colon);
  if (name.includes(':')) return { host, problem: 'too many colons in address' };
  if (host.includes('[')) return { host, problem: "unexpected '[' in address" };
  return host.includes(']') ? { host, problem: "unexpected ']' in address" } : { host: name };
}

/** Checks all names of a certificate against one authority's constraints: IP addresses, DNS names, URIs, mailboxes, in this order. */
function namesError(names: ComparableNames, { permitted, excluded }: { permitted: Subtrees; excluded: Subtrees }): string | undefined {
  const ips = { type: 'IP address', permitted: ipTrees(permitted.ipRanges), excluded: ipTrees(excluded.ipRanges) };
  const dns = bothSides('DNS name', permitted.dnsDomains, excluded.dnsDomains);
  const uri = bothSides('URI', permitted.uriDomains, excluded.uriDomains);
  const mail = {
    type: 'email address',
    permitted: mailTrees(permitted.emailAddresses, 'permitted'),
    excluded: mailTrees(excluded.emailAddresses, 'excluded'),
  };
  return (
    firstError(names.ipAddresses, ip => nameError(ips, ip, formatIP(ip))) ??
    firstError(names.dnsNames, name => (isDomainName(name) ? nameError(dns, name, name) : `x509: cannot parse dnsName ${quote(name)}`)) ??
    firstError(names.uris, ({ domain, text }) =>
      isDomainName(domain) ? nameError(uri, domain, text) : `x509: internal error: URI SAN ${quote(text)} failed to parse`,
    ) ??
    firstError(names.mailboxes, mailbox => nameError(mail, mailbox, formatMailbox(mailbox)))
  );
}

interface Rule<Name> {
  readonly type: string;
  readonly permitted: Trees<Name> | undefined;
  readonly excluded: Trees<Name> | undefined;
}

function bothSides(type: string, permitted: readonly string[], excluded: readonly string[]): Rule<string> {
  return { type, permitted: domainTrees(permitted, 'permitted'), excluded: domainTrees(excluded, 'excluded') };
}

function nameError<Name>(rule: Rule<Name>, name: Name, printed: string): string | undefined {
  if (rule.permitted !== undefined && rule.permitted(name) === undefined) {
    return `${rule.type} ${quote(printed)} is not permitted by any constraint`;
  }
  const excluding = rule.excluded?.(name);
  return excluding === undefined ? undefined : `${rule.type} ${quote(printed)} is excluded by constraint ${quote(excluding)}`;
}

function firstError<Name>(names: readonly Name[], check: (name: Name) => string | undefined): string | undefined {
  for (const name of names) {
    const error = check(name);
    if (error !== undefined) return error;
  }
  return undefined;
}
