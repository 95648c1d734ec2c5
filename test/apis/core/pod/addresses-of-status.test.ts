import { expect, it } from 'vitest';
import { newServedCluster } from '../../../local-apiserver/support/served-cluster.js';
import { apiServers } from '../../../support/server.js';

/** Recorded from kube-apiserver v1.38.0-beta.0. */
it('podIP and podIPs are set together, since v1.37', async () => {
  const message = async (minor: 'v1.36' | 'v1.37'): Promise<string> => {
    const { request } = newServedCluster([], apiServers({ minor }));
    const namespace = '/api/v1/namespaces/default';
    await request('POST', `${namespace}/serviceaccounts`, { body: { metadata: { name: 'default' } } });
    await request('POST', `${namespace}/pods`, { body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } } });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { body } = await request('PATCH', `${namespace}/pods/p/status`, { body: { status: { podIPs: [{}] } }, headers });
    return (JSON.parse(String(body)) as { message: string }).message;
  };
  const address = 'status.podIPs[0]: Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  const both = 'status.podIPs: Invalid value: [{"IP":""}]: podIP and podIPs must either both be set or both be unset';
  expect(await message('v1.37')).toBe(`Pod "p" is invalid: [${address}, ${both}]`);
  expect(await message('v1.36')).toBe(`Pod "p" is invalid: ${address}`);
});
