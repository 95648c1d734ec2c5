import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { memoize } from '../../kubernetes/memoize.js';
import type { PeerCertificate } from './exchange.js';

/** PEM texts of the CAs for client certificates; undefined if there are none. */
export interface ClientAuthorities {
  readonly clients: string | undefined;
  /** Of an authenticating proxy. */
  readonly proxies: string | undefined;
}

export type PeerReader = (socket: TLSSocket) => PeerCertificate | undefined;

/** Returns a function that reads the certificate of a connection, once. */
export function peerReader({ clients, proxies }: ClientAuthorities): PeerReader {
  const ofClients = clientCertificatesIn(clients);
  const ofProxies = clientCertificatesIn(proxies);
  const read = memoize((socket: TLSSocket) => ({ peer: peerOf(socket, ofClients, ofProxies) }));
  return socket => read(socket).peer;
}

function peerOf(socket: TLSSocket, clients: readonly X509Certificate[], proxies: readonly X509Certificate[]): PeerCertificate | undefined {
  const certificate = socket.getPeerX509Certificate?.();
  if (certificate === undefined) return undefined;
  const { subject, fingerprint256 } = socket.getPeerCertificate();
  const organizations = (subject?.O ?? []) as string | string[];
  const isTrusted = (authorities: readonly X509Certificate[]): boolean => socket.authorized && endsIn(certificate, authorities);
  return {
    commonName: String(subject?.CN ?? ''),
    organizations: Array.isArray(organizations) ? organizations : [organizations],
    digest: fingerprint256.replaceAll(':', '').toLowerCase(),
    // One CA needs no second look.
    isClient: proxies.length === 0 ? socket.authorized : isTrusted(clients),
    isProxy: isTrusted(proxies),
  };
}

/** Reports whether one of the authorities issued the certificate or one of its issuers, which OpenSSL verified. */
function endsIn(certificate: X509Certificate, authorities: readonly X509Certificate[]): boolean {
  const seen = new Set<string>();
  for (let at: X509Certificate | undefined = certificate; at !== undefined && !seen.has(at.fingerprint256); at = at.issuerCertificate) {
    seen.add(at.fingerprint256);
    const issued = at;
    if (authorities.some(authority => issued.checkIssued(authority) && issued.verify(authority.publicKey))) return true;
  }
  return false;
}

/** Throws OpenSSL's error for one that cannot be read. */
export function clientCertificatesIn(pem: string | undefined): X509Certificate[] {
  const blocks = pem?.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map(block => new X509Certificate(block));
}
