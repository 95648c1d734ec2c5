import { quote } from '../go/quote.js';
import type { Certificate } from './certificate.js';
import { signatureError } from './check-signature.js';
import { sameBytes } from './der-values.js';
import { commonNameOf, organizationOf } from './distinguished-name.js';
import { type Extension, subjectAltNameId } from './extensions.js';
import { rfc3339 } from './instant.js';
import type { Pool } from './pool.js';

/** Certificates and time that a chain is built with. */
export interface ChainTrust {
  readonly roots: Pool;
  readonly intermediates: Pool;
  readonly at: Date;
}

type Chain = readonly Certificate[];

/** Chains, leaf first and root last, or the reason why there are none. */
interface Built {
  readonly chains: readonly Chain[];
  readonly error: string | undefined;
}

const maxSignatureChecks = 100;
const tooManyChecks = 'x509: signature check attempts limit reached while verifying certificate chain';

/**
 * Returns all chains from the last certificate of `chain` to a root, or Go's message: the error of the last correctly signed candidate
 * takes precedence over `unknown authority`, and the first rejected candidate is named as a hint. Source: crypto/x509
 * Certificate.buildChains.
 */
export function buildChains(chain: Chain, trust: ChainTrust, checks = { count: 0 }): Built {
  const chains: Chain[] = [];
  const certificate = chain.at(-1);
  if (certificate === undefined) return { chains, error: undefined };
  let error: string | undefined;
  let hint: { error: string; candidate: Certificate } | undefined;
  for (const { candidate, isRoot } of candidatesFor(certificate, trust)) {
    checks.count += 1;
    if (checks.count > maxSignatureChecks) {
      error = tooManyChecks;
      break;
    }
    if (candidate.publicKey === undefined || isAlreadyIn(chain, candidate)) continue;
    const unsigned = signatureError(certificate, candidate);
    if (unsigned !== undefined) {
      hint ??= { error: unsigned, candidate };
      continue;
    }
    error = validityError(candidate, isRoot ? 'root' : 'intermediate', { chain, at: trust.at });
    if (error !== undefined) {
      hint ??= { error, candidate };
      continue;
    }
    if (isRoot) {
      chains.push([...chain, candidate]);
      continue;
    }
    const longer = buildChains([...chain, candidate], trust, checks);
    chains.push(...longer.chains);
    error = longer.error;
    if (error === tooManyChecks) break;
  }
  if (chains.length > 0) return { chains, error: undefined };
  return { chains, error: error ?? unknownAuthority(hint) };
}

/**
 * Returns the error of a certificate at the end of a chain: critical extensions, name of the issuer, dates, CA flag, path length. Key
 * usage is not checked. Source: crypto/x509 Certificate.isValid.
 */
export function validityError(
  certificate: Certificate,
  place: 'leaf' | 'intermediate' | 'root',
  { chain, at }: { readonly chain: Chain; readonly at: Date },
): string | undefined {
  if (certificate.hasUnhandledCritical) return 'x509: unhandled critical extension';
  const child = chain.at(-1);
  if (child !== undefined && !sameBytes(child.rawIssuer, certificate.rawSubject)) {
    return 'x509: issuer name does not match subject from issuing certificate';
  }
  const expired = dateError(certificate, at);
  if (expired !== undefined) return expired;
  const constraints = certificate.basicConstraints;
  if (place === 'intermediate' && constraints?.isCA !== true) {
    return 'x509: certificate is not authorized to sign other certificates';
  }
  const limit = constraints?.maxPathLength;
  return limit !== undefined && BigInt(chain.length - 1) > limit ? 'x509: too many intermediates for path length constraint' : undefined;
}

function dateError({ notBefore, notAfter }: Certificate, at: Date): string | undefined {
  const message = `x509: certificate has expired or is not yet valid: current time ${rfc3339(at)} is`;
  if (at.getTime() < notBefore.milliseconds) return `${message} before ${notBefore.text}`;
  return at.getTime() > notAfter.milliseconds ? `${message} after ${notAfter.text}` : undefined;
}

function candidatesFor(certificate: Certificate, { roots, intermediates }: ChainTrust): { candidate: Certificate; isRoot: boolean }[] {
  return [
    ...roots.possibleIssuers(certificate).map(candidate => ({ candidate, isRoot: true })),
    ...intermediates.possibleIssuers(certificate).map(candidate => ({ candidate, isRoot: false })),
  ];
}

/**
 * Returns whether a chain has the same subject, key and alternative names: authorities that sign each other would loop. A certificate of
 * the same subject and key ends the search if only one of the two has alternative names. Source: crypto/x509 alreadyInChain.
 */
function isAlreadyIn(chain: Chain, candidate: Certificate): boolean {
  const own = alternativeNames(candidate);
  for (const certificate of chain) {
    if (!sameBytes(candidate.rawSubject, certificate.rawSubject)) continue;
    if (!sameBytes(candidate.rawPublicKeyInfo, certificate.rawPublicKeyInfo)) continue;
    const names = alternativeNames(certificate);
    if (own === undefined || names === undefined) return own === names;
    if (sameBytes(own.value, names.value)) return true;
  }
  return false;
}

function alternativeNames({ extensions }: Certificate): Extension | undefined {
  return extensions.find(({ id }) => id === subjectAltNameId);
}

function unknownAuthority(hint: { error: string; candidate: Certificate } | undefined): string {
  const message = 'x509: certificate signed by unknown authority';
  if (hint === undefined) return message;
  const { subject, serialNumber } = hint.candidate;
  const name = commonNameOf(subject) || (organizationOf(subject) ?? `serial:${serialNumber}`);
  return `${message} (possibly because of ${quote(hint.error)} while trying to verify candidate authority certificate ${quote(name)})`;
}
