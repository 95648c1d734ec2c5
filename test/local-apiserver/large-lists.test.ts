import { crc32, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { combineCrc32 } from '../../src/local-apiserver/http/crc32.js';
import { type HttpReply, isLargeBody } from '../../src/local-apiserver/http/exchange.js';
import { newServedCluster, type ServedCluster } from './support/served-cluster.js';

const path = '/api/v1/namespaces/default/configmaps';
const accepted = [
  'application/json',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
];

/** A letter of two bytes is more bytes than characters; numbers do not compress well. */
function configMap(index: number): object {
  const digits = Array.from({ length: 300 }, (_, i) => Math.imul(index + 1, 2654435761 + i) >>> 0).join('ü');
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `map-${index}`, annotations: { digits } } };
}

/** Checks that the compressed list is the list, and returns it. */
async function listTwice({ request }: ServedCluster, accept: string): Promise<string> {
  const { body }: HttpReply = await request('GET', path, { headers: { accept } });
  if (!isLargeBody(body)) throw new Error('the list is small');
  const bytes = Buffer.from(body.bytes());
  expect(gunzipSync(body.zipped()).equals(bytes)).toBe(true);
  return bytes.toString('latin1');
}

it.each(accepted)('compresses a large list as %s, in chunks of which some are known', { timeout: 30_000 }, async accept => {
  const served = newServedCluster();
  await served.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } });
  for (let i = 0; i < 150; i += 2) await served.request('POST', path, { body: configMap(i) });
  const first = await listTwice(served, accept);
  expect(await listTwice(served, accept)).toBe(first);
  for (const i of [0, 70, 148]) await served.request('PUT', `${path}/map-${i}`, { body: { ...configMap(i), data: { changed: 'yes' } } });
  const changed = await listTwice(served, accept);
  expect(changed).not.toBe(first);
  for (const i of [1, 71]) await served.request('POST', path, { body: configMap(i) });
  await served.request('DELETE', `${path}/map-2`, { body: '', headers: { 'content-type': '' } });
  const last = await listTwice(served, accept);
  expect([last.includes('map-71'), last.includes('map-70'), /map-2\W/.test(last)]).toEqual([true, true, false]);
});

it('combines the checksums of parts', () => {
  const [first, second] = [Buffer.from('kube'), Buffer.alloc(70_000, 'apiserver')];
  expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(crc32(Buffer.concat([first, second])));
  expect(combineCrc32(crc32(first), 0, 0)).toBe(crc32(first));
});
