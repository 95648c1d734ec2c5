import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { alternativeNames, ipName, makeCertificate } from '../../support/certificate-maker.js';

/** How conversion webhooks answer, by the first segment of their path. */
export const conversionModes = ['plain', 'annotates', 'moves', 'refuses', 'breaks', 'switch'] as const;
export type ConversionMode = (typeof conversionModes)[number];

/** Conversion webhooks on loopback. */
export interface Converter {
  readonly url: (mode: ConversionMode, life: string) => string;
  /** Base64 of PEM. */
  readonly caBundle: string;
  /** Turns the webhook `switch` of a life on or off; it is on at first. */
  readonly turn: (life: string, on: boolean) => void;
  readonly close: () => void;
}

interface Converted {
  apiVersion: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec?: Record<string, unknown>;
}

interface Review {
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly Converted[] };
}

/** Starts the conversion webhooks on a free port. */
export async function openConverter(): Promise<Converter> {
  const off = new Set<string>();
  const answer = (path: string, review: Review): object | undefined => {
    const [mode, life = ''] = path.split('?')[0]?.split('/').slice(1) ?? [];
    if (mode === 'breaks' || (mode === 'switch' && off.has(life))) return undefined;
    const { uid, desiredAPIVersion, objects } = review.request;
    if (mode === 'refuses') return { uid, result: { status: 'Failure', message: 'no conversion today' } };
    const convertedObjects = objects.map(object => converted(object, desiredAPIVersion, mode));
    return { uid, convertedObjects, result: { status: 'Success' } };
  };
  const root = makeCertificate({ isAuthority: true });
  const leaf = makeCertificate({ issuer: root, extensions: { '2.5.29.17': alternativeNames(ipName(127, 0, 0, 1)) } });
  const server = createServer({ key: leaf.keyPem, cert: leaf.pem }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const made = answer(request.url ?? '', JSON.parse(Buffer.concat(chunks).toString('utf8')) as Review);
      if (made === undefined) response.writeHead(503).end('turned off');
      else
        response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: made }));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (mode, life) => `https://127.0.0.1:${port}/${mode}/${life}`,
    caBundle: Buffer.from(root.pem).toString('base64'),
    turn: (life, on) => (on ? off.delete(life) : off.add(life)),
    close: () => server.close(),
  };
}

/** `moves` keeps the size under another name in v2, so that what is not converted is pruned. */
function converted(object: Converted, to: string, mode: string | undefined): Converted {
  const version = to.slice(to.indexOf('/') + 1);
  const { metadata, spec = {} } = object;
  if (mode === 'annotates')
    return { ...object, apiVersion: to, metadata: { ...metadata, annotations: { ...metadata.annotations, [`via-${version}`]: 'x' } } };
  if (mode !== 'moves') return { ...object, apiVersion: to };
  const { size, length, ...others } = spec;
  const value = size ?? length;
  return {
    ...object,
    apiVersion: to,
    spec: { ...others, ...(value === undefined ? {} : version === 'v2' ? { length: value } : { size: value }) },
  };
}
