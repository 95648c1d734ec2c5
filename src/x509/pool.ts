import type { Certificate } from './certificate.js';
import { sameBytes } from './der-values.js';

/** Certificates to build chains with. */
export interface Pool {
  /** Whether this very certificate is in the pool. */
  readonly has: (certificate: Certificate) => boolean;
  /** Those whose subject is the certificate's issuer, the likeliest signers first. */
  readonly possibleIssuers: (certificate: Certificate) => readonly Certificate[];
}

/** A pool of these certificates; one that is there twice counts once. Source: crypto/x509 CertPool. */
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

/** Key identifiers that match, then pairs of which one has none, then those that do not match. Source: CertPool.findPotentialParents. */
function byLikelihood({ authorityKeyId = noId }: Certificate, candidates: readonly Certificate[]): Certificate[] {
  const rank = ({ subjectKeyId = noId }: Certificate): number => {
    if (sameBytes(subjectKeyId, authorityKeyId)) return 0;
    return subjectKeyId.length === 0 || authorityKeyId.length === 0 ? 1 : 2;
  };
  return candidates.toSorted((a, b) => rank(a) - rank(b));
}

const noId = new Uint8Array();
