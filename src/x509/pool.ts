import type { Certificate } from './certificate.js';
import { sameBytes } from './der-values.js';

/** Certificates for building chains. */
export interface Pool {
  /** Returns whether this certificate is in the pool. */
  readonly has: (certificate: Certificate) => boolean;
  /** Returns the certificates whose subject is the issuer, the most likely signers first. */
  readonly possibleIssuers: (certificate: Certificate) => readonly Certificate[];
}

/** Builds a pool; duplicates count once. Source: crypto/x509 CertPool. */
export function poolOf(certificates: readonly Certificate[]): Pool {
  const known = new Set<string>();
  const bySubject = new Map<string, Certificate[]>();
  for (const certificate of certificates) {
    const key = octets(certificate.raw);
    if (known.has(key)) continue;
    known.add(key);
    const subject = octets(certificate.rawSubject);
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), certificate]);
  }
  return {
    has: certificate => known.has(octets(certificate.raw)),
    possibleIssuers: certificate => byLikelihood(certificate, bySubject.get(octets(certificate.rawIssuer)) ?? []),
  };
}

function octets(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/**
 * Orders by key identifiers: matching ones, then pairs in which one has none, then different ones. Source: CertPool.findPotentialParents.
 */
function byLikelihood({ authorityKeyId = noId }: Certificate, candidates: readonly Certificate[]): Certificate[] {
  const rank = ({ subjectKeyId = noId }: Certificate): number => {
    if (sameBytes(subjectKeyId, authorityKeyId)) return 0;
    return subjectKeyId.length === 0 || authorityKeyId.length === 0 ? 1 : 2;
  };
  return candidates.toSorted((a, b) => rank(a) - rank(b));
}

const noId = new Uint8Array();
