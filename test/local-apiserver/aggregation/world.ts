import { issueServingPair } from '../../../src/certificates/issue.js';
import { type AggregatedServer, type Answer, type SeenRequest, startAggregatedServer } from './aggregated-server.js';
import { type Reply, type Sent, send, type Target } from './client.js';

export const group = 'wares.example.com';
export const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';

/** An API server with an aggregated one behind a Service, and what happened to both. */
export interface World {
  readonly target: Target;
  readonly backend: AggregatedServer;
  readonly otherCa: string;
  /** Sends a request; a reply without what differs between two runs. */
  ask(method: string, path: string, sent?: Sent): Promise<Reply>;
  /** Sends a request that must succeed; returns its body. */
  must(method: string, path: string, body?: object, headers?: readonly string[]): Promise<Record<string, unknown>>;
  /** Requests that the aggregated server got since the last call. */
  seen(): SeenRequest[];
  /** Waits until the condition of an APIService has this reason; returns `STATUS REASON: MESSAGE`. */
  condition(name: string, reason: string, message?: string): Promise<string>;
  masked<T>(value: T): T;
}

/** Starts the aggregated server; answers are those of {@link startAggregatedServer}. */
export async function openWorld(target: Target, answers: Map<string, Answer>): Promise<World> {
  const backend = await startAggregatedServer(['wares.shop.svc'], answers);
  const otherCa = Buffer.from((await issueServingPair({ dns: ['other'], ips: [] }, new Date())).ca).toString('base64');
  const masked = <T>(value: T): T => JSON.parse(maskText(JSON.stringify(value), target, backend)) as T;
  const ask: World['ask'] = async (method, path, sent) => {
    const reply = await send(target, method, path, sent);
    return masked({ ...reply, headers: shownHeaders(reply.headers) });
  };
  const must: World['must'] = async (method, path, body, headers) => {
    const reply = await send(target, method, path, { body, headers });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`);
    return JSON.parse(reply.body) as Record<string, unknown>;
  };
  const condition: World['condition'] = async (name, reason, message = '') => {
    let last = '';
    for (const end = Date.now() + 20_000; Date.now() < end; ) {
      const { status } = (await must('GET', `${apiServices}/${name}`)) as { status?: { conditions?: Record<string, string>[] } };
      const found = status?.conditions?.find(each => each.type === 'Available');
      last = masked(`${found?.status} ${found?.reason}: ${found?.message}`);
      if (found?.reason === reason && found.message?.includes(message) === true) return last;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    throw new Error(`${name}: ${last}, not ${reason} ${message}`);
  };
  return { target, backend, otherCa, ask, must, condition, masked, seen: () => masked(backend.take()) };
}

/** The object of a version of the group. */
export function apiService(version: string, { spec, of = group }: { readonly spec?: object; readonly of?: string } = {}): object {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${version}.${of}` },
    spec: { group: of, version, groupPriorityMinimum: 1000, versionPriority: 15, ...spec },
  };
}

/** Replaces the spec of an APIService. */
export async function changeSpec(world: World, name: string, spec: object): Promise<void> {
  await world.must('PATCH', `${apiServices}/${name}`, { spec }, ['Content-Type: application/merge-patch+json']);
}

/** Creates a Service that leads to the aggregated server. */
export async function leadToBackend({ must, backend }: World, port = backend.port): Promise<void> {
  await must('POST', '/api/v1/namespaces/shop/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'wares' },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  });
}

const volatile = /^(?:date|content-length|connection|keep-alive)/i;

/** Names of repeated headers stay, so that doubled ones are seen. */
function shownHeaders(headers: readonly string[]): string[] {
  return headers.filter(header => !volatile.test(header)).sort();
}

function maskText(text: string, target: Target, backend: AggregatedServer): string {
  return text
    .replaceAll(`"port":${backend.port}`, '"port":"BACKEND"')
    .replaceAll(String(backend.port), 'BACKEND')
    .replaceAll(new URL(target.url).port, 'APISERVER')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/stream ID \d+/g, 'stream ID N')
    .replace(/(127\.0\.0\.1|\[::1\]):(?!BACKEND|APISERVER)\d{4,5}/g, '$1:EPHEMERAL');
}
