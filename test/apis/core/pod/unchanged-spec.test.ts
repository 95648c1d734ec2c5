import { expect, it } from 'vitest';
import { valueAt } from '../../../../src/go/value.js';
import { newServedCluster } from '../../../local-apiserver/support/served-cluster.js';

const pods = '/api/v1/namespaces/default/pods';
const spec = { containers: [{ name: 'c', image: 'i:1' }], tolerations: [{ key: 'a', operator: 'Exists' }] };

/** Returns a cluster with a pod, and what sends a strategic merge patch of it. */
async function clusterWithPod() {
  const served = newServedCluster();
  expect((await served.request('POST', pods, { body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec } })).status).toBe(201);
  const patch = async (body: object, path = `${pods}/x`): Promise<{ code: number; message: string }> => {
    const answer = await served.request('PATCH', path, { body, headers: { 'content-type': 'application/strategic-merge-patch+json' } });
    return { code: answer.status, message: String(JSON.parse(String(answer.body)).message) };
  };
  return { ...served, patch };
}

/** The spec of a pod is not validated again where it is that of a stored pod that was validated when it was written. */
it('a change of a pod that was written before is validated as the first one', async () => {
  const { patch } = await clusterWithPod();
  const invalid = { spec: { containers: [{ name: 'c', image: '' }] } };
  const first = await patch(invalid);
  expect(first).toMatchObject({ code: 422, message: expect.stringContaining('spec.containers[0].image: Required value') });
  expect((await patch({ metadata: { annotations: { a: '1' } } })).code).toBe(200);
  expect((await patch({ metadata: { labels: { a: '1' } } })).code).toBe(200);
  expect(await patch(invalid)).toEqual(first);
  expect((await patch({ spec: { containers: [{ name: 'c', image: 'i:2' }] } })).code).toBe(200);
  expect((await patch({ spec: { tolerations: [] } })).message).toContain('existing toleration can not be modified');
  expect((await patch({ spec: { nodeName: 'n' } })).message).toContain('pod updates may not change fields other than');
});

it('an annotation of an unchanged pod is validated', async () => {
  const { patch } = await clusterWithPod();
  expect((await patch({ metadata: { annotations: { a: '1' } } })).code).toBe(200);
  const { code, message } = await patch({ metadata: { annotations: { 'kubernetes.io/config.mirror': 'a', 'not a key': 'b' } } });
  expect(code).toBe(422);
  expect(message).toContain('may not add mirror pod annotation');
  expect(message).toContain('name part must consist of alphanumeric characters');
});

it('the spec of a pod that is invalid in the store is validated on each change', async () => {
  const { cluster, patch } = await clusterWithPod();
  const kind = { group: '', kind: 'Pod' };
  const stored = cluster.store.find(kind, 'default', 'x');
  const changed = new Map(stored).set(
    'spec',
    new Map(valueAt(stored, 'spec') as Map<string, never>).set('restartPolicy', 'Sometimes' as never),
  );
  const version = String(valueAt(stored, 'metadata', 'resourceVersion'));
  expect(cluster.store.update(changed, version)).not.toBe(undefined);
  for (const value of ['1', '2']) {
    const { code, message } = await patch({ metadata: { annotations: { a: value } } });
    expect(code).toBe(422);
    expect(message).toContain('spec.restartPolicy: Unsupported value: "Sometimes"');
  }
});
