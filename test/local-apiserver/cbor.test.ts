import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { jsonOfCbor } from '../../src/encoding/cbor/read-cbor.js';
import type { HttpReply } from '../../src/local-apiserver/http/exchange.js';
import { bytesOfBody } from '../../src/local-apiserver/http/exchange.js';
import { fooDefinition } from './support/foo-definition.js';
import { newServedCluster } from './support/served-cluster.js';
import { startWatch } from './support/start-watch.js';

interface Recorded {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** In hexadecimal. */
  readonly body?: string;
  readonly contentType?: string;
  readonly accept: string;
  readonly status: number;
  readonly type: string;
  /** In hexadecimal, if it is CBOR. */
  readonly answer: string;
}

/** Requests in CBOR, and the answers of kube-apiserver v1.36.3 with CBORServingAndStorage, in order. */
const recorded: readonly Recorded[] = JSON.parse(readFileSync('fixtures/local-apiserver/cbor.json', 'utf8'));

const gate = '--feature-gates=CBORServingAndStorage=true';

/** Sorts keys, which CBOR has in random order, and masks what differs between servers. */
function masked(json: string): unknown {
  const text = json
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/("resourceVersion":\s*)"\d+"/g, '$1"RV"')
    .replace(/("continue":\s*)"\w{10,}"/g, '$1"CONTINUE"');
  return JSON.parse(text);
}

function firstFrame({ stream }: HttpReply): Promise<Uint8Array> {
  return new Promise(resolve => startWatch(stream, frame => resolve(Buffer.from(frame))));
}

/** The first object of a sequence; recorded ones are not separated. */
function firstOf(bytes: Buffer): Buffer {
  const next = bytes.indexOf(Buffer.from('d9d9f7a2', 'hex'), 3);
  return next === -1 ? bytes : bytes.subarray(0, next);
}

it('reads and writes CBOR as kube-apiserver with the feature gate', async () => {
  const { request } = newServedCluster([gate]);
  const definition = fooDefinition({ schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } });
  expect((await request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition })).status).toBe(201);
  for (const { name, method, path, body, contentType, accept, status, type, answer } of recorded) {
    const headers = { accept, 'user-agent': 'kubectl', ...(contentType === undefined ? {} : { 'content-type': contentType }) };
    const reply = await request(method, path, {
      headers,
      ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body, 'hex')) }),
    });
    const [, sentType = ''] = reply.headers.find(([header]) => header === 'Content-Type') ?? [];
    expect([name, reply.status, sentType]).toEqual([name, status, type]);
    const sent = reply.stream === undefined ? bytesOfBody(reply.body) : Buffer.from(await firstFrame(reply));
    const isCbor = type.startsWith('application/cbor');
    const expected = isCbor ? jsonOfCbor(firstOf(Buffer.from(answer, 'hex'))) : answer;
    expect([name, masked(isCbor ? jsonOfCbor(sent) : sent.toString('utf8'))]).toEqual([name, masked(expected)]);
  }
});

it('refuses CBOR without the feature gate', async () => {
  const { request } = newServedCluster();
  const answers = [
    await request('POST', '/api/v1/namespaces/default/configmaps', { headers: { 'content-type': 'application/cbor' }, body: 'x' }),
    await request('GET', '/api/v1/namespaces', { headers: { accept: 'application/cbor' } }),
    await request('PATCH', '/api/v1/namespaces/default', { headers: { 'content-type': 'application/apply-patch+cbor' }, body: 'x' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([415, 406, 415]);
});
