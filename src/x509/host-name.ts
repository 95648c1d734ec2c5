import { formatIP, parseIP, sameIP } from '../go/ip.js';
import type { Certificate } from './certificate.js';
import { commonNameOf } from './distinguished-name.js';
import { toLowerCaseASCII } from './domain-name.js';

/** From this number of names on Go prints the count instead of a list. */
const listedNames = 100;

/**
 * Returns Go's message if a certificate is not valid for a host: `x509: certificate is valid for a, b, not c`. Names are compared with its
 * DNS names, IP addresses (also in brackets) with its IP addresses, and the common name is ignored. Source: crypto/x509
 * Certificate.VerifyHostname, HostnameError.
 */
export function hostNameError(certificate: Certificate, host: string): string | undefined {
  const candidate = /^\[.+\]$/s.test(host) ? host.slice(1, -1) : host;
  const ip = parseIP(candidate);
  const { dnsNames, ipAddresses } = certificate.names;
  if (ip !== undefined) return ipAddresses.some(own => sameIP(own, ip)) ? undefined : mismatch(certificate, candidate);
  const wanted = toLowerCaseASCII(host);
  return dnsNames.some(own => covers(own, wanted)) ? undefined : mismatch(certificate, host);
}

/** An exact match always counts; wildcards and trailing dots only between well-formed names. */
function covers(own: string, wanted: string): boolean {
  if (isHostName(withoutDot(wanted)) && isPattern(own)) return matches(own, wanted);
  return !['', '.'].includes(own) && toLowerCaseASCII(own) === wanted;
}

function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/** A star matches the whole first label and nothing else. Source: crypto/x509 matchHostnames. */
function matches(pattern: string, host: string): boolean {
  const labels = withoutDot(toLowerCaseASCII(host)).split('.');
  const patterns = toLowerCaseASCII(pattern).split('.');
  if (pattern === '' || patterns.length !== labels.length) return false;
  return patterns.every((label, i) => (i === 0 && label === '*') || label === labels[i]);
}

/** Letters, digits, hyphens except at the start of a label, and underscores, which clusters use. Source: crypto/x509 validHostname. */
function isHostName(host: string): boolean {
  return host.split('.').every(label => /^[A-Za-z0-9_][A-Za-z0-9_-]*$/.test(label));
}

function isPattern(name: string): boolean {
  return name.startsWith('*.') ? isHostName(name.slice(2)) : isHostName(name);
}

function mismatch(certificate: Certificate, host: string): string {
  const { dnsNames, ipAddresses } = certificate.names;
  if (!certificate.hasNames && matches(commonNameOf(certificate.subject), host)) {
    return 'x509: certificate relies on legacy Common Name field, use SANs instead';
  }
  const isIP = parseIP(host) !== undefined;
  if (isIP && ipAddresses.length === 0) {
    return `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  }
  const count = isIP ? ipAddresses.length : dnsNames.length;
  if (count >= listedNames) return `x509: certificate is valid for ${count} ${isIP ? 'IP SANs' : 'names'}, but none matched ${host}`;
  const valid = (isIP ? ipAddresses.map(formatIP) : dnsNames).join(', ');
  if (valid === '') return `x509: certificate is not valid for any names, but wanted to match ${host}`;
  return `x509: certificate is valid for ${valid}, not ${host}`;
}
