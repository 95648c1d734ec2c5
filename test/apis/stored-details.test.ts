import { describe, expect, it } from 'vitest';
import { restoreShown } from '../../src/apiserver/storage/stored-object.js';
import type { ValueMap } from '../../src/go/value.js';
import { structNamed } from '../../src/kubernetes/type-table.js';
import { server } from '../support/server.js';
import { write } from '../support/written-object.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' };
const clusterWide = { ...metadata, namespace: undefined };

describe('an empty list that a patch brings', () => {
  const stored = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { ...metadata, generation: 1 },
    spec: { podSelector: {}, policyTypes: ['Ingress'] },
  };
  const path = '/apis/networking.k8s.io/v1/namespaces/n/networkpolicies/x';

  it('is a change of a network policy, merged strategically or applied', async () => {
    const merge = { path, stored, object: { spec: { ingress: [] } }, patchType: 'application/strategic-merge-patch+json' };
    expect((await write(merge)).body.metadata.generation).toBe(2);
    const applied = { apiVersion: stored.apiVersion, kind: stored.kind, metadata: { name: 'x' }, spec: { ingress: [] } };
    const apply = { path: `${path}?fieldManager=me`, stored, object: applied, patchType: 'application/apply-patch+yaml' };
    expect((await write(apply)).body.metadata.generation).toBe(2);
  });
});

describe('contents of the state', () => {
  it('counts generations as int64', async () => {
    const stored = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { ...metadata, generation: (1n << 63n) - 1n },
      spec: { podSelector: {}, policyTypes: ['Ingress'] },
    };
    const path = '/apis/networking.k8s.io/v1/namespaces/n/networkpolicies/x';
    const object = { spec: { policyTypes: ['Egress'] } };
    const { message } = await write({ path, stored, object, patchType: 'application/merge-patch+json' });
    expect(message).toContain('metadata.generation: Invalid value: -9223372036854775808: must be greater than or equal to 0');
  });

  it('loses the order of the keys of raw JSON in a strategic merge', async () => {
    const revision = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, revision: 1, data: { z: 1, a: [1.5] } };
    const path = '/apis/apps/v1/namespaces/n/controllerrevisions/x';
    const object = { metadata: { labels: { a: 'b' } } };
    const { message } = await write({ path, stored: revision, object, patchType: 'application/strategic-merge-patch+json' });
    expect(message).toContain('data: Invalid value: {"a":[1.5],"z":1}: field is immutable');
  });

  it('keeps decimal points of integers in raw JSON', () => {
    const read: ValueMap = new Map([['data', { rawJson: '{"n":[1,1,1.5]}' }]]);
    restoreShown(read, new Map([['data', new Map([['n', [1, 1n, 1.5]]])]]), structNamed(server, 'apps/v1.ControllerRevision'));
    expect(read.get('data')).toEqual({ rawJson: '{"n":[1.0,1,1.5]}' });
  });
});

describe('a node', () => {
  it('gets no configuration that does not exist', async () => {
    const stored = { apiVersion: 'v1', kind: 'Node', metadata: clusterWide, spec: {}, status: {} };
    const object = { ...stored, status: { config: { error: 'e' } } };
    const { body } = await write({ path: '/api/v1/nodes/x/status', stored, object });
    expect(body.status.config).toBeUndefined();
    const configured = await write({
      path: '/api/v1/nodes/x/status',
      stored: object,
      object: { ...object, status: { config: { error: 'f' } } },
    });
    expect(configured.body.status.config).toEqual({ error: 'f' });
  });
});

describe('metadata of claims and of service accounts', () => {
  it('must have qualified finalizers in a claim', async () => {
    const object = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'x', finalizers: ['f'] }, spec: {} };
    const { message } = await write({ path: '/apis/resource.k8s.io/v1/namespaces/n/resourceclaims', object });
    expect(message).toContain(
      'metadata.finalizers[0]: Invalid value: "f": name is neither a standard finalizer name nor is it fully qualified',
    );
  });

  it('is validated repeatedly when a service account changes', async () => {
    const stored = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
    const owner = { apiVersion: 'v1', kind: 'Pod', name: '', uid: 'o' };
    const object = { ...stored, metadata: { ...metadata, ownerReferences: [owner] } };
    const { body } = await write({ path: '/api/v1/namespaces/n/serviceaccounts/x', stored, object });
    expect(body.details.causes).toHaveLength(4);
  });
});

describe('the priority of a pod', () => {
  const rankOf = async (parts: { spec?: object; status?: object; containers?: object[] }): Promise<string> => {
    const containers = (parts.containers ?? [{}]).map((resources, i) => ({ name: `c${i}`, image: 'i', resources }));
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { containers, ...parts.spec }, status: parts.status };
    return (await write({ path: '/api/v1/namespaces/n/pods', object })).body.status.qosClass;
  };

  it('is the one in its status', async () => {
    expect(await rankOf({ status: { qosClass: 'Burstable' } })).toBe('Burstable');
  });

  it('is found by the resources of all containers together', async () => {
    const one = { cpu: '1', memory: '1Gi' };
    expect(await rankOf({})).toBe('BestEffort');
    expect(await rankOf({ containers: [{ limits: one }, { limits: one, requests: { cpu: '1000m' } }] })).toBe('Guaranteed');
    expect(await rankOf({ containers: [{ limits: one }, {}] })).toBe('Burstable');
    expect(await rankOf({ spec: { resources: { limits: one, requests: one } } })).toBe('Guaranteed');
    expect(await rankOf({ spec: { resources: { requests: { cpu: '1' } } } })).toBe('Burstable');
  });
});
