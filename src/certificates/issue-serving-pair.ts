import { generateKeyPairSync } from 'node:crypto';
import { backdatedMs } from './issue.js';
import { joinNames, localNames, type ServingNames } from './serving-names.js';
import { authorityExtensions, commonName, keyIdentifier, servingExtensions, writeCertificate } from './write-certificate.js';

const validMs = 365 * 24 * 3_600_000;

/** An authority and a serving certificate for a server that lives as long as this process; PEM texts. Does not load a library, so that a server starts sooner. */
export function issueServingPair(names: ServingNames, now: Date): { readonly ca: string; readonly cert: string; readonly key: string } {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serving = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = commonName('webhook-cli in-memory CA');
  const validity = { notBefore: new Date(now.getTime() - backdatedMs), notAfter: new Date(now.getTime() + validMs) };
  const ca = writeCertificate(
    { issuer, subject: issuer, ...validity, publicKey: authority.publicKey, extensions: authorityExtensions(authority.publicKey) },
    authority.privateKey,
  );
  const extensions = servingExtensions(joinNames(names, localNames), serving.publicKey, keyIdentifier(authority.publicKey));
  const cert = writeCertificate(
    { issuer, subject: commonName('kube-apiserver'), ...validity, publicKey: serving.publicKey, extensions },
    authority.privateKey,
  );
  return { ca: pem(ca), cert: pem(cert), key: String(serving.privateKey.export({ format: 'pem', type: 'pkcs8' })) };
}

function pem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
