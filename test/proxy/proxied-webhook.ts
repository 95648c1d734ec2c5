import { request } from 'node:https';
import { connect } from 'node:tls';
import { issueServingPair } from '../../src/certificates/issue.js';
import type { SeenExchange } from '../../src/proxy/exchange.js';
import { faultChooser, type ProxyFault } from '../../src/proxy/faults.js';
import { startProxy } from '../../src/proxy/start-proxy.js';
import { upstreamAt } from '../../src/proxy/upstream.js';
import { monotonicMs } from '../../src/transport/clock.js';
import type { Script } from '../../src/webhook-server/script/script.js';
import { startScriptedEndpoint } from '../../src/webhook-server/script/scripted-endpoint.js';

/** A scripted webhook behind a proxy. */
export interface ProxiedWebhook {
  readonly direct: number;
  readonly proxied: number;
  readonly ca: string;
  readonly exchanges: SeenExchange[];
  readonly calls: readonly { readonly body: Buffer }[];
  readonly unreachable: string[];
  close(): Promise<void>;
}

/** Starts both. `authority`: what the proxy trusts; the webhook's own by default. */
export async function startProxied(
  script: Script,
  {
    faults,
    isMatch = () => true,
    authority,
  }: { faults?: readonly ProxyFault[]; isMatch?: (body: string) => boolean; authority?: string } = {},
): Promise<ProxiedWebhook> {
  const { cert, key, ca } = await issueServingPair({ dns: [], ips: [] }, new Date());
  const endpoint = await startScriptedEndpoint(script, { chain: cert, key });
  const exchanges: SeenExchange[] = [];
  const unreachable: string[] = [];
  const proxy = await startProxy({
    upstream: upstreamAt(new URL(`https://127.0.0.1:${endpoint.port}`), Buffer.from(authority ?? ca)),
    ...{ cert, key, host: '127.0.0.1', port: 0 },
    choose:
      faults === undefined
        ? undefined
        : faultChooser(faults, { random: () => 0.5, isMatch: ({ body }) => isMatch(body?.toString() ?? '') }),
    onExchange: exchange => exchanges.push(exchange),
    onUnreachable: sentence => unreachable.push(sentence),
    now: () => new Date(),
    elapsedMs: () => monotonicMs(),
  });
  return {
    ...{ direct: endpoint.port, proxied: Number(new URL(proxy.origin).port), ca, exchanges, unreachable, calls: endpoint.calls },
    async close() {
      await proxy.close();
      await endpoint.close();
    },
  };
}

/** Sends a review; resolves with the answer, or with the code of the error. */
export function post(port: number, ca: string, body: string): Promise<{ status: number; headers: string[]; body: string } | string> {
  return new Promise(resolve => {
    const sent = request({ host: '127.0.0.1', port, path: '/mutate?timeout=10s', method: 'POST', ca, agent: false }, answer => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', part => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.rawHeaders, body: text }));
      answer.on('error', error => resolve(`after the head: ${String((error as NodeJS.ErrnoException).code)}`));
    });
    sent.on('error', error => resolve(String((error as NodeJS.ErrnoException).code)));
    sent.end(body);
  });
}

/** Sends bytes over TLS and resolves with all that comes back. */
export function exchangeBytes(port: number, ca: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] }, () => socket.write(bytes, 'latin1'));
    socket.setEncoding('latin1');
    socket.on('data', part => {
      received += part;
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}

/** A review of a pod. */
export function review(uid = '705ab4f5-6393-11e8-b7cc-42010a800002', name = 'web'): string {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop' }, spec: { containers: [] } };
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid,
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      ...{ name, namespace: 'shop', operation: 'CREATE', userInfo: { username: 'jane' }, object, oldObject: null, dryRun: false },
    },
  });
}
