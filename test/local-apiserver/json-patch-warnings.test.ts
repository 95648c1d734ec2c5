import { expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

const configMaps = '/api/v1/namespaces/default/configmaps';

/** Warnings of kube-apiserver v1.36.3. */
it.each([
  [
    '[{"op":"add","path":"/data/a","value":"1","foo":1},{"op":"add","path":"/data/b","path":"/data/c","value":"1"}]',
    ['json patch unknown field "[0].foo"', 'json patch duplicate field "[1].path"'],
  ],
  [
    '[{"foo":1,"foo":2,"op":"add","op":"add","op":"add","bar":1,"path":"/data/a","value":"1"}]',
    ['json patch unknown field "[0].foo"', 'json patch duplicate field "[0].op"', 'json patch unknown field "[0].bar"'],
  ],
  [
    '[{"op":"add","path":"/data/a","value":{"x":1,"x":2},"value":"1"}]',
    ['json patch duplicate field "[0].value.x"', 'json patch duplicate field "[0].value"'],
  ],
  [
    '[{"op":"add","path":"/data/a","value":"1"},{"op":"test","path":"/data/a","value":"1","a b":2,"from":"","from":""}]',
    ['json patch unknown field "[1].a b"', 'json patch duplicate field "[1].from"'],
  ],
  [
    '[{"op":"add","path":"/metadata/annotations","value":{"x":"1","x":"2"}}]',
    ['json patch duplicate field "[0].value.x"', 'duplicate field "metadata.annotations.x"'],
  ],
])('%s: warnings in the order of the patch', async (body, warnings) => {
  const { request } = newServedCluster();
  await request('POST', configMaps, { body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: 'y' } } });
  const patch = (validation: string): ReturnType<typeof request> =>
    request('PATCH', `${configMaps}/a?fieldValidation=${validation}`, { body, headers: { 'content-type': 'application/json-patch+json' } });
  const strict = await patch('Strict');
  expect([strict.status, JSON.parse(String(strict.body)).message]).toEqual([
    422,
    expect.stringContaining(`: strict decoding error: ${warnings.join(', ')}`),
  ]);
  const { status, headers } = await patch('Warn');
  const sent = headers.filter(([name]) => name === 'Warning').map(([, value]) => value);
  expect([status, sent]).toEqual([200, warnings.map(text => `299 - "${text.replaceAll('"', '\\"')}"`)]);
});
