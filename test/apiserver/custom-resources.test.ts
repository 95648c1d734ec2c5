import { describe, expect, it } from 'vitest';
import { handleCall } from '../../src/apiserver/handle-call.js';
import { effectsFor } from '../../src/cli/shell/effects.js';
import type { ValueMap } from '../../src/go/value.js';
import { type ApiServerOptions, defaultServerOptions, flagValues, serverOptions } from '../../src/kubernetes/server-options.js';
import type { CallWebhook, WebhookCall } from '../../src/kubernetes/webhook-call.js';
import { clusterStateWith } from '../support/cluster-state.js';
import { mapOf } from '../support/map-of.js';
import { thingsDefinition, thingsVersion } from '../support/things.js';

type Json = Readonly<Record<string, unknown>>;

const schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { replicas: { type: 'integer' } } },
    status: { type: 'object', default: {}, properties: { phase: { type: 'string', default: 'New' }, replicas: { type: 'integer' } } },
  },
};

function definition(more: Json = {}, versions: readonly string[] = ['v1']): ValueMap {
  const subresources = { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } };
  return mapOf(
    thingsDefinition(
      versions.map(name => thingsVersion(schema, { subresources }, name)),
      more,
    ),
  );
}

const conversion = {
  strategy: 'Webhook',
  webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:1/convert', caBundle: '' } },
};

const validating = mapOf({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'v' },
  webhooks: [
    {
      name: 'v.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/v', caBundle: '' },
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'], scope: '*' }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      failurePolicy: 'Fail',
      matchPolicy: 'Exact',
      timeoutSeconds: 10,
      namespaceSelector: {},
      objectSelector: {},
    },
  ],
});

const namespace = mapOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
const metadata = { name: 'a', namespace: 'team', uid: 'u', resourceVersion: '7', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' };
const stored = mapOf({ apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: { replicas: 1 }, status: { phase: 'New' } });
const path = '/apis/example.com/v1/namespaces/team/things';

interface Made {
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** Makes a call; returns the answer and the reviews. Every webhook allows; `convert` handles conversions. */
async function made(
  { method = 'GET', path: at = `${path}/a`, body, contentType = 'application/json' }: Made,
  {
    crd = definition(),
    options = defaultServerOptions,
    objects = [stored],
  }: Partial<{ crd: ValueMap; options: ApiServerOptions; objects: readonly ValueMap[] }> = {},
) {
  const calls: WebhookCall[] = [];
  const callWebhook: CallWebhook = async call => {
    calls.push(call);
    const { request } = JSON.parse(call.body);
    const response =
      call.phase === 'conversion'
        ? { uid: request.uid, result: { status: 'Failure', message: 'cannot' } }
        : { uid: request.uid, allowed: true };
    const kind = call.phase === 'conversion' ? 'ConversionReview' : 'AdmissionReview';
    const apiVersion = call.phase === 'conversion' ? 'apiextensions.k8s.io/v1' : 'admission.k8s.io/v1';
    const text = JSON.stringify({ apiVersion, kind, response });
    return { outcome: 'answered', statusCode: 200, headers: [], body: Buffer.from(text), durationMs: 0 };
  };
  const state = clusterStateWith({ objects: [namespace, crd, validating, ...objects], presumesNamespaces: false, options });
  const call = {
    method,
    path: at,
    ...(body === undefined ? {} : { body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), contentType }),
  };
  return { ...(await handleCall(call, state, effectsFor(callWebhook))).answer, calls };
}

const unchanged = { method: 'PATCH', body: {}, contentType: 'application/merge-patch+json' };

describe('a no-op update', () => {
  it('runs twice if the status shown by reading was never written', async () => {
    expect((await made(unchanged)).calls).toHaveLength(2);
    expect((await made({ ...unchanged, path: `${path}/a?dryRun=All` })).calls).toHaveLength(1);
    expect((await made(unchanged, { options: serverOptions(flagValues(['--watch-cache=false'])) })).calls).toHaveLength(1);
  });

  it('runs once if the status was written', async () => {
    const written = new Map(stored);
    const entry = { manager: 'm', operation: 'Update', apiVersion: 'example.com/v1', fieldsType: 'FieldsV1', subresource: 'status' };
    written.set('metadata', mapOf({ ...metadata, managedFields: [{ ...entry, fieldsV1: { 'f:status': { 'f:phase': {} } } }] }));
    expect((await made(unchanged, { objects: [written] })).calls).toHaveLength(1);
  });
});

it.each([
  ['# only\n', 'application/yaml'],
  ['a: b\n', 'application/yaml'],
  ['{}\n', 'application/json'],
])('a body without a kind is shown as it was sent: %j', async (body, contentType) => {
  const { status, body: answer } = await made({ method: 'POST', path, body, contentType });
  expect(status).toBe(400);
  expect(JSON.parse(answer).message).toContain(`Object 'Kind' is missing in '${body}'`);
});

describe('versions that a definition does not serve', () => {
  it.each([
    ['POST', `${path}/a/status`, 405, 'create is not supported on resources of kind "things.example.com"'],
    ['DELETE', `${path}/a/scale`, 405, 'delete is not supported on resources of kind "things.example.com"'],
    ['GET', `${path}/a/log`, 404, 'things.example.com "a" not found'],
  ])('%s %s', async (method, at, status, message) => {
    const answer = await made({ method, path: at, body: {} });
    expect([answer.status, JSON.parse(answer.body).message]).toEqual([status, message]);
  });
});

describe('an apply', () => {
  const applied = { method: 'PATCH', contentType: 'application/apply-patch+yaml' };
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing' };

  it.each<[string, Made, number, string]>([
    [
      'to a Scale is taken for a version of the resource',
      {
        path: `${path}/a/scale?fieldManager=m&force=true`,
        body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 5 } },
      },
      500,
      'failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1',
    ],
    [
      'to a status needs the object',
      { path: `${path}/b/status?fieldManager=m`, body: { ...thing, metadata: { name: 'b' } } },
      404,
      'things.example.com "b" not found',
    ],
    [
      'must name the object',
      { path: `${path}/b?fieldManager=m`, body: thing },
      400,
      'the name of the object (b based on URL) was undeterminable: name must be provided',
    ],
    [
      'creates no object of a given uid',
      { path: `${path}/b?fieldManager=m`, body: { ...thing, metadata: { name: 'b', uid: 'x' } } },
      409,
      'Operation cannot be fulfilled on things.example.com "b": uid mismatch: the provided object specified uid x, and no existing object was found',
    ],
  ])('%s', async (_name, call, status, message) => {
    const answer = await made({ ...applied, ...call });
    expect([answer.status, JSON.parse(answer.body).message]).toEqual([status, message]);
  });
});

it('an apply shows webhooks what only storage drops: unknown fields, empty annotations', async () => {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { spec: { type: 'object' } } };
  const crd = definition({ versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }] });
  const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a', annotations: {} }, spec: { other: 1 } };
  const apply = { method: 'PATCH', contentType: 'application/apply-patch+yaml', path: `${path}/a?fieldManager=m`, body };
  const { calls, ...answer } = await made(apply, { crd });
  const seen = JSON.parse(calls[0]?.body ?? '').request.object;
  const stored = JSON.parse(answer.body);
  expect([seen.metadata.annotations, seen.spec.other]).toEqual([{}, 1]);
  expect([stored.metadata.annotations, stored.spec.other]).toEqual([undefined, undefined]);
});

it('a member of a wrong type fails a rule that only tests for its presence', async () => {
  const spec = { type: 'object', properties: { count: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule: 'has(self.count)' }] };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  const crd = definition({ versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }] });
  const body = '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"b"},"spec":{"count":30e-1}}';
  const answer = await made({ method: 'POST', path, body }, { crd });
  expect(JSON.parse(answer.body).message).toBe(
    'Thing.example.com "b" is invalid: spec: Invalid value: "object": invalid data, expected int, got float64 evaluating rule: has(self.count)',
  );
});

describe('objects of another kind', () => {
  it("are sent to webhooks as the endpoint's kind, and rejected as their own kind", async () => {
    const body = { apiVersion: 'example.com/v1', kind: 'Other', metadata: { name: 'b' } };
    const answer = await made({ method: 'POST', path, body });
    expect(JSON.parse(answer.body).message).toBe('Other.example.com "b" is invalid: kind: Invalid value: "Other": must be Thing');
  });
});

describe('a list', () => {
  it('is as new as the collection, whatever it selects', async () => {
    const answer = await made({ path: `${path}?fieldSelector=metadata.name%3Dnone` });
    expect(JSON.parse(answer.body)).toMatchObject({ items: [], metadata: { resourceVersion: '7' } });
  });
});

describe('a conversion webhook', () => {
  const crd = definition({ conversion }, ['v1', 'v2']);

  it('that fails ends a watch with an event', async () => {
    const answer = await made({ path: '/apis/example.com/v2/namespaces/team/things?watch=true' }, { crd });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ type: 'ERROR', object: { reason: 'InternalError', code: 500 } });
  });

  it('is called again for every other version of a created object, by the watch cache', async () => {
    const create = { method: 'POST', path, body: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'b' } } };
    const phases = async (...flags: string[]) =>
      (await made(create, { crd, options: serverOptions(flagValues(flags)) })).calls.map(call => call.phase);
    expect(await phases()).toEqual(['validating', 'conversion']);
    expect(await phases('--watch-cache=false')).toEqual(['validating']);
  });
});

it.each([
  [{ apiVersion: null }, '', '.apiVersion accessor error: <nil> is of the type <nil>, expected string'],
  [{ apiVersion: 'example.com/v2' }, 'v2', 'json: cannot unmarshal array into Go struct field ObjectMeta.labels of type string'],
])('names the version of the body that it cannot read: %j', async (type, version, reason) => {
  const body = { kind: 'Thing', metadata: { name: 'b', labels: { a: [] } }, ...type };
  const answer = await made({ method: 'POST', path, body });
  expect(JSON.parse(answer.body).message).toBe(`Thing in version "${version}" cannot be handled as a Thing: ${reason}`);
});

describe('an owner in a version that the definition no longer has', () => {
  const entry = { manager: 'other', operation: 'Update', apiVersion: 'example.com/v1beta1', fieldsType: 'FieldsV1' };
  const owned = new Map(stored).set('metadata', mapOf({ ...metadata, managedFields: [{ ...entry, fieldsV1: { 'f:spec': {} } }] }));

  it('is removed by an update, with all others', async () => {
    const change = { method: 'PATCH', contentType: 'application/merge-patch+json', body: { spec: { replicas: 2 } } };
    const answer = await made(change, { objects: [owned] });
    expect([answer.status, JSON.parse(answer.body).metadata.managedFields]).toEqual([200, undefined]);
  });

  it('makes an apply fail', async () => {
    const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: { replicas: 2 } };
    const answer = await made(
      { method: 'PATCH', path: `${path}/a?fieldManager=m&force=true`, contentType: 'application/apply-patch+yaml', body },
      { objects: [owned] },
    );
    const message = 'request to convert CR to an invalid group/version: example.com/v1beta1';
    expect(JSON.parse(answer.body)).toEqual({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
  });
});
