import { rootCertificates } from 'node:tls';
import { formatIP, parseIP, sameIP } from '../go/net/ip.js';
import { onceValue } from '../go/once.js';
import { buildChains, validityError } from './build-chains.js';
import { certificatesIn } from './bundle.js';
import { type Certificate, parseCertificate } from './certificate.js';
import { chainConstraintsError } from './chain-constraints.js';
import { commonNameOf } from './distinguished-name.js';
import { toLowerCaseASCII } from './domain-name.js';
import { policiesAreValid } from './policies.js';
import { type Pool, poolOf } from './pool.js';
import { bitLength } from './public-key.js';

/** A server's chain, and the requirements for it. */
export interface ChainToVerify {
  /** DER, leaf first, as sent by the server. */
  readonly chain: readonly Uint8Array[];
  /** PEM text of a caBundle without a `bundleError`; undefined or empty for the roots that come with Node. */
  readonly bundle: string | undefined;
  /** Host name or IP address. */
  readonly serverName: string;
  readonly at: Date;
}

/**
 * Returns the whole error of Go's TLS client: `tls: failed to verify certificate: x509: ...`, `tls: failed to parse certificate from
 * server: x509: ...` or another; undefined if it accepts the chain. Source: crypto/tls Conn.verifyServerCertificate.
 */
export function peerCertificateError({ chain, bundle, serverName, at }: ChainToVerify): string | undefined {
  const certificates: Certificate[] = [];
  for (const der of chain) {
    const certificate = parseCertificate(der);
    if (typeof certificate === 'string') return `tls: failed to parse certificate from server: ${certificate}`;
    if (certificate.publicKey?.type === 'RSA' && bitLength(certificate.publicKey.modulus) > 8192) {
      return 'tls: server sent certificate containing RSA key larger than 8192 bits';
    }
    certificates.push(certificate);
  }
  const [leaf, ...others] = certificates;
  if (leaf === undefined) return 'tls: received empty certificates message';
  const roots = bundle === undefined || bundle === '' ? rootsOfNode() : poolOf(certificatesIn(bundle));
  const error = verificationError(leaf, { roots, intermediates: poolOf(others), serverName, at });
  if (error !== undefined) return `tls: failed to verify certificate: ${error}`;
  if (leaf.publicKey === undefined || leaf.publicKey.type === 'DSA') {
    const type = leaf.publicKey === undefined ? '<nil>' : '*dsa.PublicKey';
    return `tls: server's certificate contains an unsupported type of public key: ${type}`;
  }
  return undefined;
}

interface Rules {
  readonly roots: Pool;
  readonly intermediates: Pool;
  readonly serverName: string;
  readonly at: Date;
}

/** Checks the leaf, its names, then finds a chain that satisfies everything. Source: crypto/x509 Certificate.Verify. */
function verificationError(leaf: Certificate, rules: Rules): string | undefined {
  const ownError = validityError(leaf, 'leaf', { chain: [], at: rules.at }) ?? hostNameError(leaf, rules.serverName);
  if (ownError !== undefined) return ownError;
  if (rules.roots.has(leaf)) return noUsableChain([[leaf]]);
  const { chains, error } = buildChains([leaf], rules);
  return error ?? noUsableChain(chains);
}

/** One valid chain is enough. Otherwise violated name constraints are reported first, then key usage, then policies. */
function noUsableChain(chains: readonly (readonly Certificate[])[]): string | undefined {
  let invalidPolicies = 0;
  let incompatibleUsage = 0;
  let constraintsError: string | undefined;
  let accepted = false;
  for (const chain of chains) {
    if (!policiesAreValid(chain)) invalidPolicies += 1;
    else if (!servesTLS(chain)) incompatibleUsage += 1;
    else {
      const error = chainConstraintsError(chain);
      if (error === undefined) accepted = true;
      else constraintsError ??= error;
    }
  }
  if (accepted) return undefined;
  if (constraintsError !== undefined) {
    return `x509: a root or intermediate certificate is not authorized to sign for this name: ${constraintsError}`;
  }
  if (incompatibleUsage > 0 && invalidPolicies === 0) return 'x509: certificate specifies an incompatible key usage';
  const details = [
    ...(incompatibleUsage > 0 ? [`${incompatibleUsage} candidate chains with incompatible key usage`] : []),
    ...(invalidPolicies > 0 ? [`${invalidPolicies} candidate chains with invalid policies`] : []),
  ];
  return `x509: no valid chains built: ${details.join(', ')}`;
}

const anyUsage = '2.5.29.37.0';
const serverAuth = '1.3.6.1.5.5.7.3.1';

/**
 * Returns whether every certificate with extended key usages, issuers included, allows TLS servers. Source: crypto/x509
 * checkChainForKeyUsage.
 */
function servesTLS(chain: readonly Certificate[]): boolean {
  return chain.every(({ extendedKeyUsage: usages }) => usages.length === 0 || usages.includes(anyUsage) || usages.includes(serverAuth));
}

/** Returns Mozilla's list, which kube-apiserver's image has, too. Parsed once: it has 150 certificates. */
const rootsOfNode = onceValue(() => poolOf(certificatesIn(rootCertificates.join('\n'))));

/** From this number of names on Go prints the count instead of a list. */
const listedNames = 100;

/**
 * Returns Go's message if a certificate is not valid for a host: `x509: certificate is valid for a, b, not c`. Names are compared with its
 * DNS names, IP addresses (also in brackets) with its IP addresses, and the common name is ignored. Source: crypto/x509
 * Certificate.VerifyHostname, HostnameError.
 */
function hostNameError(certificate: Certificate, host: string): string | undefined {
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
