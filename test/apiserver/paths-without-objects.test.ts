import { expect, it } from 'vitest';
import { newServedCluster } from '../local-apiserver/support/served-cluster.js';

/** Recorded on kube-apiserver v1.36.3. */
it.each([
  ['/api/v1/namespaces/default/bindings/a', 404],
  ['/api/v1/bindings', 404],
  ['/api/v1/namespaces/default/bindings', 405],
  ['/apis/authorization.k8s.io/v1/subjectaccessreviews/a', 404],
  ['/apis/authorization.k8s.io/v1/subjectaccessreviews', 405],
  ['/apis/authorization.k8s.io/v1/localsubjectaccessreviews', 404],
  ['/apis/authentication.k8s.io/v1/tokenreviews/x', 404],
  ['/api/v1/componentstatuses/x', 405],
])('resources that are only created have no paths of objects, nor one for all namespaces: %s is %i', async (path, code) => {
  const { request } = newServedCluster();
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect([method, (await request(method, path)).status]).toEqual([method, code]);
});
