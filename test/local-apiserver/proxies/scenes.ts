import { connect } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { type Reply, type Sent, send, type Target } from '../aggregation/client.js';
import { type Answer, type PodServer, type SeenRequest, startPodServer } from './pod-server.js';

/** An API server to ask, and how it reaches pods. */
export interface ProxyTarget extends Target {
  /** Address at which the servers of the pod listen. */
  readonly host: string;
  /** Leads the ports of the pod to its servers, where the API server does not connect to its address. */
  readonly lead?: (ports: readonly number[]) => void;
}

/** The pod's address: any that is neither loopback nor link-local. */
export const podIp = '10.244.7.7';

/** Nothing listens there. */
const closedPort = 1;

/** What happened, by the name of the step. */
export type Recorded = Record<string, unknown>;

interface World {
  readonly target: ProxyTarget;
  readonly pod: PodServer;
  readonly recorded: Recorded;
  /** Records the reply to a request, and the requests that the pod got. */
  readonly exchange: (step: string, method: string, path: string, sent?: Sent) => Promise<void>;
  readonly must: (method: string, path: string, body?: object, type?: string) => Promise<void>;
  readonly raw: (step: string, lines: readonly string[], then?: string) => Promise<void>;
}

const core = '/api/v1';
const shop = `${core}/namespaces/shop`;

/** Plays everything that is compared. */
export async function playScenes(target: ProxyTarget): Promise<Recorded> {
  const pod = await startPodServer(target.host, answers());
  try {
    const world = worldOf(target, pod);
    target.lead?.([pod.port, pod.tlsPort, closedPort]);
    await createObjects(world);
    await playPods(world);
    await playMethods(world);
    await playAnswers(world);
    await playServices(world);
    await playNodes(world);
    await playUpgrades(world);
    return world.recorded;
  } finally {
    await pod.close();
  }
}

function worldOf(target: ProxyTarget, pod: PodServer): World {
  const recorded: Recorded = {};
  const masked = <T>(value: T): T => JSON.parse(maskText(JSON.stringify(value), target, pod)) as T;
  const record = (step: string, reply: unknown): void => {
    const seen: readonly SeenRequest[] = pod.take();
    recorded[step] = masked({ reply, ...(seen.length === 0 ? {} : { seen }) });
  };
  return {
    target,
    pod,
    recorded,
    exchange: async (step, method, path, sent) => {
      const reply = await send(target, method, path, sent);
      record(step, { ...reply, headers: shownHeaders(reply) });
    },
    must: async (method, path, body, type = 'application/json') => {
      const reply = await send(target, method, path, { body, headers: [`Content-Type: ${type}`] });
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`);
    },
    raw: async (step, lines, then = '') => record(step, await sendRaw(target, lines, then)),
  };
}

const volatile = /^(?:date|connection|keep-alive)/i;

/** The length of an error differs with the address in it. */
function shownHeaders({ status, headers }: Reply): string[] {
  const shown = headers.filter(header => !volatile.test(header)).sort();
  return status < 400 ? shown : shown.filter(header => !header.startsWith('Content-Length: '));
}

function maskText(text: string, target: ProxyTarget, { port, tlsPort }: PodServer): string {
  return text
    .replaceAll(`dial tcp ${target.host}:`, 'dial tcp POD:')
    .replaceAll(`${podIp}:`, 'POD:')
    .replaceAll(String(tlsPort), 'SECURE')
    .replaceAll(String(port), 'PLAIN')
    .replaceAll(new URL(target.url).port, 'APISERVER')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replace(/(127\.0\.0\.1|POD):\d{4,5}->/g, '$1:EPHEMERAL->');
}

async function createObjects({ must, pod }: World): Promise<void> {
  await must('POST', `${core}/namespaces`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await must('POST', `${shop}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }).catch(
    () => undefined,
  );
  const make = async (name: string, podIP: string, ports: readonly object[] = []): Promise<void> => {
    const containers = [{ name: 'c', image: 'example.com/c', ports }];
    await must('POST', `${shop}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers } });
    const status = podIP === '' ? {} : { phase: 'Running', podIP, podIPs: [{ ip: podIP }] };
    await must('PATCH', `${shop}/pods/${name}/status`, { status }, 'application/merge-patch+json');
  };
  await make('web-0', podIp, [{ containerPort: pod.port, name: 'http' }, { containerPort: pod.tlsPort }]);
  await make('pending', '');
  await make('local', '127.0.0.1', [{ containerPort: pod.port }]);
  await make('link-local', '169.254.1.1', [{ containerPort: pod.port }]);
}

const html = [
  '<!DOCTYPE html><!-- <a href="/x"> --><p class=a data-x=\'"\' hidden>1 < 2 &amp; <a href="/x/y?z=1&amp;w=<2>">x</a> <a href="rel#f">r</a>',
  '<IMG SRC=/i.png alt="a&amp;lt;b&#39;">\n<br/><a href="//example.com/x">y</a><a href="https://example.com">z</a><a href="/%zz">bad</a>',
  '<script src="/s.js">if (a<b) "<a href=/x>"</script><form action = /f method=post><title><a href="/t"></title><a href=/caf\u00e9>\u00e9</a>',
  '</a ><?php <a href="/p"> ?><a\thref="/tab"\nclass></a><link href=/l/ />',
].join('');

function answers(): Map<string, Answer> {
  const reply =
    (status: number, headers: Readonly<Record<string, string | string[]>>, body: string | Buffer = ''): Answer =>
    (_, response) => {
      response.statusCode = status;
      for (const [key, value] of Object.entries(headers)) response.setHeader(key, value);
      response.end(body);
    };
  return new Map<string, Answer>([
    ['/moved', reply(302, { Location: '/elsewhere/?x=1' })],
    ['/moved-relative', reply(302, { Location: 'elsewhere' })],
    ['/moved-far', reply(302, { Location: 'https://example.com/elsewhere' })],
    ['/moved-inside', reply(302, { Location: `${shop}/pods/web-0/proxy/there` })],
    ['/moved-badly', reply(302, { Location: 'http://[' })],
    [
      '/moved-host',
      (request, response) => {
        response.statusCode = 302;
        response.setHeader('Location', `http://${request.headers.host}/there`);
        response.end();
      },
    ],
    ['/cors', reply(200, { 'Access-Control-Allow-Origin': '*', 'X-Own': ['a', 'b'], 'Cache-Control': 'public', 'Audit-Id': 'own' }, 'x')],
    ['/empty', reply(204, {})],
    ['/failed', reply(500, { 'Content-Type': 'text/plain' }, 'broken\n')],
    ['/page', reply(200, { 'Content-Type': 'text/html; charset=utf-8' }, html)],
    ['/long', reply(200, { 'Content-Type': 'text/html' }, `<a href="/x">${'x'.repeat(5000)}</a>`)],
    ['/cut-page', reply(200, { 'Content-Type': 'text/html' }, '<a href="/x">x</a><a href="/y')],
    ['/binary', reply(200, {}, Buffer.from([0, 1, 2, 3]))],
    ['/guessed-page', reply(200, {}, '  <html><a href="/x">')],
    ['/guessed-image', reply(200, {}, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
    ['/page.gz', reply(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }, gzipSync('<a href="/x">x</a>'))],
    [
      '/cut',
      (_, response) => {
        response.setHeader('Content-Type', 'text/plain');
        response.write('begin');
        setTimeout(() => response.destroy(), 50);
      },
    ],
    ['/lost', (_, response) => void response.destroy()],
  ]);
}

async function playPods({ exchange, pod }: World): Promise<void> {
  const at = `${shop}/pods`;
  await exchange('missing pod', 'GET', `${at}/none/proxy/`);
  await exchange('missing namespace', 'GET', `${core}/namespaces/none/pods/none/proxy/`);
  await exchange('pod without an address', 'GET', `${at}/pending/proxy/`);
  await exchange('pod on loopback', 'GET', `${at}/local/proxy/`);
  await exchange('link-local pod', 'GET', `${at}/link-local/proxy/`);
  await exchange('no slash', 'GET', `${at}/web-0/proxy`);
  await exchange('no slash, with a query', 'GET', `${at}/web-0/proxy?a=b%20c`);
  await exchange('HEAD without a slash', 'HEAD', `${at}/web-0/proxy`);
  await exchange('POST without a slash', 'POST', `${at}/web-0/proxy`, { body: 'x' });
  await exchange('root', 'GET', `${at}/web-0/proxy/`);
  await exchange('path and query', 'GET', `${at}/web-0/proxy/a/b?x=1&a=%20b&c&x=+2`);
  await exchange('escaped path', 'GET', `${at}/web-0/proxy/a%2Fb%20c/d%3Fe/`);
  await exchange('doubled slash', 'GET', `${at}/web-0/proxy//a//b`);
  await exchange('dots', 'GET', `${at}/web-0/proxy/a/../b/./c`);
  await exchange('number of a port', 'GET', `${at}/web-0:${pod.port}/proxy/a`);
  await exchange('scheme', 'GET', `${at}/http:web-0:${pod.port}/proxy/a`);
  await exchange('scheme without a port', 'GET', `${at}/http:web-0:/proxy/a`);
  await exchange('https', 'GET', `${at}/https:web-0:${pod.tlsPort}/proxy/a`);
  await exchange('http at a port with TLS', 'GET', `${at}/web-0:${pod.tlsPort}/proxy/a`);
  await exchange('https at a port without TLS', 'GET', `${at}/https:web-0:${pod.port}/proxy/a`);
  await exchange('unknown scheme', 'GET', `${at}/ftp:web-0:1/proxy/a`);
  await exchange('too many parts', 'GET', `${at}/http:web-0:1:2/proxy/a`);
  await exchange('no name', 'GET', `${at}/:80/proxy/a`);
  await exchange('name of a port', 'GET', `${at}/web-0:http/proxy/a`);
  await exchange('closed port', 'GET', `${at}/web-0:1/proxy/a`);
  await exchange('error as YAML', 'GET', `${at}/none/proxy/a`, { headers: ['Accept: application/yaml'] });
  await exchange('HTML only', 'GET', `${at}/web-0/proxy/a`, { headers: ['Accept: text/html'] });
  await exchange('closed port, text', 'GET', `${at}/web-0:1/proxy/a`, { headers: ['Accept: text/plain'] });
  await exchange('port beyond all', 'GET', `${at}/web-0:65536/proxy/a`);
  await exchange('dry run', 'GET', `${at}/web-0/proxy/a?dryRun=All`);
  await exchange('collection', 'GET', `${at}/proxy/`);
  await exchange('old path', 'GET', `${core}/proxy/namespaces/shop/pods/web-0/`);
}

async function playMethods({ exchange, raw }: World): Promise<void> {
  const at = `${shop}/pods/web-0/proxy`;
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    await exchange(method, method, `${at}/a`, { body: '{"a":1}', headers: ['Content-Type: text/x-own'] });
  for (const method of ['HEAD', 'OPTIONS', 'TRACE']) await exchange(method, method, `${at}/a`);
  await exchange('headers', 'GET', `${at}/a`, {
    headers: [
      'Accept: text/html, */*',
      'Accept-Encoding: gzip, br',
      'User-Agent: my-agent',
      'X-Custom: a',
      'X-Custom: b',
      'Connection: keep-alive, X-Hop',
      'X-Hop: 1',
      'Keep-Alive: timeout=5',
      'TE: trailers',
      'Cookie: a=b',
      'X-Forwarded-For: 192.0.2.1',
      'X-Forwarded-Host: example.com',
      'X-Forwarded-Proto: http',
      'X-Forwarded-Uri: /own',
      'X-Remote-User: me',
      'Audit-Id: my-id',
      'Impersonate-User: jane',
      'Impersonate-Group: system:masters',
    ],
  });
  await exchange('large body', 'POST', `${at}/a`, { body: 'x'.repeat(5_000_000) });
  await raw('chunked body', [`POST ${at}/a HTTP/1.1`, 'Transfer-Encoding: chunked', 'Connection: close', '', '5', 'hello', '0', '']);
}

async function playAnswers({ exchange }: World): Promise<void> {
  const at = `${shop}/pods/web-0/proxy`;
  for (const path of ['moved', 'moved-relative', 'moved-far', 'moved-inside', 'moved-badly', 'moved-host', 'cors', 'empty', 'failed'])
    await exchange(`answer ${path}`, 'GET', `${at}/${path}`);
  await exchange('answer cut', 'GET', `${at}/cut`);
  await exchange('answer lost', 'GET', `${at}/lost`);
  await exchange('answer page', 'GET', `${at}/page`);
  await exchange('answer page of a HEAD', 'HEAD', `${at}/page`);
  for (const path of ['page.gz', 'long', 'cut-page', 'binary', 'guessed-page', 'guessed-image'])
    await exchange(`answer ${path}`, 'GET', `${at}/${path}`);
}

async function playServices({ exchange, must, pod }: World): Promise<void> {
  const at = `${shop}/services`;
  const get = (step: string, segment: string): Promise<void> => exchange(`service: ${step}`, 'GET', `${at}/${segment}/proxy/a`);
  await get('missing', 'none');
  await get('missing, number', 'none:80');
  const ports = [
    { name: 'http', port: 80, targetPort: pod.port },
    { name: 'https', port: 443, targetPort: pod.tlsPort },
  ];
  await must('POST', at, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports } });
  await get('no endpoints', 'web:80');
  await get('no endpoints, no port', 'web');
  await get('unknown number', 'web:81');
  await get('unknown scheme', 'ftp:web:80');
  const ref = { kind: 'Pod', namespace: 'shop', name: 'web-0' };
  const lead = async (name: string, portName: string | undefined, address: object | undefined, ready = true): Promise<void> => {
    const { ip, targetRef } = (address ?? {}) as { ip?: string; targetRef?: object };
    const named = [{ port: pod.port, ...(portName === undefined ? {} : { name: portName }) }];
    const metadata = { name, labels: { 'kubernetes.io/service-name': name } };
    const addresses = address === undefined ? {} : { [ready ? 'addresses' : 'notReadyAddresses']: [address] };
    await must('POST', `${shop}/endpoints`, {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name },
      subsets: address === undefined ? [] : [{ ...addresses, ports: named }],
    });
    const endpoints = address === undefined ? [] : [{ addresses: [ip], targetRef, conditions: { ready } }];
    await must('POST', '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices', {
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4', metadata, endpoints, ports: named },
    });
  };
  await lead('web', 'http', { ip: podIp, targetRef: ref });
  await get('number', 'web:80');
  await get('name', 'web:http');
  await get('scheme', 'http:web:http');
  await get('https to a port without TLS', 'https:web:80');
  await get('port without endpoints', 'web:443');
  await get('no port', 'web');
  await exchange('service: no slash', 'GET', `${at}/web:80/proxy`);
  await exchange('service: POST', 'POST', `${at}/web:80/proxy/a?b=c`, { body: 'x' });
  await exchange('service: moved', 'GET', `${at}/web:80/proxy/moved`);
  await exchange('service: page', 'GET', `${at}/web:80/proxy/page`);
  const others: readonly (readonly [name: string, portName: string | undefined, address: object | undefined, ready?: boolean])[] = [
    ['unnamed', undefined, { ip: podIp, targetRef: ref }],
    ['empty', undefined, undefined],
    ['waiting', undefined, { ip: podIp, targetRef: ref }, false],
    ['no-pod', undefined, { ip: podIp }],
    ['other-pod', undefined, { ip: podIp, targetRef: { ...ref, name: 'pending' } }],
    ['gone-pod', undefined, { ip: podIp, targetRef: { ...ref, name: 'gone' } }],
    ['other-namespace', undefined, { ip: podIp, targetRef: { ...ref, namespace: 'default' } }],
  ];
  for (const [name, portName, address, ready] of others) {
    await must('POST', at, { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }] } });
    await lead(name, portName, address, ready);
    await get(name, `${name}:80`);
    await get(`${name}, no port`, name);
  }
}

async function playNodes({ exchange, must, pod }: World): Promise<void> {
  const at = `${core}/nodes`;
  await exchange('missing node', 'GET', `${at}/none/proxy/`);
  const make = async (name: string, addresses: readonly object[], more: object = {}): Promise<void> => {
    await must('POST', at, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
    await must('PATCH', `${at}/${name}/status`, { status: { addresses, ...more } }, 'application/merge-patch+json');
  };
  await make('bare', []);
  await exchange('node without addresses', 'GET', `${at}/bare/proxy/`);
  await make('near', [{ type: 'InternalIP', address: '127.0.0.1' }]);
  await exchange('node on loopback', 'GET', `${at}/near/proxy/`);
  await exchange('node on loopback, port', 'GET', `${at}/near:${pod.port}/proxy/`);
  await make('odd', [{ type: 'Odd', address: '127.0.0.1' }]);
  await exchange('node with other addresses', 'GET', `${at}/odd/proxy/`);
  await exchange('unknown scheme of a node', 'GET', `${at}/ftp:near:1/proxy/`);
}

async function playUpgrades({ raw }: World): Promise<void> {
  const at = `${shop}/pods/web-0/proxy`;
  const socket = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Protocol: a, b', 'User-Agent: browser'];
  await raw('upgrade', [`GET ${at}/echo?x=1 HTTP/1.1`, ...socket, 'X-Forwarded-For: 192.0.2.1', ''], 'ping');
  await raw('upgrade without a path', [`GET ${at} HTTP/1.1`, ...socket, ''], 'ping');
  await raw('upgrade of a service', [`GET ${shop}/services/web:80/proxy/a HTTP/1.1`, ...socket, ''], 'ping');
  for (const path of ['refused', 'plain', 'lost']) await raw(`upgrade ${path}`, [`GET ${at}/${path} HTTP/1.1`, ...socket, '']);
  await raw('upgrade at a closed port', [`GET ${shop}/pods/web-0:1/proxy/a HTTP/1.1`, ...socket, 'Connection: close', '']);
}

/** Sends lines, and more once the protocol is switched; returns all that is received. */
function sendRaw({ url, token }: ProxyTarget, [first = '', ...lines]: readonly string[], then: string): Promise<string> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false });
    let received = '';
    socket.write([first, 'Host: localhost', `Authorization: Bearer ${token}`, ...lines, ''].join('\r\n'));
    socket.on('data', bytes => {
      if (received === '' && String(bytes).includes(' 101 ')) socket.write(then);
      received += String(bytes);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received.replace(/^(?:Date: .*|Connection: close|Content-Length: .*)\r\n/gim, '')));
    socket.setTimeout(5000, () => socket.destroy());
  });
}
