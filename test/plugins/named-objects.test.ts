import { beforeAll, describe, expect, it } from 'vitest';
import { newServedCluster } from '../local-apiserver/support/served-cluster.js';

const { request } = newServedCluster();

async function created(spec: object): Promise<{ readonly status: number; readonly message: string }> {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: 'b' }], ...spec } };
  const { status, body } = await request('POST', '/api/v1/namespaces/default/pods', { body: pod });
  return { status, message: (JSON.parse(body as string) as { message: string }).message };
}

const forbidden = 'pods "p" is forbidden: ';
const lookup = (name: string): string => `${forbidden}error looking up service account default/${name}: `;
const noClass = `${forbidden}pod rejected: RuntimeClass `;

// Recorded from API servers v1.36.3 and v1.37.2.
describe('a pod that names an object that cannot exist', () => {
  beforeAll(() => request('POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata: { name: 'default' } } }));

  it.each([
    ['a/b%c', `invalid resource name "a/b%c": [may not contain '/' may not contain '%']`],
    ['..', `invalid resource name "..": [may not be '..']`],
    ['\x7f', 'serviceaccount "\\x7f" not found'],
    ['x"y', 'serviceaccount "x\\"y" not found'],
    ['\u200b', 'serviceaccount "\\u200b" not found'],
  ])('is refused with its service account %j', async (serviceAccountName, why) => {
    expect(await created({ serviceAccountName })).toEqual({ status: 403, message: `${lookup(serviceAccountName)}${why}` });
  });

  it.each([
    ['a/b', 500, `invalid resource name "a/b": [may not contain '/']`],
    ['.', 500, `invalid resource name ".": [may not be '.']`],
    ['', 500, 'resource name may not be empty'],
    ['\x7f', 403, `${noClass}"\\x7f" not found`],
    ['é', 403, `${noClass}"é" not found`],
  ])('is refused with its runtime class %j', async (runtimeClassName, status, message) => {
    expect(await created({ runtimeClassName })).toEqual({ status, message });
  });
});
