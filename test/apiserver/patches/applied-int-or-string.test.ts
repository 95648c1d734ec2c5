import { expect, it } from 'vitest';
import { newServedCluster } from '../../local-apiserver/support/served-cluster.js';

/** The OpenAPI schema of an IntOrString has no type, so that only decoding refuses a map or a list. That of a quantity is a scalar. */
it.each([
  [
    {},
    'to proper version: unable to convert unstructured object to /v1, Kind=Service: json: cannot unmarshal object into Go value of type int32',
  ],
  [
    [1],
    'to proper version: unable to convert unstructured object to /v1, Kind=Service: json: cannot unmarshal array into Go value of type int32',
  ],
])('an applied service with the target port %j', async (targetPort, message) => {
  const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 3, targetPort }] } };
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  const answer = await newServedCluster().request('PATCH', '/api/v1/namespaces/default/services/s?fieldManager=m', { body, headers });
  expect([answer.status, JSON.parse(String(answer.body)).message]).toEqual([
    500,
    `failed to convert new object (/s; /v1, Kind=Service) ${message}`,
  ]);
});
