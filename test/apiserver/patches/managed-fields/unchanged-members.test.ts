import { expect, it } from 'vitest';
import { newServedCluster } from '../../../local-apiserver/support/served-cluster.js';

const template = {
  metadata: { labels: { a: 'b' } },
  spec: {
    containers: [
      { name: 'c', image: 'i:1', ports: [{ containerPort: 80 }], resources: { requests: { cpu: '0.1', memory: '1024Mi' } }, env: [] },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
    tolerations: [],
  },
};
const objects: [string, object][] = [
  ['/api/v1/namespaces/default/pods', { apiVersion: 'v1', kind: 'Pod', spec: template.spec }],
  ['/api/v1/namespaces/default/services', { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80 }], selector: {} } }],
  ['/api/v1/namespaces/default/secrets', { apiVersion: 'v1', kind: 'Secret', data: { a: '' }, stringData: { b: 'c' } }],
  [
    '/apis/apps/v1/namespaces/default/deployments',
    { apiVersion: 'apps/v1', kind: 'Deployment', spec: { selector: { matchLabels: { a: 'b' } }, template } },
  ],
  [
    '/apis/batch/v1/namespaces/default/jobs',
    { apiVersion: 'batch/v1', kind: 'Job', spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
  ],
  [
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' },
        maxReplicas: 3,
        metrics: [{ type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1000m' } } }],
      },
    },
  ],
];

/** An apply takes the members that it does not change from the stored object, without decoding them. */
it.each(objects)('an apply that changes an annotation leaves an object of %s as a merge patch does', async (path, object) => {
  const { request } = newServedCluster();
  const metadata = { name: 'x' };
  expect((await request('POST', path, { body: { ...object, metadata } })).status).toBe(201);
  const annotate = async (value: string, type: string): Promise<Record<string, unknown>> => {
    const { apiVersion, kind } = object as { apiVersion: string; kind: string };
    const body = { apiVersion, kind, metadata: { ...metadata, annotations: { a: value } } };
    const headers = { 'content-type': `application/${type}` };
    const answer = await request('PATCH', `${path}/x?fieldManager=m${type === 'apply-patch+yaml' ? '&force=true' : ''}`, { body, headers });
    expect(answer.status).toBe(200);
    const changed = JSON.parse(String(answer.body));
    expect(changed.metadata.annotations).toMatchObject({ a: value });
    // A change of annotations is a new generation of a Deployment.
    const { annotations, generation, managedFields, resourceVersion, ...others } = changed.metadata;
    return { ...changed, metadata: others };
  };
  const merged = await annotate('1', 'merge-patch+json');
  expect(await annotate('2', 'apply-patch+yaml')).toEqual(merged);
  expect(await annotate('3', 'apply-patch+yaml')).toEqual(merged);
});

it('an apply removes what its manager no longer applies', async () => {
  const { request } = newServedCluster();
  const path = '/api/v1/namespaces/default/configmaps';
  const apply = async (data: object, manager: string): Promise<object> => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    return JSON.parse(String((await request('PATCH', `${path}/x?fieldManager=${manager}`, { body, headers })).body)).data;
  };
  expect(await apply({ a: '1', b: '1' }, 'm')).toEqual({ a: '1', b: '1' });
  expect(await apply({ b: '1', c: '1' }, 'n')).toEqual({ a: '1', b: '1', c: '1' });
  expect(await apply({ a: '2', b: '1' }, 'm')).toEqual({ a: '2', b: '1', c: '1' });
  expect(await apply({ a: '2' }, 'm')).toEqual({ a: '2', b: '1', c: '1' });
  expect(await apply({ c: '1' }, 'n')).toEqual({ a: '2', c: '1' });
});
