import { bundleError } from '../../../src/x509/bundle.js';
import { readPem } from '../../../src/x509/pem.js';
import { peerCertificateError } from '../../../src/x509/verify-chain.js';
import type { CorpusCase } from '../files.js';

/** Chain, caBundle, server name and time: the TLS client's whole error, or why the bundle cannot be used. */
export function difference(recorded: CorpusCase): string | undefined {
  const { chain, bundle, serverName, time } = recorded as unknown as Record<'chain' | 'bundle' | 'serverName' | 'time', string>;
  const expected = JSON.stringify([recorded['error'] ?? null, recorded['bundleError'] ?? null]);
  const message = bundleError(bundle);
  const unusable = message === undefined ? null : `unable to load root certificates: ${message}`;
  const ders = readPem(chain).blocks.map(block => block.bytes);
  const error = unusable === null ? (peerCertificateError({ chain: ders, bundle, serverName, at: new Date(time) }) ?? null) : null;
  const got = JSON.stringify([error, unusable]);
  return got === expected ? undefined : `expected ${expected}\ngot      ${got}`;
}
