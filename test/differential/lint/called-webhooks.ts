import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { alternativeNames, ipName, makeCertificate } from '../../support/certificate-maker.js';

/** Webhooks on loopback that allow everything, and remember which of them was called. */
export interface CalledWebhooks {
  readonly clientConfig: (path: string) => object;
  /** Returns the paths of the calls since the last time. */
  readonly take: () => ReadonlySet<string>;
  readonly close: () => void;
}

interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string };
}

/** Starts the webhooks on a free port. */
export async function openWebhooks(): Promise<CalledWebhooks> {
  let called = new Set<string>();
  const root = makeCertificate({ isAuthority: true });
  const leaf = makeCertificate({ issuer: root, extensions: { '2.5.29.17': alternativeNames(ipName(127, 0, 0, 1)) } });
  const server = createServer({ key: leaf.keyPem, cert: leaf.pem }, (request, response) => {
    called.add(request.url?.split('?')[0]?.slice(1) ?? '');
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const { apiVersion, request: asked } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Review;
      const answer = { apiVersion, kind: 'AdmissionReview', response: { uid: asked.uid, allowed: true } };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    clientConfig: path => ({ url: `https://127.0.0.1:${port}/${path}`, caBundle: Buffer.from(root.pem).toString('base64') }),
    take: () => {
      const taken = called;
      called = new Set();
      return taken;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
