import { bundleError, certificatesIn } from './bundle.js';
import type { Certificate } from './certificate.js';
import { describeName } from './distinguished-name.js';
import { explainBundle } from './explain-bundle.js';
import { readPem } from './pem.js';

/** Fault of a caBundle that can be seen without the serving certificate. */
export interface BundleFault {
  /** `unusable`, `expired` and `future`: no call succeeds. `leaf` and `private-key`: calls may succeed. */
  readonly kind: 'unusable' | 'expired' | 'future' | 'leaf' | 'private-key';
  /** What is wrong: `caBundle contains only white space`. */
  readonly message: string;
  /** Error of the API server when it uses the bundle: `unable to load root certificates: ...`; undefined when it has none. */
  readonly error: string | undefined;
}

/** Returns the faults of a caBundle at a time; none for an empty one, with which the roots of the machine are used. */
export function bundleFaults(bundle: string, at: Date): BundleFault[] {
  if (bundle === '') return [];
  const unusable = bundleError(bundle);
  if (unusable !== undefined) {
    const why = explainBundle(bundle)?.replace(/^it /, 'caBundle ') ?? 'caBundle contains no certificate that can be used';
    return [{ kind: 'unusable', message: why, error: `unable to load root certificates: ${unusable}` }];
  }
  const certificates = certificatesIn(bundle);
  const time = timeFault(certificates, at);
  return [...keyFaults(bundle), ...(time === undefined ? leafFaults(certificates) : [time])];
}

function keyFaults(bundle: string): BundleFault[] {
  const hasKey = readPem(bundle).blocks.some(({ type }) => type.endsWith('PRIVATE KEY'));
  return hasKey ? [{ kind: 'private-key', message: 'caBundle contains a private key, which everyone can read', error: undefined }] : [];
}

/** Returns the fault of a bundle without any certificate that is valid at this time. */
function timeFault(certificates: readonly Certificate[], at: Date): BundleFault | undefined {
  const now = at.getTime();
  const isValid = ({ notBefore, notAfter }: Certificate): boolean => notBefore.milliseconds <= now && now <= notAfter.milliseconds;
  const [first] = certificates;
  if (first === undefined || certificates.some(isValid)) return undefined;
  const name = describeName(first.subject) || 'the certificate without a name';
  const error = 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
  const isExpired = now > first.notAfter.milliseconds;
  const message = isExpired
    ? `the certificate in caBundle, ${name}, expired on ${first.notAfter.text}`
    : `the certificate in caBundle, ${name}, is not valid before ${first.notBefore.text}`;
  return { kind: isExpired ? 'expired' : 'future', message, error };
}

/** Returns the fault of a bundle without a CA: Go accepts a certificate in it only if the server sends exactly this one. */
function leafFaults(certificates: readonly Certificate[]): BundleFault[] {
  const isAuthority = ({ version, basicConstraints }: Certificate): boolean =>
    basicConstraints === undefined ? version < 3 : basicConstraints.isCA === true;
  const [first] = certificates;
  if (first === undefined || certificates.some(isAuthority)) return [];
  const name = describeName(first.subject) || 'without a name';
  return [{ kind: 'leaf', message: `caBundle contains no CA, only the serving certificate ${name}`, error: undefined }];
}
