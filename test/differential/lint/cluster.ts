import { Agent, request } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';

/** A call to the API server under comparison. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly body?: object;
  readonly user?: string;
  readonly groups?: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
const { KUBE_APISERVER: server = '', KUBE_TOKEN: token = '' } = process.env;

/** Sends a call to the API server of KUBE_APISERVER, as another user if the call has one. */
export function send({ method, path, contentType = 'application/json', body, user, groups = [] }: Call): Promise<Answer> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': contentType,
    Accept: 'application/json',
    ...(user === undefined ? {} : { 'Impersonate-User': user, 'Impersonate-Group': [...groups] }),
  };
  return new Promise(resolve => {
    const sent = request(`${server}${path}`, { method, headers, agent }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }));
    });
    sent.on('error', error => resolve({ status: 0, body: String(error) }));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export const mergePatch = 'application/merge-patch+json';

const configurations = '/apis/admissionregistration.k8s.io/v1';

/** Registers webhooks while `run` runs; waits until the API server knows them. */
export async function withWebhooks<T>(phase: 'mutating' | 'validating', webhooks: readonly object[], run: () => Promise<T>): Promise<T> {
  const path = `${configurations}/${phase}webhookconfigurations`;
  const kind = phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  const body = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'lint' }, webhooks };
  const { status, body: text } = await send({ method: 'POST', path, body });
  if (status !== 201) throw new Error(`the configuration is refused: ${text}`);
  await wait(informerMs);
  try {
    return await run();
  } finally {
    await send({ method: 'DELETE', path: `${path}/lint` });
    await wait(informerMs);
  }
}

/** Configurations reach admission through an informer. */
const informerMs = 700;

/** Creates a namespace with the ServiceAccount that its pods need. */
export async function createNamespace(name: string): Promise<void> {
  await send({ method: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  await send({ method: 'POST', path: `/api/v1/namespaces/${name}/serviceaccounts`, body: account });
  await wait(informerMs);
}
