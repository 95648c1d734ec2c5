import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { KubernetesMinor } from '../../src/kubernetes/kubernetes-version.js';
import { openApiReply } from '../../src/local-apiserver/discovery/openapi-reply.js';
import { discovered } from '../../src/local-apiserver/discovery/served-groups.js';
import { apiServers } from '../support/server.js';
import { newServedCluster } from './support/served-cluster.js';

interface Recorded {
  readonly definitions: readonly object[];
  /** ETags of the documents of kube-apiserver v1.36.3 and v1.37.2: hashes of all their bytes. */
  readonly etags: Readonly<Record<string, string>>;
  /** Some of the paths that v1.37.2 publishes, and their form in protobuf. */
  readonly paths: Readonly<Record<string, object>>;
  readonly protobuf: Readonly<Record<string, string>>;
}

const recorded: Recorded = JSON.parse(readFileSync('fixtures/local-apiserver/openapi-v2-documents.json', 'utf8'));

async function readDocument(minor: KubernetesMinor, accept: string) {
  const { request, cluster } = newServedCluster([], apiServers({ minor }));
  for (const body of recorded.definitions)
    expect((await request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body })).status).toBe(201);
  const incoming = {
    method: 'GET',
    url: '/openapi/v2',
    headers: [['accept', accept] as const],
    peer: undefined,
    body: () => Promise.resolve(new Uint8Array()),
  };
  const reply = openApiReply(incoming, discovered(cluster.state()));
  if (reply === undefined) throw new Error('no reply');
  return reply;
}

it('OpenAPI v2 has the paths of custom resources', async () => {
  const reply = await readDocument('v1.37', 'application/json');
  const { paths } = JSON.parse(String(reply.body));
  for (const [path, item] of Object.entries(recorded.paths)) expect(paths[path]).toEqual(item);
});

it.each(['v1.36', 'v1.37'] as const)('OpenAPI v2 with custom resources is byte for byte that of kube-apiserver %s', async minor => {
  const reply = await readDocument(minor, 'application/json');
  expect(Object.fromEntries(reply.headers)['ETag']).toBe(recorded.etags[minor]);
});

it('OpenAPI v2 in protobuf has the paths of custom resources', async () => {
  const reply = await readDocument('v1.37', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf');
  const bytes = Buffer.from(reply.body as Uint8Array);
  for (const item of Object.values(recorded.protobuf)) expect(bytes.includes(Buffer.from(item, 'base64'))).toBe(true);
});
