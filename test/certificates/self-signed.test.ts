import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { issueInMemory } from '../../src/certificates/self-signed.js';
import { readPem } from '../../src/x509/pem.js';
import { peerCertificateError } from '../../src/x509/verify-chain.js';

const now = new Date('2026-06-01T12:00:00Z');

describe('certificates in memory', () => {
  it('are accepted by Go’s rules for their names and for the local names only', async () => {
    const { ca, cert } = await issueInMemory({ dns: ['webhook.team.svc', 'localhost'], ips: ['10.0.0.1'] }, now);
    const chain = readPem(cert).blocks.map(block => block.bytes);
    const verify = (serverName: string, at = now) => peerCertificateError({ chain, bundle: ca, serverName, at });
    for (const name of ['webhook.team.svc', '10.0.0.1', 'localhost', '127.0.0.1', '::1']) expect(verify(name)).toBeUndefined();
    expect(verify('other')).toBe(
      'tls: failed to verify certificate: x509: certificate is valid for webhook.team.svc, localhost, not other',
    );
    expect(verify('10.0.0.2')).toBe(
      'tls: failed to verify certificate: x509: certificate is valid for 10.0.0.1, 127.0.0.1, ::1, not 10.0.0.2',
    );
  });

  it('are valid from five minutes ago for a year', async () => {
    const { ca, cert } = await issueInMemory({ dns: [], ips: [] }, now);
    const chain = readPem(cert).blocks.map(block => block.bytes);
    const verify = (at: string) => peerCertificateError({ chain, bundle: ca, serverName: 'localhost', at: new Date(at) });
    expect([verify('2026-06-01T11:55:00Z'), verify('2027-06-01T12:00:00Z')]).toEqual([undefined, undefined]);
    expect(verify('2026-06-01T11:54:59Z')).toContain('is before 2026-06-01T11:55:00Z');
    expect(verify('2027-06-01T12:00:01Z')).toContain('is after 2027-06-01T12:00:00Z');
  });

  it('come with the key of the serving certificate', async () => {
    const { cert, key } = await issueInMemory({ dns: [], ips: [] }, now);
    expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true);
  });
});
