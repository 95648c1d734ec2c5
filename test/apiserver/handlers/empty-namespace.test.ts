import { describe, expect, it } from 'vitest';
import { answerIn, messageOf } from './call-in-state.js';

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n', resourceVersion: '7', uid: 'u' } };
const at = '/api/v1/namespaces/';

async function told(method: string, path: string, object?: object) {
  const sent = object === undefined ? {} : { body: Buffer.from(JSON.stringify(object)), contentType: 'application/json' };
  const answer = await answerIn([configMap], { method, path, ...sent });
  return [answer.status, messageOf(answer)];
}

describe('a path with an empty namespace', () => {
  const refused = [400, 'Namespace parameter required.'];

  it.each([
    ['GET', `${at}/configmaps/a`],
    ['PUT', `${at}/configmaps/a`, configMap],
    ['DELETE', `${at}/configmaps/a`],
    ['DELETE', `${at}/configmaps`],
    ['GET', '/apis/apps/v1/namespaces//deployments/d/scale'],
    ['POST', `${at}/serviceaccounts/default/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }],
    ['POST', `${at}/pods/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } }],
    ['POST', `${at}/pods/p/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { name: 'n' } }],
  ])('refuses %s %s, which needs one object', async (method, path, object?: object) => {
    expect(await told(method, path, object)).toEqual(refused);
  });

  it('deletes an empty collection', async () => {
    expect(await told('DELETE', `${at}/configmaps?labelSelector=a%3Db`)).toEqual([200, undefined]);
  });

  it('drops the namespace of a new object', async () => {
    expect(await told('POST', `${at}/configmaps`, configMap)).toEqual([
      422,
      'ConfigMap "a" is invalid: metadata.namespace: Required value',
    ]);
  });
});
