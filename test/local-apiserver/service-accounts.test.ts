import { expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

async function accountsOf(flags: readonly string[]): Promise<string[]> {
  const { request } = newServedCluster(flags);
  await request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'shop' } } });
  const { body } = await request('GET', '/api/v1/serviceaccounts');
  return JSON.parse(String(body)).items.map(({ metadata }: { metadata: { namespace: string; name: string } }) =>
    [metadata.namespace, metadata.name].join('/'),
  );
}

it('every namespace has a default service account, unless the plugin that requires it is disabled', async () => {
  expect(await accountsOf([])).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system', 'shop'].map(name => `${name}/default`));
  expect(await accountsOf(['--disable-admission-plugins=ServiceAccount'])).toEqual([]);
});
