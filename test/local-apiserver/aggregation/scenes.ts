import type { ServerResponse } from 'node:http';
import { constants, type Http2ServerResponse } from 'node:http2';
import { type Answer, json } from './aggregated-server.js';
import type { Target } from './client.js';
import { playDiscovery } from './discovery-scenes.js';
import { openApiAnswers, playOpenApi } from './openapi-scenes.js';
import { playStreams } from './stream-scenes.js';
import { apiService, apiServices, changeSpec, group, leadToBackend, openWorld, type World } from './world.js';

/** What happened, by the name of the step. */
export type Recorded = Record<string, unknown>;

const name = `v1.${group}`;
const base = `/apis/${group}/v1`;

/** Plays everything that is compared; leaves the API server as it was. */
export async function playScenes(target: Target): Promise<Recorded> {
  const world = await openWorld(target, answersOf());
  try {
    await world.ask('POST', '/api/v1/namespaces', { body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } });
    return {
      ...(await playConditions(world)),
      ...(await playRequests(world)),
      ...(await playDiscovery(world)),
      ...(await playOpenApi(world)),
      ...(await playStreams(world)),
    };
  } finally {
    await world.ask('DELETE', `${apiServices}/${name}`);
    await world.ask('DELETE', '/api/v1/namespaces/shop/services/wares');
    await world.backend.close();
  }
}

/** Resets the stream of a request over HTTP/2. */
function reset(response: ServerResponse): void {
  (response as unknown as Http2ServerResponse).stream.close(constants.NGHTTP2_INTERNAL_ERROR);
}

const wares = { name: 'wares', singularName: 'ware', namespaced: true, kind: 'Ware', verbs: ['get', 'list', 'watch'], shortNames: ['wa'] };

function answersOf(): Map<string, Answer> {
  return new Map<string, Answer>([
    ...openApiAnswers(),
    [
      base,
      (_, response) => json(response, 200, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v1`, resources: [wares] }),
    ],
    [
      `${base}/namespaces/shop/wares`,
      (_, response) => json(response, 200, { kind: 'WareList', apiVersion: `${group}/v1`, metadata: {}, items: [] }),
    ],
    [
      `${base}/namespaces/shop/wares/refused`,
      (_, response) => json(response, 403, { kind: 'Status', code: 403 }, { Warning: '299 - "old"' }),
    ],
    [
      `${base}/namespaces/shop/wares/moved`,
      (request, response) =>
        json(response, 302, {}, { Location: `https://${request.headers.host ?? request.headers[':authority']}/elsewhere?x=1` }),
    ],
    [`${base}/namespaces/shop/wares/moved-far`, (_, response) => json(response, 302, {}, { Location: 'https://example.com/elsewhere' })],
    [
      `${base}/namespaces/shop/wares/cors`,
      (_, response) =>
        json(
          response,
          200,
          {},
          {
            'Access-Control-Allow-Origin': '*',
            'X-Own': ['a', 'b'],
            'Cache-Control': 'public',
            'Audit-Id': 'own',
            'X-Kubernetes-Pf-Flowschema-Uid': 'own',
          },
        ),
    ],
    [`${base}/namespaces/shop/wares/zipped`, (_, response) => json(response, 200, { text: 'plain' })],
    [`${base}/namespaces/shop/wares/created`, (_, response) => json(response, 201, {}, { Location: '/elsewhere' })],
    [
      `${base}/namespaces/shop/wares/empty`,
      (_, response) => {
        response.statusCode = 204;
        response.end();
      },
    ],
    [
      `${base}/namespaces/shop/wares/cut`,
      (_, response) => {
        response.setHeader('Content-Type', 'application/json');
        response.write('{"a":');
        setTimeout(() => reset(response), 50);
      },
    ],
    [`${base}/namespaces/shop/wares/lost`, (_, response) => reset(response)],
    [`${base}/namespaces/shop/wares/echo`, (_, response, body) => json(response, 200, { body })],
  ]);
}

async function playConditions(world: World): Promise<Recorded> {
  const { ask, must, condition, backend, otherCa } = world;
  const recorded: Recorded = {};
  const record = async (step: string, work: Promise<unknown>): Promise<void> => {
    recorded[step] = await work;
  };
  const service = { name: 'wares', namespace: 'shop', port: backend.port };
  await record(
    'create',
    ask('POST', apiServices, { body: apiService('v1', { spec: { service, caBundle: otherCa } }) }).then(({ status }) => status),
  );
  await record('no service', condition(name, 'ServiceNotFound'));
  await record('request without a service', ask('GET', `${base}/namespaces/shop/wares`));
  await record('group of an unavailable version', ask('GET', `/apis/${group}`));
  const spec = (more: object): object => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'wares' }, spec: more });
  const services = '/api/v1/namespaces/shop/services';
  await must('POST', services, spec({ clusterIP: '10.0.0.77', ports: [{ port: 1, name: 'x' }] }));
  await record('another port', condition(name, 'ServicePortError'));
  await must('DELETE', `${services}/wares`);
  await record('service deleted', condition(name, 'ServiceNotFound'));
  await must('POST', services, spec({ clusterIP: '10.0.0.77', ports: [{ port: backend.port, name: 'x' }] }));
  await record('no slices', condition(name, 'EndpointsNotFound'));
  const slices = '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices';
  const slice = (endpoints: object[], ports: object[]): object => ({
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4', endpoints, ports },
    metadata: { name: 'wares-1', labels: { 'kubernetes.io/service-name': 'wares' } },
  });
  await must('POST', slices, slice([], []));
  await record('empty slice', condition(name, 'MissingEndpoints'));
  await must('PUT', `${slices}/wares-1`, slice([{ addresses: ['192.0.2.9'], conditions: { ready: false } }], [{ name: 'x', port: 1 }]));
  await record('no ready endpoint', condition(name, 'MissingEndpoints'));
  await must('DELETE', `${slices}/wares-1`);
  await must('DELETE', `${services}/wares`);
  await leadToBackend(world);
  await record('unknown authority', condition(name, 'FailedDiscoveryCheck', 'x509'));
  await record('request with an unknown authority', ask('GET', `${base}/namespaces/shop/wares`));
  await changeSpec(world, name, { caBundle: null, insecureSkipTLSVerify: true });
  await record('insecure', condition(name, 'Passed'));
  backend.answers.set(base, (_, response) => json(response, 404, {}));
  await changeSpec(world, name, { versionPriority: 16 });
  await record('discovery is 404', condition(name, 'FailedDiscoveryCheck', 'bad status'));
  backend.answers.set(base, answersOf().get(base) as Answer);
  await changeSpec(world, name, { caBundle: backend.caBundle, insecureSkipTLSVerify: false });
  await record('available', condition(name, 'Passed'));
  await record('object', must('GET', `${apiServices}/${name}`).then(comparable).then(world.masked));
  await record(
    'service without ports',
    must('PATCH', `${services}/wares`, { spec: { ports: null } }, ['Content-Type: application/merge-patch+json']).then(() => 'ok'),
  );
  await record('port of an external name', condition(name, 'Passed'));
  return recorded;
}

/** Without its versions, and with its managers in the order of their names: the times of their writes decide it otherwise. */
function comparable(object: Record<string, unknown>): object {
  const { managedFields } = object['metadata'] as { managedFields: { manager: string }[] };
  managedFields.sort((a, b) => (a.manager < b.manager ? -1 : 1));
  const text = JSON.stringify(object)
    .replace(/"resourceVersion":"\d+"/, '"resourceVersion":"N"')
    .replace(/"caBundle":"[^"]+"/, '"caBundle":"..."');
  return JSON.parse(text) as object;
}

async function playRequests(world: World): Promise<Recorded> {
  const { ask, seen } = world;
  seen();
  const recorded: Recorded = {};
  const exchange = async (step: string, ...request: Parameters<World['ask']>): Promise<void> => {
    const reply = await ask(...request);
    recorded[step] = { reply, seen: seen() };
  };
  const at = `${base}/namespaces/shop/wares`;
  await exchange('list', 'GET', at);
  await exchange('query', 'GET', `${at}?limit=5&labelSelector=a%3Db&x=%20+y&a=1&empty`);
  await exchange('encoded path', 'GET', `${at}/a%2Fb%20c`);
  await exchange('trailing slash', 'GET', `${at}/`);
  await exchange('discovery', 'GET', base);
  await exchange('discovery with a slash', 'GET', `${base}/`);
  await exchange('create', 'POST', `${at}/echo`, { body: { a: 1 } });
  await exchange('patch', 'PATCH', `${at}/echo`, { body: '{"a":2}', headers: ['Content-Type: application/merge-patch+json'] });
  await exchange('delete', 'DELETE', `${at}/echo`);
  await exchange('head', 'HEAD', at);
  await exchange('options', 'OPTIONS', at);
  await exchange('refused', 'GET', `${at}/refused`);
  await exchange('moved', 'GET', `${at}/moved`);
  await exchange('moved far', 'GET', `${at}/moved-far`);
  await exchange('cors', 'GET', `${at}/cors`);
  await exchange('location', 'POST', `${at}/created`, { body: {} });
  await exchange('empty', 'GET', `${at}/empty`);
  await exchange('cut', 'GET', `${at}/cut`);
  await exchange('lost', 'GET', `${at}/lost`);
  await exchange('unknown version', 'GET', `/apis/${group}/v9/wares`);
  await exchange('headers', 'GET', at, {
    headers: [
      'Accept: application/yaml',
      'Accept-Encoding: gzip',
      'User-Agent: my-agent',
      'X-Custom: a',
      'X-Custom: b',
      'Connection: keep-alive, X-Hop',
      'X-Hop: 1',
      'Te: trailers',
      'X-Forwarded-For: 192.0.2.1',
      'X-Forwarded-Host: forged',
      'Audit-Id: given',
      'Cookie: a=b',
      'X-Remote-User: forged',
      'X-Remote-Group: forged',
      'X-Remote-Extra-Scope: forged',
      'X-Remote-Uid: forged',
    ],
  });
  await exchange('impersonated', 'GET', at, {
    headers: [
      'Impersonate-User: jane',
      'Impersonate-Group: system:masters',
      'Impersonate-Group: b c',
      'Impersonate-Uid: u1',
      'Impersonate-Extra-Scope%2fx: one',
      'Impersonate-Extra-Scope%2fx: two',
    ],
  });
  await exchange('impersonated with other names', 'GET', at, {
    headers: [
      `Impersonate-User: ${Buffer.from('jané').toString('latin1')}`,
      'Impersonate-Group: system:masters',
      'Impersonate-Extra-UPPER%20k: v',
    ],
  });
  return recorded;
}
