import { describe, expect, it } from 'vitest';
import { thingsDefinition, thingsVersion } from '../../support/things.js';
import { answerIn, messageOf } from './call-in-state.js';

const secrets = '/api/v1/namespaces/n/secrets';
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };
const posted = (more: object) =>
  answerIn([], { method: 'POST', path: secrets, contentType: 'application/json', body: Buffer.from(JSON.stringify(secret)), ...more });

describe('paths and methods without an endpoint', () => {
  it.each([
    ['POST', '/api/v1/secrets', 405],
    ['DELETE', '/api/v1/secrets', 405],
    ['POST', '/api', 405],
    ['POST', '/version', 405],
    ['PUT', '/api/v1/namespaces/n/pods/x/exec', 405],
    ['HEAD', secrets, 405],
    ['POST', `${secrets}/a%2Fb`, 404],
    ['PUT', '/apis/apps/v1/namespaces/n/deployments/d/status/x', 404],
    ['POST', '/apis/node.k8s.io/v1/watch/runtimeclasses', 405],
    ['DELETE', `${secrets}/..`, 400],
  ])('%s %s is answered with %i', async (method, path, status) => {
    expect((await answerIn([], { method, path })).status).toBe(status);
  });
});

describe('an invalid timeout', () => {
  const invalid = 'invalid timeout specified in the request URL - time: invalid duration "x"';

  it.each(['/', '/nope', '/api', '/apis/apps', '/version', secrets, `${secrets}/s/nope`])(
    'is refused at %s before anything else',
    async path => {
      const answer = await answerIn([], { method: 'GET', path: `${path}?timeout=x` });
      expect([answer.status, messageOf(answer)]).toEqual([400, invalid]);
    },
  );

  it.each([`${secrets}?watch=true&timeout=x`, '/api/v1/watch/secrets?timeout=x'])('is ignored by a watch: %s', async path => {
    expect((await answerIn([], { method: 'GET', path })).status).toBe(200);
  });

  it.each(['exec', 'attach', 'portforward', 'proxy', 'log'])('is ignored by connections: %s', async subresource => {
    const answer = await answerIn([], { method: 'GET', path: `/api/v1/namespaces/n/pods/p/${subresource}?timeout=x` });
    expect([answer.status, messageOf(answer)]).toEqual([404, 'pods "p" not found']);
  });
});

const thing = thingsDefinition([thingsVersion()]);
const router = '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf';
const handler = 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';

// Built-in versions have routes; the aggregator and the handler of custom resources answer the rest.
describe('documents of discovery', () => {
  it.each([
    ['POST', '/api/v1', {}, 405],
    ['POST', '/apis/apps', {}, 200],
    ['POST', '/apis/example.com/v1', {}, 200],
    ['GET', '/apis/example.com/v2', {}, 404],
    ['GET', '/api', { contentType: 'text/plain', headers: { Accept: 'text/plain' } }, 415],
    ['GET', '/api', { contentType: ';;' }, 415],
    ['GET', '/api', { contentType: 'text/plain, application/yaml;a=b' }, 200],
    ['GET', '/version', { contentType: 'application/yaml' }, 415],
    ['GET', '/apis/apps', { contentType: 'text/plain' }, 200],
    ['GET', '/apis/apps', { headers: { Accept: 'application/*' } }, 200],
    ['GET', '/apis/apps/v1', { headers: { Accept: 'application/*' } }, 406],
  ])('%s %s with %j is answered with %i', async (method, path, more, status) => {
    expect((await answerIn([thing], { method, path, ...more })).status).toBe(status);
  });

  it.each([
    ['/api', router],
    ['/apis/apps/v1', router],
    ['/apis', handler],
    ['/apis/apps', handler],
    ['/apis/example.com/v1', handler],
  ])('say what is acceptable at %s', async (path, message) => {
    const answer = await answerIn([thing], { method: 'GET', path, headers: { Accept: 'text/plain' } });
    expect([answer.status, messageOf(answer)]).toEqual([406, message]);
  });
});

describe('the form of an answer', () => {
  it('is rejected by the router if no type matches, before anything is read', async () => {
    const answer = await posted({ headers: { Accept: 'application/*' } });
    expect([answer.status, answer.contentType, answer.body.includes('\n ')]).toEqual([406, 'application/json', false]);
  });

  it('cannot be a list of metadata for one object', async () => {
    const answer = await posted({ headers: { Accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' } });
    expect([answer.status, messageOf(answer)]).toEqual([
      406,
      'you requested PartialObjectMetadataList, but the requested object is not a list (*core.Secret)',
    ]);
  });

  it('is a Table of the stored object, of a deleted one too', async () => {
    const Accept = 'application/json;as=Table;v=v1beta1;g=meta.k8s.io';
    const tableIn = async (answer: ReturnType<typeof answerIn>) => {
      const { kind, apiVersion, metadata, rows } = JSON.parse((await answer).body);
      return { kind, apiVersion, metadata, cells: rows[0].cells };
    };
    const table = { kind: 'Table', apiVersion: 'meta.k8s.io/v1beta1' };
    const dryRun = posted({ path: `${secrets}?dryRun=All`, headers: { Accept } });
    expect(await tableIn(dryRun)).toEqual({ ...table, metadata: {}, cells: ['s', 'Opaque', 0, '0s'] });
    const template = { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 't', namespace: 'n', resourceVersion: '7' } };
    const deleted = answerIn([template], { method: 'DELETE', path: '/api/v1/namespaces/n/podtemplates/t', headers: { Accept } });
    expect(await tableIn(deleted)).toMatchObject({ ...table, metadata: { resourceVersion: expect.any(String) } });
    const removed = answerIn([{ ...secret, metadata: { name: 's', namespace: 'n' } }], {
      method: 'DELETE',
      path: `${secrets}/s`,
      headers: { Accept },
    });
    expect(JSON.parse((await removed).body)).toMatchObject({ kind: 'Status', status: 'Success' });
  });

  it('of metadata alone has none of the annotations that the internal type has as fields', async () => {
    const annotations = { 'deprecated.daemonset.template.generation': '1', a: 'b' };
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const set = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'd', annotations },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    };
    const answer = await posted({
      path: '/apis/apps/v1/namespaces/n/daemonsets',
      body: Buffer.from(JSON.stringify(set)),
      headers: { Accept: 'application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io' },
    });
    expect(JSON.parse(answer.body)).toMatchObject({ apiVersion: 'meta.k8s.io/v1beta1', metadata: { annotations: { a: 'b' } } });
    expect(JSON.parse(answer.body).metadata.annotations).toEqual({ a: 'b' });
  });

  it.each([
    ['DELETE', '/apis', 'APIGroupList'],
    ['PUT', '/apis/apps', 'APIGroup'],
    ['GET', '/api/v1', 'APIResourceList'],
  ])('of %s %s is the document of discovery', async (method, path, kind) => {
    const answer = await answerIn([], { method, path });
    expect([answer.status, answer.contentType, JSON.parse(answer.body).kind]).toEqual([200, 'application/json', kind]);
  });

  it('of documents is negotiated', async () => {
    expect((await answerIn([], { method: 'GET', path: '/apis', headers: { Accept: 'text/html' } })).status).toBe(406);
    await expect(answerIn([], { method: 'GET', path: '/metrics' })).rejects.toThrow(
      "the API server's response for /metrics is not reproduced",
    );
  });

  it('is YAML or protobuf for errors too', async () => {
    const missing = { method: 'GET', path: `${secrets}/s` };
    const yaml = await answerIn([], { ...missing, headers: { Accept: 'application/yaml' } });
    expect(yaml.body).toContain('message: secrets "s" not found\n');
    const protobuf = await answerIn([], { ...missing, headers: { Accept: 'application/vnd.kubernetes.protobuf' } });
    expect([
      protobuf.contentType,
      Buffer.from(protobuf.bytes ?? [])
        .subarray(0, 4)
        .toString(),
    ]).toEqual(['application/vnd.kubernetes.protobuf', 'k8s\0']);
  });
});

describe('the type of a body', () => {
  it.each([';;', 'application/json;a=b;a=c', 'json', 'a/b/c'])('%s is refused', async contentType => {
    expect((await posted({ contentType })).status).toBe(415);
  });

  it('protobuf needs its prefix', async () => {
    const answer = await posted({ contentType: 'application/vnd.kubernetes.protobuf' });
    expect(messageOf(answer)).toContain('does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  });
});

describe('an update of an object that is missing', () => {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { type: 'ExternalName', externalName: 'a.example.com' },
  };
  const sent = (method: string, path: string, contentType: string, object: object) =>
    answerIn([], { method, path, contentType, body: Buffer.from(JSON.stringify(object)) });

  it('creates a service through its status too', async () => {
    const put = await sent('PUT', '/api/v1/namespaces/n/services/s/status', 'application/json', service);
    const apply = await sent('PATCH', '/api/v1/namespaces/n/services/s/status?fieldManager=m', 'application/apply-patch+yaml', service);
    expect([put, apply].map(({ status, body }) => [status, JSON.parse(body).spec.sessionAffinity])).toEqual([
      [201, 'None'],
      [201, 'None'],
    ]);
  });

  it('rejects a resourceVersion that is not a number before validation', async () => {
    const wrong = { ...service, metadata: { name: 's', resourceVersion: 'x' }, spec: { type: 'x' } };
    const answer = await sent('PUT', '/api/v1/namespaces/n/services/s', 'application/json', wrong);
    expect([answer.status, messageOf(answer)]).toEqual([500, 'strconv.ParseUint: parsing "x": invalid syntax']);
  });
});
