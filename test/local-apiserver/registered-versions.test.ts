import { describe, expect, it } from 'vitest';
import { newServedCluster, type ServedCluster } from './support/served-cluster.js';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const schema = { openAPIV3Schema: { type: 'object' } };

function definition(plural: string, versions: Readonly<Record<string, boolean>>): object {
  const kind = plural.toUpperCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.x.example.com` },
    spec: {
      group: 'x.example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: Object.entries(versions).map(([name, served], i) => ({ name, served, storage: i === 0, schema })),
    },
  };
}

async function registered({ request }: ServedCluster): Promise<string[]> {
  const { items } = JSON.parse(String((await request('GET', apiServices)).body));
  return items.map((item: { metadata: { name: string } }) => item.metadata.name).filter((name: string) => name.endsWith('.x.example.com'));
}

async function clusterWithThings(): Promise<ServedCluster> {
  const cluster = newServedCluster();
  await cluster.request('POST', definitions, { body: definition('things', { v1: true, v1beta1: true, v2: false }) });
  await cluster.request('POST', definitions, { body: definition('others', { v1: true }) });
  return cluster;
}

/** As kube-apiserver v1.37 does within milliseconds. */
describe('the API services of versions that definitions serve', () => {
  it('are there while a definition serves them', async () => {
    const cluster = await clusterWithThings();
    expect(await registered(cluster)).toEqual(['v1.x.example.com', 'v1beta1.x.example.com']);
    await cluster.request('DELETE', `${definitions}/things.x.example.com`, { body: {} });
    expect(await registered(cluster)).toEqual(['v1.x.example.com']);
    await cluster.request('DELETE', `${definitions}/others.x.example.com`, { body: {} });
    expect(await registered(cluster)).toEqual([]);
  });

  it('have what the API server writes', async () => {
    const { request } = await clusterWithThings();
    expect(JSON.parse(String((await request('GET', `${apiServices}/v1.x.example.com`)).body))).toMatchObject({
      metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' }, managedFields: [{ manager: 'kube-apiserver' }] },
      spec: { group: 'x.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local', message: 'Local APIServices are always available' }] },
    });
  });

  it('come back when they are deleted or changed', async () => {
    const cluster = await clusterWithThings();
    const uid = async (): Promise<string> =>
      JSON.parse(String((await cluster.request('GET', `${apiServices}/v1.x.example.com`)).body)).metadata.uid;
    const first = await uid();
    const headers = { 'content-type': 'application/merge-patch+json', 'user-agent': 'kubectl/v1.37.2' };
    const body = { metadata: { annotations: { a: 'b' } }, spec: { versionPriority: 5 } };
    const answer = await cluster.request('PATCH', `${apiServices}/v1.x.example.com`, { headers, body });
    expect(JSON.parse(String(answer.body)).spec.versionPriority).toBe(5);
    const after = JSON.parse(String((await cluster.request('GET', `${apiServices}/v1.x.example.com`)).body));
    expect([after.metadata.uid, after.spec.versionPriority, after.metadata.annotations]).toEqual([first, 100, { a: 'b' }]);
    expect(after.metadata.managedFields).toMatchObject([
      { manager: 'kube-apiserver', fieldsV1: { 'f:spec': { 'f:versionPriority': {} } } },
      { manager: 'kubectl', fieldsV1: { 'f:metadata': { 'f:annotations': { '.': {}, 'f:a': {} } } } },
    ]);
    await cluster.request('DELETE', `${apiServices}/v1.x.example.com`, { body: {} });
    expect(await uid()).not.toBe(first);
  });

  it('are left alone if somebody else wrote them', async () => {
    const cluster = newServedCluster();
    const spec = { group: 'x.example.com', version: 'v1', groupPriorityMinimum: 7, versionPriority: 7 };
    const own = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: 'v1.x.example.com' }, spec };
    await cluster.request('POST', apiServices, { body: own });
    await cluster.request('POST', definitions, { body: definition('things', { v1: true }) });
    await cluster.request('DELETE', `${definitions}/things.x.example.com`, { body: {} });
    expect(await registered(cluster)).toEqual(['v1.x.example.com']);
  });
});
