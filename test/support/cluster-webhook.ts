import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type InMemoryCertificates, issueServingPair } from '../../src/certificates/issue.js';

interface SeenReview {
  readonly host: string | undefined;
  readonly path: string | undefined;
  readonly userAgent: string | undefined;
  readonly serverName: string | false;
  readonly dryRun: boolean;
}

/** A webhook that serves team/web, wherever a pod's port leads to. */
export interface Hook {
  readonly address: { readonly host: string; readonly port: number };
  readonly ca: string;
  /** Reviews since the last call. */
  readonly take: () => SeenReview[];
  readonly closeConnections: () => void;
  readonly close: () => Promise<void>;
  connections: number;
}

export interface HookOptions {
  /** Key pair of the server; by default one for web.team.svc. */
  readonly pair?: InMemoryCertificates;
  /** Called with every review before it is answered; it is not answered when this returns false. */
  readonly onReview?: (hook: Hook) => Promise<boolean>;
  /** Value of the label; by default `yes`. */
  readonly label?: string;
  /** Whether reviews at /validate are denied. */
  readonly denies?: boolean;
}

/** Serves /mutate, which adds a label, and everything else, which allows. */
export async function startHook({ pair: given, onReview, label = 'yes', denies = false }: HookOptions = {}): Promise<Hook> {
  const pair = given ?? (await issueServingPair({ dns: ['web.team.svc'], ips: [] }, new Date()));
  const seen: SeenReview[] = [];
  const server = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', async () => {
      const { request: asked } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const { host, 'user-agent': userAgent } = request.headers;
      const socket = request.socket as unknown as { servername: string | false };
      seen.push({ host, path: request.url, userAgent, serverName: socket.servername, dryRun: asked.dryRun });
      if (onReview !== undefined && !(await onReview(hook))) return;
      const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/metadata/labels/seen', value: label }])).toString('base64');
      const change = request.url?.startsWith('/mutate') === true ? { patch, patchType: 'JSONPatch' } : {};
      const allowed = !(denies && request.url?.startsWith('/validate') === true);
      const answer = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: asked.uid, allowed, ...change } };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const hook: Hook = {
    ...{ address: { host: '127.0.0.1', port }, ca: pair.ca, connections: 0, take: () => seen.splice(0) },
    closeConnections: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
  server.on('secureConnection', () => {
    hook.connections += 1;
  });
  return hook;
}

export function configuration(kind: string, name: string, more: { service: string; path: string; ca: string; port?: number }) {
  const { service, path, ca, port = 443 } = more;
  return {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name } },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { service: { namespace: 'team', name: service, path, port }, caBundle: Buffer.from(ca).toString('base64') },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        ...{ admissionReviewVersions: ['v1'], sideEffects: 'NoneOnDryRun', objectSelector: { matchLabels: { for: service } } },
      },
    ],
  };
}

export const service = (name: string, spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'team' },
  spec,
});

export function pod(name: string, labels: object, { isReady = true, phase = 'Running' } = {}): object {
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'team', labels } },
    spec: {
      nodeName: 'node-1',
      containers: [{ name: 'c', image: 'i:1', ports: [{ name: 'https', containerPort: 8443, protocol: 'TCP' }] }],
    },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', message: isReady ? '' : 'containers with unready status: [c]' }],
    },
  };
}

export const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-1' },
  status: { addresses: [{ type: 'InternalIP', address: '127.0.0.1' }] },
};
