import { expect, it } from 'vitest';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { newServedCluster } from '../../local-apiserver/support/served-cluster.js';

const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const autoscaler = (apiVersion: string, kind: string, more: object = {}): object => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h', namespace: 'default' },
  spec: { scaleTargetRef: { apiVersion, kind, name: 'x' }, maxReplicas: 3, ...more },
});
const invalid = 'HorizontalPodAutoscaler.autoscaling "h" is invalid: ';
const withoutGroup = `${invalid}spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group`;
const unexpected = `${invalid}spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`;

// The answers are those of kube-apiserver v1.36.3.
it('an autoscaler may scale replication controllers of the core group, and no other kind of it', async () => {
  const { request } = newServedCluster();
  const send = async (method: string, body: object): Promise<unknown> => {
    const { status, body: text } = await request(method, method === 'POST' ? path : `${path}/h`, { body });
    return status < 300 ? status : JSON.parse(String(text)).message;
  };
  expect(await send('POST', autoscaler('v1', 'Deployment'))).toBe(withoutGroup);
  expect(await send('POST', autoscaler('a/b/c', 'ReplicationController'))).toBe(unexpected);
  expect(await send('POST', autoscaler('v1', 'ReplicationController'))).toBe(201);
  expect(await send('PUT', autoscaler('v1', 'Deployment'))).toBe(withoutGroup);
});

it('an update may keep errors of the old autoscaler', async () => {
  const { cluster, request } = newServedCluster();
  const describedObject = { apiVersion: 'a/b/c', kind: 'K', name: 'n' };
  const metrics = [{ type: 'Object', object: { describedObject, metric: { name: 'm' }, target: { type: 'Value', value: '1' } } }];
  cluster.store.create(toValue(autoscaler('v1', 'Deployment', { minReplicas: 0, metrics })) as ValueMap);
  const { status } = await request('PUT', `${path}/h`, {
    body: autoscaler('v1', 'Deployment', { minReplicas: 0, metrics, maxReplicas: 4 }),
  });
  expect(status).toBe(200);
});
