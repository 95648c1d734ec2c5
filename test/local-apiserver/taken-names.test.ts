import { expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

const configMaps = '/api/v1/namespaces/default/configmaps';

/** As kube-apiserver v1.36.3. */
it.each(['', '?dryRun=All'])('a taken name beside a generateName may be free on another try%s', async query => {
  const { request } = newServedCluster();
  const body = { metadata: { generateName: 'a', name: 'b' } };
  expect((await request('POST', configMaps, { body })).status).toBe(201);
  const { status, headers, body: refusal } = await request('POST', configMaps + query, { body });
  expect(status).toBe(409);
  expect(headers).toContainEqual(['Retry-After', '1']);
  expect(JSON.parse(String(refusal))).toMatchObject({
    message: 'configmaps "b" already exists, the server was not able to generate a unique name for the object',
    details: { name: 'b', kind: 'configmaps', retryAfterSeconds: 1 },
  });
});

it('a taken name alone stays taken', async () => {
  const { request } = newServedCluster();
  const body = { metadata: { name: 'b' } };
  await request('POST', configMaps, { body });
  const { headers, body: refusal } = await request('POST', configMaps, { body });
  expect(JSON.parse(String(refusal)).message).toBe('configmaps "b" already exists');
  expect(headers.map(([name]) => name)).not.toContain('Retry-After');
});

it.each([
  [{}, 400],
  [{ spec: { namespace: '' } }, 400],
  [{ spec: { namespace: 'nope' } }, 201],
])('the review of rules %j answers %i', async (body, status) => {
  const { request } = newServedCluster();
  const answer = await request('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { body });
  expect(answer.status).toBe(status);
  if (status === 400) expect(JSON.parse(String(answer.body))).toMatchObject({ message: 'no namespace on request', reason: 'BadRequest' });
});

/** As kube-apiserver v1.36.3: the rules of the roles that exist are complete. */
it('the review of rules names the roles that do not exist', async () => {
  const { request } = newServedCluster();
  for (const name of ['one', 'two']) {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' }];
    const body = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name }, subjects, roleRef };
    const answer = await request('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', { body });
    expect(answer.status).toBe(201);
  }
  const { body } = await request('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
    body: { spec: { namespace: 'default' } },
  });
  const [one, two] = ['one', 'two'].map(name => `role.rbac.authorization.k8s.io "${name}" not found`);
  expect(JSON.parse(String(body)).status).toMatchObject({ incomplete: false, evaluationError: `[${one}, ${two}]` });
});
