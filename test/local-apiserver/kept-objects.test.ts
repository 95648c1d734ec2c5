import { describe, expect, it } from 'vitest';
import { forgetShown } from '../../src/apiserver/storage/shown-object.js';
import type { ValueMap } from '../../src/go/value.js';
import { bytesOfBody } from '../../src/local-apiserver/http/exchange.js';
import { casesOf, readFolder } from '../corpus/files.js';
import { newServedCluster, type ServedCluster } from './support/served-cluster.js';

interface Recorded {
  readonly call: { readonly method: string; readonly path: string; readonly contentType?: string; readonly body?: string };
}

/** One recorded creation for each collection. */
function recordedCreations(): Recorded['call'][] {
  const first = new Map<string, Recorded['call']>();
  for (const name of ['requests', 'configuration']) {
    for (const { call } of readFolder(name).flatMap(file => casesOf(file) as unknown as Recorded[]))
      if (call?.method === 'POST' && typeof call.body === 'string') first.set(collectionOf(call.path), call);
  }
  return [...first.values()];
}

/** Path of a collection in all namespaces. */
function collectionOf(path: string): string {
  return path.replace(/\?.*/, '').replace(/\/namespaces\/[^/]+\/([^/]+)$/, '/$1');
}

async function createRecorded({ request }: ServedCluster): Promise<string[]> {
  const created: string[] = [];
  for (const { path, body = '', contentType = 'application/json' } of recordedCreations()) {
    const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
    if (namespace !== undefined) await request('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
    const { status } = await request('POST', path.replace(/[?&]dryRun=All/, ''), { body, headers: { 'content-type': contentType } });
    if (status === 201) created.push(collectionOf(path));
  }
  return created;
}

const forms = [
  'application/json',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
];

describe('objects kept decoded since they were written', () => {
  it('are listed like objects decoded from the store', { timeout: 60_000 }, async () => {
    const served = newServedCluster();
    const stored: ValueMap[] = [];
    served.cluster.store.subscribe(({ object }) => {
      if (object !== undefined) stored.push(object);
    });
    const collections = await createRecorded(served);
    expect(collections.length).toBeGreaterThan(10);
    for (const collection of collections) {
      for (const accept of forms) {
        const kept = await served.request('GET', collection, { headers: { accept } });
        for (const object of stored) forgetShown(object);
        const decoded = await served.request('GET', collection, { headers: { accept } });
        expect({ collection, accept, body: bytesOfBody(kept.body) }).toEqual({ collection, accept, body: bytesOfBody(decoded.body) });
      }
    }
  });
});
