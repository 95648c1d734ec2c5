import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openApiReply } from '../../src/local-apiserver/discovery/openapi-reply.js';
import { discovered } from '../../src/local-apiserver/discovery/served-groups.js';
import { fooDefinition } from './support/foo-definition.js';
import { newServedCluster } from './support/served-cluster.js';

interface Recorded {
  readonly name: string;
  readonly schema: object;
  readonly foo: object;
  readonly fooList: object;
}

/** Schemas of definitions, and what kube-apiserver v1.36.3 and v1.37.2 publish of them in /openapi/v2. */
const recorded: readonly Recorded[] = JSON.parse(readFileSync('fixtures/local-apiserver/openapi-v2.json', 'utf8'));

it.each(recorded)(
  'OpenAPI v2 has the schema of the custom resource "$name" as kube-apiserver publishes it',
  async ({ name, schema, foo, fooList }) => {
    const { request, cluster } = newServedCluster();
    const body = fooDefinition({ schema: { openAPIV3Schema: schema } });
    expect((await request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body })).status).toBe(201);
    const incoming = { method: 'GET', url: '/openapi/v2', headers: [], peer: undefined, body: () => Promise.resolve(new Uint8Array()) };
    const reply = openApiReply(incoming, discovered(cluster.state()));
    const { definitions } = JSON.parse(String(reply?.body));
    const ofTest = (part: object): object =>
      JSON.parse(JSON.stringify(part).replaceAll(`${name}.example.com`, 'a.com').replaceAll(`com.example.${name}`, 'com.a'));
    expect(definitions['com.a.v1.Foo']).toEqual(ofTest(foo));
    expect(definitions['com.a.v1.FooList']).toEqual(ofTest(fooList));
  },
);
