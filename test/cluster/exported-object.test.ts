import { describe, expect, it } from 'vitest';
import { exportedFileName, exportedObject } from '../../src/cluster/export/exported-object.js';
import { plainOfValue } from '../../src/encoding/plain-json.js';
import { isMap, toValue, type ValueMap } from '../../src/go/value.js';
import { server } from '../support/server.js';

function objectOf(data: object): ValueMap {
  const value = toValue(data);
  if (!isMap(value)) throw new Error('not an object');
  return value;
}

describe('an exported object', () => {
  it('has no bookkeeping, and no status where admission does not look at it', () => {
    const metadata = {
      name: 'a',
      uid: 'u',
      resourceVersion: '7',
      generation: 3,
      managedFields: [{ manager: 'x' }],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"password":"hunter2"}}' },
    };
    const service = objectOf({ apiVersion: 'v1', kind: 'Service', metadata, spec: {}, status: { loadBalancer: {} } });
    expect(plainOfValue(exportedObject(service))).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', uid: 'u' },
      spec: {},
    });
    expect(service.has('status')).toBe(true);
    const quota = objectOf({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, status: { used: { pods: '1' } } });
    expect(plainOfValue(exportedObject(quota))).toMatchObject({ status: { used: { pods: '1' } } });
  });

  it.each([
    [{ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l', namespace: 'team' } }, 'limitrange_team_l.yaml'],
    [
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'system:a/b_c' } },
      'clusterrole_system%3Aa%2Fb%5Fc.yaml',
    ],
    [{ apiVersion: 'example.com/v1', kind: 'CronTab', metadata: { name: 'a', namespace: 'x' } }, 'crontab.example.com_x_a.yaml'],
  ])('%j is in the file %s', (object, name) => {
    expect(exportedFileName(server, objectOf(object))).toBe(name);
  });
});
