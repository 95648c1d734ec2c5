import { describe, expect, it } from 'vitest';
import { discovered } from '../../src/local-apiserver/discovery/served-groups.js';
import { conditionsOf, define, definitionsPath, mergePatch, read } from './support/boats.js';
import { newServedCluster } from './support/served-cluster.js';

const boats = '/apis/sea.example.com/v1/namespaces/default/boats';
const boat = { apiVersion: 'sea.example.com/v1', kind: 'Boat', metadata: { name: 'a' } };
const names = 'NamesAccepted=True NoConflicts: no conflicts found';
const established = 'Established=True InitialNamesAccepted: the initial names have been accepted';
const invalid = 'Established=False InvalidCABundle: The conversion webhook CABundle is invalid';

/** As kube-apiserver v1.36.3 and v1.37.2 answer. */
describe('a definition whose conversion has an unusable caBundle', () => {
  it.each([
    ['text that is not PEM', 'bm90IGEgY2VydA==', 500],
    ['white space', 'Cg==', 201],
  ])('is not established, with %s', async (_, caBundle, status) => {
    const cluster = newServedCluster();
    await define(cluster, { caBundle });
    expect(await conditionsOf(cluster)).toEqual([names, invalid]);
    expect(discovered(cluster.cluster.state()).groups.map(({ group }) => group)).not.toContain('sea.example.com');
    expect((await cluster.request('POST', boats, { body: boat })).status).toBe(status);
    expect((await read(cluster, `${boats}/a`)).status).toBe(status === 201 ? 200 : 500);
    expect(cluster.cluster.store.list({ group: 'sea.example.com', kind: 'Boat' })).toHaveLength(status === 201 ? 1 : 0);
  });

  it('is established when it gets another one', async () => {
    const cluster = newServedCluster();
    await define(cluster, { caBundle: 'Cg==' });
    const body = { spec: { conversion: { webhook: { clientConfig: { caBundle: null } } } } };
    await cluster.request('PATCH', `${definitionsPath}/boats.sea.example.com`, { body, headers: mergePatch });
    expect(await conditionsOf(cluster)).toEqual([names, established]);
  });
});

describe('a definition in a group of the Kubernetes community', () => {
  const group = 'zoo.k8s.io';
  const annotated = (approval: string) => ({ group, annotations: { 'api-approved.kubernetes.io': approval } });

  it('tells whether its API is approved', async () => {
    const cluster = newServedCluster();
    await define(cluster, annotated('https://github.com/kubernetes/kubernetes/pull/1'));
    const approved = 'approved in https://github.com/kubernetes/kubernetes/pull/1';
    expect(await conditionsOf(cluster, group)).toEqual([
      names,
      established,
      `KubernetesAPIApprovalPolicyConformant=True ApprovedAnnotation: ${approved}`,
    ]);
    const body = { metadata: annotated('unapproved, x') };
    await cluster.request('PATCH', `${definitionsPath}/boats.${group}`, { body, headers: mergePatch });
    expect((await conditionsOf(cluster, group))[2]).toBe(
      'KubernetesAPIApprovalPolicyConformant=False UnapprovedAnnotation: not approved: "unapproved, x"',
    );
  });

  it('has conditions that belong to the API server', async () => {
    const cluster = newServedCluster();
    await define(cluster, annotated('unapproved'));
    const { body } = await read(cluster, `${definitionsPath}/boats.${group}`);
    const [entry] = body.metadata.managedFields.filter((e: { manager: string }) => e.manager === 'kube-apiserver');
    expect(entry.subresource).toBe('status');
    const types = ['Established', 'KubernetesAPIApprovalPolicyConformant', 'NamesAccepted'];
    expect(Object.keys(entry.fieldsV1['f:status']['f:conditions'])).toEqual(types.map(type => `k:{"type":"${type}"}`));
  });
});

it('a definition that waits for finalizers allows no creation, and says so in discovery', async () => {
  const cluster = newServedCluster();
  await define(cluster);
  const body = { ...boat, metadata: { name: 'a', finalizers: ['a.com/f'] } };
  expect((await cluster.request('POST', boats, { body })).status).toBe(201);
  await cluster.request('DELETE', `${definitionsPath}/boats.sea.example.com`, { body: {} });
  const { aggregatedDocument } = await import('../../src/local-apiserver/discovery/aggregated-documents.js');
  const { items } = JSON.parse(aggregatedDocument(discovered(cluster.cluster.state()), 'apis'));
  const [served] = items.filter((item: { metadata: { name?: string } }) => item.metadata.name === 'sea.example.com');
  expect(served.versions[0].resources[0].verbs).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
});
