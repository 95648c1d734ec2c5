import { Agent, request } from 'node:https';
import { bytesOf, type SceneRequest } from './scene.js';

/** What a server answers, in the project's terms. */
export interface Outcome {
  /** Zero for a connection that the server ended. */
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

/** Sends a request to the server that the environment's KUBE_APISERVER and KUBE_TOKEN name, impersonating its user. */
export function sendToServer(sent: SceneRequest): Promise<Outcome> {
  const { KUBE_APISERVER: server, KUBE_TOKEN: token } = process.env;
  const body = bytesOf(sent);
  const { user } = sent;
  const headers: Record<string, string | string[]> = {
    Authorization: `Bearer ${token}`,
    Accept: 'application/json',
    'User-Agent': userAgent,
    ...(body === undefined ? {} : { 'Content-Type': sent.contentType ?? 'application/json', 'Content-Length': String(body.length) }),
    ...(user === undefined ? {} : { 'Impersonate-User': user.username }),
    ...(user?.uid === undefined ? {} : { 'Impersonate-Uid': user.uid }),
    ...((user?.groups ?? []).length === 0 ? {} : { 'Impersonate-Group': [...(user?.groups ?? [])] }),
    ...Object.fromEntries(Object.entries(user?.extra ?? {}).map(([key, values]) => [`Impersonate-Extra-${key}`, [...values]])),
    ...sent.headers,
  };
  return new Promise(resolve => {
    const going = request(`${server}${sent.path}`, { method: sent.method, headers, agent }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          warnings: warningsOf(response.rawHeaders),
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    going.setTimeout(20_000, () => going.destroy());
    going.on('error', () => resolve({ status: 0, warnings: [], body: '' }));
    going.end(body);
  });
}

export const userAgent = 'random/v1';

function warningsOf(rawHeaders: readonly string[]): string[] {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'warning');
  return values.map(value => {
    const text = Buffer.from(value, 'latin1').toString('utf8');
    return (/^299 - "(.*)"$/s.exec(text)?.[1] ?? text).replace(/\\(.)/gs, '$1');
  });
}
