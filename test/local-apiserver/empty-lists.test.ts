import { describe, expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

async function listed(path: string, accept: string) {
  const { body } = await newServedCluster().request('GET', path, { headers: { accept } });
  return JSON.parse(String(body));
}

/** As kube-apiserver v1.36.3 writes them: a list that is made by its first item is null without one. */
describe('lists without objects', () => {
  it('of metadata have no items', async () => {
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
    expect((await listed('/api/v1/pods', accept)).items).toBeNull();
    expect((await listed('/api/v1/pods', 'application/json')).items).toEqual([]);
  });

  it.each([
    ['/api/v1/limitranges', null],
    ['/apis/storage.k8s.io/v1/csistoragecapacities', null],
    ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', null],
    ['/apis/rbac.authorization.k8s.io/v1/roles?fieldSelector=metadata.name%3Dnope', null],
    ['/api/v1/pods', []],
    ['/api/v1/configmaps?fieldSelector=metadata.name%3Dnope', []],
  ])('%s as a Table', async (path, rows) => {
    expect((await listed(path, 'application/json;as=Table;g=meta.k8s.io;v=v1')).rows).toEqual(rows);
  });
});
