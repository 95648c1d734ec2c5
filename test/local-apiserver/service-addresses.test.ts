import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mergePatch } from './support/boats.js';
import { newServedCluster, type ServedCluster } from './support/served-cluster.js';

const networking = '/apis/networking.k8s.io/v1';
const services = '/api/v1/namespaces/default/services';
const notCurrent = 'the provided network does not match the current range';
const taken = 'provided IP is already allocated';

let served: ServedCluster;
beforeEach(() => {
  served = newServedCluster();
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of several kinds
async function send(method: string, path: string, body: object = {}, headers = {}): Promise<{ code: number; body: any }> {
  const { status, body: text } = await served.request(method, path, { body, headers });
  return { code: status, body: JSON.parse(String(text)) };
}

const serviceNamed = (name: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

/** Returns the address of a new service, or why there is none. */
async function create(name: string, clusterIP?: string, query = ''): Promise<string> {
  const { code, body } = await send('POST', `${services}${query}`, serviceNamed(name, { clusterIP }));
  return code === 201 ? body.spec.clusterIP : String(body.message).replace(/^.*failed to allocate IP [^:]*: /, '');
}

/** Returns the addresses that have an object, with the names of their services. */
async function allocated(): Promise<Record<string, string>> {
  const { body } = await send('GET', `${networking}/ipaddresses`);
  const items: { metadata: { name: string }; spec: { parentRef: { name: string } } }[] = body.items;
  return Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec.parentRef.name]));
}

const kubernetes = { '10.0.0.1': 'kubernetes' };

describe('an IPAddress', () => {
  it('exists for each address of a service, until it has another type or is deleted', async () => {
    const address = await create('a');
    expect(await create('h', 'None')).toBe('None');
    expect(await allocated()).toEqual({ ...kubernetes, [address]: 'a' });
    const external = { spec: { type: 'ExternalName', externalName: 'x.example.com', clusterIP: null, clusterIPs: null } };
    await send('PATCH', `${services}/a`, external, mergePatch);
    expect(await allocated()).toEqual(kubernetes);
    await send('PATCH', `${services}/a`, { spec: { type: 'ClusterIP', externalName: null } }, mergePatch);
    expect(Object.values(await allocated())).toEqual(expect.arrayContaining(['a', 'kubernetes']));
    await send('DELETE', `${services}/a`);
    expect(await allocated()).toEqual(kubernetes);
  });

  it('is labelled, owned by the API server, and refers to its service', async () => {
    await create('b', '10.0.7.7');
    const { body } = await send('GET', `${networking}/ipaddresses/10.0.7.7`);
    expect(body).toMatchObject({
      metadata: {
        labels: { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' },
        managedFields: [{ manager: 'kube-apiserver', operation: 'Update', apiVersion: 'networking.k8s.io/v1' }],
      },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: 'b' } },
    });
  });

  it('of anything else takes an address, too, and a deleted one frees it', async () => {
    const parentRef = { group: 'example.com', resource: 'things', name: 't', namespace: 'n' };
    const object = { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata: { name: '10.0.7.7' }, spec: { parentRef } };
    await send('POST', `${networking}/ipaddresses`, object);
    expect(await create('c', '10.0.7.7')).toBe(taken);
    await send('DELETE', `${networking}/ipaddresses/10.0.7.7`);
    expect([await create('c', '10.0.7.7'), await create('d', '10.0.7.7')]).toEqual(['10.0.7.7', taken]);
    expect(await create('e', '10.0.7.7', '?dryRun=All')).toBe('10.0.7.7');
  });
});

describe('an address with leading zeros, without StrictIPCIDRValidation', () => {
  beforeEach(() => {
    served = newServedCluster(['--feature-gates=StrictIPCIDRValidation=false']);
  });

  it('is that without them', async () => {
    expect(await create('a', '10.0.0.011', '?dryRun=All')).toBe('10.0.0.011');
    expect([await create('a', '10.0.0.011'), await create('b', '10.0.0.11')]).toEqual(['10.0.0.011', taken]);
    expect(await create('f', '10.1.0.011')).toBe(notCurrent);
    expect(await create('f', '10.1.0.011', '?dryRun=All')).toBe(
      'the provided IP (10.1.0.11) is not in the valid range. The range of valid IPs is 10.0.0.0/16',
    );
    expect(await allocated()).toEqual({ ...kubernetes, '10.0.0.11': 'a' });
    await send('DELETE', `${services}/a`);
    expect(await allocated()).toEqual(kubernetes);
  });
});

describe('a ServiceCIDR', () => {
  const cidr = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'extra' },
    spec: { cidrs: ['192.168.7.0/29'] },
  };

  it('adds addresses while it is ready, and keeps those of its services when it is deleted', async () => {
    expect(await create('f', '192.168.7.3')).toBe(notCurrent);
    await send('POST', `${networking}/servicecidrs`, cidr);
    expect([await create('f', '192.168.7.3'), await create('g', '192.168.7.7')]).toEqual(['192.168.7.3', notCurrent]);
    const condition = { type: 'Ready', status: 'False', reason: 'R', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' };
    await send('PATCH', `${networking}/servicecidrs/extra/status`, { status: { conditions: [condition] } }, mergePatch);
    expect(await create('g', '192.168.7.4')).toBe(notCurrent);
    await send('DELETE', `${networking}/servicecidrs/extra`);
    await send('DELETE', `${services}/f`);
    expect(await allocated()).toEqual({ ...kubernetes, '192.168.7.3': 'f' });
  });

  describe('of the API server', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    it('is created again, with its condition', async () => {
      const path = `${networking}/servicecidrs/kubernetes`;
      const { body: before } = await send('GET', path);
      await send('DELETE', path);
      expect((await send('GET', path)).code).toBe(404);
      vi.advanceTimersByTime(10_000);
      const { body: after } = await send('GET', path);
      expect(after.metadata.uid).not.toBe(before.metadata.uid);
      expect(after).toMatchObject({ spec: before.spec, status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    });
  });
});
