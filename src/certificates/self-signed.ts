import { backdatedMs, type InMemoryCertificates } from './issue.js';
import { joinNames, localNames, type ServingNames } from './serving-names.js';

const dayMs = 24 * 3_600_000;
const validDays = 365;

/**
 * Issues an authority and a serving certificate for the webhook server of `serve` and `proxy`: ECDSA P-256, SHA-256, valid from five minutes ago for a
 * year, for these names and the local names. The library writes no key identifiers, which strict clients (Python 3.13) demand; the API server calls webhooks
 * without them. Everything else is issued by `issue.ts`.
 */
export async function issueInMemory(names: ServingNames, now: Date): Promise<InMemoryCertificates> {
  // Loading the library takes longer than using it, so it is imported on demand.
  const { generate } = await import('selfsigned');
  const { dns, ips } = joinNames(names, localNames);
  const shared = {
    algorithm: 'sha256',
    keyType: 'ec',
    curve: 'P-256',
    notBeforeDate: new Date(now.getTime() - backdatedMs),
    notAfterDate: new Date(now.getTime() + validDays * dayMs),
  } as const;
  const authority = await generate([{ name: 'commonName', value: 'webhook-cli in-memory CA' }], {
    ...shared,
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const serving = await generate([{ name: 'commonName', value: 'webhook' }], {
    ...shared,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [...dns.map(value => ({ type: 2 as const, value })), ...ips.map(ip => ({ type: 7 as const, ip }))],
      },
    ],
  });
  return { ca: withNewline(authority.cert), cert: withNewline(serving.cert), key: serving.private };
}

function withNewline(pem: string): string {
  return pem.endsWith('\n') ? pem : `${pem}\n`;
}
