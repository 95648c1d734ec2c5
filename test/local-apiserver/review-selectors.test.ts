import { expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

const bad = { key: 'a', operator: 'Nope', values: ['x'] };
const good = { key: 'a', operator: 'In', values: ['x'] };
const ignored = (name: string, how = ''): string => `spec.resourceAttributes.${name} ${how}ignored due to parse error`;

/** As kube-apiserver v1.36.3. */
it.each([
  [{ labelSelector: { requirements: [bad] } }, ignored('labelSelector')],
  [{ labelSelector: { requirements: [bad, good] } }, ignored('labelSelector', 'partially ')],
  [{ labelSelector: { rawSelector: 'a in (' } }, ignored('labelSelector')],
  [{ labelSelector: { rawSelector: 'a in (b)' } }, undefined],
  [{ labelSelector: { requirements: [good] } }, undefined],
  [{ fieldSelector: { requirements: [{ key: 'a', operator: 'Exists' }] } }, ignored('fieldSelector')],
  [{ fieldSelector: { requirements: [{ ...good, values: ['x', 'y'] }] } }, ignored('fieldSelector')],
  [{ fieldSelector: { requirements: [good] } }, undefined],
  [{ fieldSelector: { rawSelector: 'a' } }, ignored('fieldSelector')],
  [
    { fieldSelector: { requirements: [bad] }, labelSelector: { requirements: [bad] } },
    `${ignored('fieldSelector')}; ${ignored('labelSelector')}`,
  ],
  [{}, undefined],
])('a review of the selectors %j tells %j', async (selectors, message) => {
  const { request } = newServedCluster();
  const spec = { user: 'alice', resourceAttributes: { verb: 'list', resource: 'pods', ...selectors } };
  const { status, body } = await request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { body: { spec } });
  expect(status).toBe(201);
  expect(JSON.parse(String(body)).status).toEqual({ allowed: false, ...(message === undefined ? {} : { evaluationError: message }) });
});
