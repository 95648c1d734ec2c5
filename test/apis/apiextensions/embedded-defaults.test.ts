import { expect, it } from 'vitest';
import { thingsDefinition, thingsVersion } from '../../support/things.js';
import { write } from '../../support/written-object.js';

it('drops unknown metadata from the defaults of embedded resources', async () => {
  const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };
  const resource = { apiVersion: 'v1', kind: 'Thing', other: 1, metadata: { name: 'e', x: 1, labels: {} } };
  const a = { type: 'object', properties: { b: { type: 'array', items: embedded } }, default: { b: [resource] } };
  const { status, body } = await write({
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    object: thingsDefinition([thingsVersion({ type: 'object', properties: { a } })]),
  });
  expect(status).toBe(201);
  const stored = { apiVersion: 'v1', kind: 'Thing', other: 1, metadata: { name: 'e' } };
  expect(body.spec.versions[0].schema.openAPIV3Schema.properties.a.default).toEqual({ b: [stored] });
});
