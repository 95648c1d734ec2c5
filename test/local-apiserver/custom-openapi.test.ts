import { expect, it } from 'vitest';
import { customOpenApi } from '../../src/local-apiserver/discovery/custom-openapi.js';
import { discovered } from '../../src/local-apiserver/discovery/served-groups.js';
import { fooDefinition } from './support/foo-definition.js';
import { newServedCluster } from './support/served-cluster.js';

const rules = [{ rule: 'has(self.e)', message: 'no e' }];
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };

it('OpenAPI of custom resources has rules, and the members of embedded objects', async () => {
  const { request, cluster } = newServedCluster();
  const spec = { type: 'object', properties: { e: embedded }, 'x-kubernetes-validations': rules };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  const body = fooDefinition({ schema: { openAPIV3Schema } });
  expect((await request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body })).status).toBe(201);
  const { server, resourcesOf } = discovered(cluster.state());
  const document = JSON.parse(customOpenApi(server, 'a.com', 'v1', resourcesOf('a.com', 'v1')).json());
  const published = document.components.schemas['com.a.v1.Foo'].properties.spec;
  expect(published['x-kubernetes-validations']).toEqual(rules);
  const { e } = published.properties;
  // As kube-apiserver v1.36.3 publishes them.
  expect(e).toMatchObject({ ...embedded, required: ['kind', 'apiVersion'] });
  expect(Object.keys(e.properties)).toEqual(['apiVersion', 'kind', 'metadata']);
  expect(e.properties.metadata.allOf).toEqual([{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }]);
});

it.each([
  [{}, false],
  [{ scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } }, true],
])('OpenAPI of custom resources with the subresources %j has the schemas of a Scale: %s', async (subresources, isThere) => {
  const { request, cluster } = newServedCluster();
  const body = fooDefinition({ subresources });
  expect((await request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body })).status).toBe(201);
  const { server, resourcesOf } = discovered(cluster.state());
  const { schemas } = JSON.parse(customOpenApi(server, 'a.com', 'v1', resourcesOf('a.com', 'v1')).json()).components;
  const scale = ['Scale', 'ScaleSpec', 'ScaleStatus'].map(kind => `io.k8s.api.autoscaling.v1.${kind}`);
  expect(scale.map(name => name in schemas)).toEqual([isThere, isThere, isThere]);
  expect(schemas).toHaveProperty(['com.a.v1.Foo']);
  expect(schemas).toHaveProperty(['io.k8s.apimachinery.pkg.apis.meta.v1.StatusCause']);
});
