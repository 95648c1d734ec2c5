import { describe, expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { isMap, toValue, type ValueMap } from '../../../src/go/value.js';
import { type ApiServerOptions, defaultServerOptions, flagValues, serverOptions } from '../../../src/kubernetes/server-options.js';
import type { CallWebhook } from '../../../src/kubernetes/webhook-call.js';
import { clusterStateWith } from '../../support/cluster-state.js';

function map(value: object): ValueMap {
  const made = toValue(value);
  if (!isMap(made)) throw new Error('no object');
  return made;
}

const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const version = (name: string): object => ({
  name,
  served: name !== 'v1alpha1',
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: loose, status: loose } } },
  subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
});
const definition = map({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Lamp', plural: 'lamps' },
    versions: ['v1', 'v1beta1', 'v1alpha1', 'v2'].map(version),
    conversion: {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:1/convert', caBundle: 'Q0E=' } },
    },
  },
});
const metadata = {
  name: 'a',
  namespace: 'default',
  uid: 'u',
  resourceVersion: '7',
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
};
const lamp = { apiVersion: 'example.com/v1', kind: 'Lamp', metadata, spec: { n: 1 } };
const path = '/apis/example.com/v1/namespaces/default/lamps';

/** Requests to the conversion webhook: target version, and `spec.n` and finalizers of the stored object. */
async function conversions(
  call: { readonly method: string; readonly path?: string; readonly body?: object; readonly contentType?: string },
  { object = lamp, options = defaultServerOptions }: { readonly object?: object; readonly options?: ApiServerOptions } = {},
): Promise<{ readonly status: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const callWebhook: CallWebhook = async ({ body }) => {
    const { request } = JSON.parse(body);
    const [first] = request.objects;
    const { finalizers = [], resourceVersion } = first.metadata;
    expect(resourceVersion).toBeUndefined();
    asked.push(`${first.apiVersion} to ${request.desiredAPIVersion}: ${first.spec.n} ${finalizers}`.replaceAll('example.com/', '').trim());
    const convertedObjects = request.objects.map((one: object) => ({ ...one, apiVersion: request.desiredAPIVersion }));
    const response = { uid: request.uid, convertedObjects, result: { status: 'Success' } };
    const answer = JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response });
    return { outcome: 'answered', statusCode: 200, headers: [], body: Buffer.from(answer), durationMs: 0 };
  };
  const state = clusterStateWith({ objects: [definition, map(object)], options });
  const { body, contentType = 'application/json', ...request } = call;
  const sent = { path: `${path}/a`, ...request, ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)), contentType }) };
  const { answer } = await handleCall(sent, state, effectsFor(callWebhook));
  return { status: answer.status, asked };
}

const patch = (body: object): { method: string; body: object; contentType: string } => ({
  method: 'PATCH',
  body,
  contentType: 'application/merge-patch+json',
});
const both = (what: string): string[] => [`v1 to v1beta1: ${what}`, `v1 to v2: ${what}`];

/** As in kube-apiserver v1.36.3 with default flags, where the order of the two is random. */
describe('the watch caches of other served versions', () => {
  it.each([
    ['an object that is new', { method: 'POST', path, body: { ...lamp, metadata: { name: 'b' } } }, 201, both('1')],
    ['what replaces it', { method: 'PUT', body: { ...lamp, spec: { n: 2 } } }, 200, both('2')],
    ['what patches it', patch({ spec: { n: 2 } }), 200, both('2')],
    ['its status', { ...patch({ status: { n: 2 } }), path: `${path}/a/status` }, 200, both('1')],
    ['its scale', { ...patch({ spec: { replicas: 5 } }), path: `${path}/a/scale` }, 200, both('5')],
    ['its end', { method: 'DELETE' }, 200, both('1')],
    ['the end of all', { method: 'DELETE', path }, 200, both('1')],
  ])('update for %s', async (_, call, status, asked) => {
    expect(await conversions(call)).toEqual({ status, asked });
  });

  it.each([
    ['what changes nothing', patch({ spec: { n: 1 } })],
    ['a dry run', { ...patch({ spec: { n: 2 } }), path: `${path}/a?dryRun=All` }],
    ['a read', { method: 'GET' }],
  ])('do not update for %s', async (_, call) => {
    expect(await conversions(call)).toEqual({ status: 200, asked: [] });
  });

  it('are not served if a flag disables them', async () => {
    expect(await conversions(patch({ spec: { n: 2 } }), { options: serverOptions(flagValues(['--watch-cache=false'])) })).toEqual({
      status: 200,
      asked: [],
    });
  });

  it('update when an object waits for its finalizers, and when the last one is removed', async () => {
    const kept = { ...lamp, metadata: { ...metadata, finalizers: ['example.com/keep'] } };
    expect(await conversions({ method: 'DELETE' }, { object: kept })).toEqual({ status: 200, asked: both('1 keep') });
    const leaving = { ...kept, metadata: { ...kept.metadata, deletionTimestamp: '2026-01-02T00:00:00Z', deletionGracePeriodSeconds: 0 } };
    expect(await conversions(patch({ metadata: { finalizers: null } }), { object: leaving })).toEqual({
      status: 200,
      asked: both('1 keep'),
    });
  });

  it('update with the stored version of objects written in another version', async () => {
    const { asked } = await conversions({ ...patch({ spec: { n: 2 } }), path: `${path.replace('v1', 'v2')}/a` });
    // The answer to the client first, then the caches.
    expect(asked.slice(-3)).toEqual(['v1 to v2: 2', ...both('2')]);
  });
});
