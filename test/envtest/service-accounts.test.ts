import { expect, it } from 'vitest';
import { startControlPlane, writeMaterials } from './support/control-plane.js';

/** As kube-apiserver v1.36.3: controllers create service accounts. */
it('creates no service accounts, which pods need with the plugin ServiceAccount', async () => {
  const materials = writeMaterials({ 'tokens.csv': 'secret-1,alice,uid-1,system:masters\n' });
  const server = await startControlPlane(materials, ['--disable-admission-plugins=', '--token-auth-file=tokens.csv']);
  const headers = { Authorization: 'Bearer secret-1' };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } };
  expect((await server.call('POST', '/api/v1/namespaces', { body: namespace, headers })).status).toBe(201);
  expect((await server.call('GET', '/api/v1/serviceaccounts', { headers })).body.items).toEqual([]);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'c' }] } };
  const { status, body } = await server.call('POST', '/api/v1/namespaces/a/pods', { body: pod, headers });
  expect([status, body.message]).toEqual([
    403,
    'pods "p" is forbidden: error looking up service account a/default: serviceaccount "default" not found',
  ]);
  await server.stop();
  materials.remove();
});
