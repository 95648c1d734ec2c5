import { describe, expect, it } from 'vitest';
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
