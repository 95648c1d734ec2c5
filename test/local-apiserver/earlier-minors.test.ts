import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { builtInDocuments } from '../../src/local-apiserver/discovery/openapi-documents.js';
import { answerDocument } from '../../src/local-apiserver/document-reply.js';
import { bytesOfBody } from '../../src/local-apiserver/http/exchange.js';
import { readData } from '../../src/local-apiserver/recorded/data-file.js';
import { apiServers } from '../support/server.js';
import { newServedCluster, type ServedCluster } from './support/served-cluster.js';

async function documentOf({ cluster }: ServedCluster, url: string): Promise<unknown> {
  const incoming = { method: 'GET', url, headers: [], peer: undefined, body: () => Promise.resolve(new Uint8Array()) };
  const reply = await answerDocument(incoming, cluster.state());
  return reply?.status === 200 ? JSON.parse(String(reply.body)) : reply?.status;
}

async function namesAt(served: ServedCluster, url: string): Promise<string[]> {
  const { resources } = (await documentOf(served, url)) as { readonly resources: readonly { readonly name: string }[] };
  return resources.map(({ name }) => name);
}

describe.each(kubernetesMinors)('the local API server of %s', minor => {
  it('publishes OpenAPI documents with the recorded hashes', () => {
    const documents = [...builtInDocuments(apiServers({ minor })).values()].filter(({ hash }) => hash !== '-');
    expect(documents).toHaveLength(minor === 'v1.37' || minor === 'v1.38' ? 49 : 47);
    for (const { path, hash, json } of documents)
      expect([path, createHash('sha512').update(json()).digest('hex').toUpperCase()]).toEqual([path, hash]);
  });

  it.each([
    ['columns.json', 'resources'],
    ['health-checks.json', 'readyz'],
    ['storage-version-hashes.json', '/v1/pods'],
    ['version.json', 'gitVersion'],
  ])('has %s as the server was recorded', (file, key) => {
    expect(JSON.parse(readData(apiServers({ minor }), file).toString('utf8'))).toHaveProperty([key]);
  });

  it('reports its version, resources and health checks', async () => {
    const served = newServedCluster([], apiServers({ minor }));
    expect(await documentOf(served, '/version')).toMatchObject({
      minor: minor.slice('v1.'.length),
      gitVersion: { 'v1.34': 'v1.34.4', 'v1.35': 'v1.35.4', 'v1.36': 'v1.36.3', 'v1.37': 'v1.37.2', 'v1.38': 'v1.38.0-beta.0' }[minor],
    });
    const policies = await namesAt(served, '/apis/admissionregistration.k8s.io/v1');
    expect(policies.includes('mutatingadmissionpolicies')).toBe(minor >= 'v1.36');
    const paths = await documentOf(served, '/');
    expect(JSON.stringify(paths).includes('"/flagz"')).toBe(minor >= 'v1.36');
  });

  it('creates objects by its own rules and prints its own columns', async () => {
    const { request } = newServedCluster([], apiServers({ minor }));
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: '1s' }, spec: { ports: [{ port: 80 }] } };
    const { status } = await request('POST', '/api/v1/namespaces/default/services', { body: service });
    expect(status).toBe(minor >= 'v1.36' ? 201 : 422);
    const table = await request('GET', '/api/v1/serviceaccounts', { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } });
    const { columnDefinitions } = JSON.parse(String(table.body)) as { readonly columnDefinitions: readonly { readonly name: string }[] };
    expect(columnDefinitions.map(({ name }) => name)).toEqual(minor === 'v1.34' ? ['Name', 'Secrets', 'Age'] : ['Name', 'Age']);
  });
});

it('reads and writes protobuf with the fields of v1.35', async () => {
  const { request } = newServedCluster(
    ['--disable-admission-plugins=ServiceAccount', '--feature-gates=GenericWorkload=true'],
    apiServers({ minor: 'v1.35', featureGates: 'GenericWorkload=true' }),
  );
  const spec = { containers: [{ name: 'c', image: 'i' }], workloadRef: { name: 'w', podGroup: 'g' } };
  const pods = '/api/v1/namespaces/default/pods';
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
  const protobuf = 'application/vnd.kubernetes.protobuf';
  const { body } = await request('POST', `${pods}?dryRun=All`, { body: pod, headers: { accept: protobuf } });
  const written = await request('POST', pods, { body: bytesOfBody(body), headers: { 'content-type': protobuf } });
  expect(JSON.parse(String(written.body))).toMatchObject({ spec: { workloadRef: { name: 'w', podGroup: 'g' } } });
});

it('becomes an API server of another version, as cases of suites for several versions need it', async () => {
  const served = newServedCluster();
  expect(await documentOf(served, '/version')).toMatchObject({ minor: '36' });
  served.cluster.become(apiServers({ minor: 'v1.34' }));
  expect(await documentOf(served, '/version')).toMatchObject({ minor: '34' });
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: '1s' }, spec: { ports: [{ port: 80 }] } };
  expect(await served.request('POST', '/api/v1/namespaces/default/services', { body: service })).toMatchObject({ status: 422 });
});

it('lists the groups of definitions among the root paths', async () => {
  const served = newServedCluster();
  const names = { plural: 'toys', singular: 'toy', kind: 'Toy', listKind: 'ToyList' };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'toys.example.net' },
    spec: { group: 'example.net', scope: 'Namespaced', names, versions: [version] },
  };
  await served.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  const { paths } = (await documentOf(served, '/')) as { readonly paths: readonly string[] };
  expect(paths.filter(path => path.includes('example.net'))).toEqual(['/apis/example.net', '/apis/example.net/v1']);
  expect(paths).toEqual([...paths].sort());
});
