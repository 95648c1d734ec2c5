import { describe, expect, it } from 'vitest';
import { write } from '../../support/written-object.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' };

describe('the source of a claim', () => {
  const specOf = async (parts: object) => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...parts };
    const object = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'x' }, spec };
    const { body } = await write({ path: '/api/v1/namespaces/n/persistentvolumeclaims', object });
    return [body.spec.dataSource, body.spec.dataSourceRef];
  };
  const other = { apiGroup: 'example.com', kind: 'Picture', name: 'p' };
  const volume = { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'p' };

  it('may be anything in the newer field, which the older one repeats', async () => {
    expect(await specOf({ dataSourceRef: other })).toEqual([other, other]);
    expect(await specOf({ dataSource: other })).toEqual([undefined, undefined]);
    expect(await specOf({ dataSource: volume })).toEqual([volume, volume]);
    expect(await specOf({ dataSourceRef: { ...other, namespace: 'm' } })).toEqual([undefined, undefined]);
  });
});

describe('addresses and families of a service', () => {
  const ports = [{ port: 80, targetPort: 80, protocol: 'TCP' }];
  const service = (spec: object) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { type: 'ClusterIP', sessionAffinity: 'None', ports, ...spec },
  });
  const change = async (stored: object, object: object) =>
    (await write({ path: '/api/v1/namespaces/n/services/x', stored: service(stored), object: service(object) })).message;
  const headless = { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
  const own = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };

  it('may change the families of a headless one', async () => {
    expect(await change(headless, { ...headless, ipFamilies: ['IPv6'], ipFamilyPolicy: 'RequireDualStack' })).toBeUndefined();
  });

  it('keep the first of others', async () => {
    expect(await change(own, { ...own, clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.2'] })).toContain(
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
    );
    expect(await change(own, headless)).toContain('spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set');
  });
});
