import { expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import type { WebhookAnswer, WebhookCall } from '../../../src/kubernetes/webhook-call.js';
import { clusterStateWith } from '../../support/cluster-state.js';

const webhook = {
  clientConfig: { url: 'https://webhook.example.com/' },
  rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'], scope: '*' }],
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
};
const configuration = (kind: string, name: string): ValueMap =>
  toValue({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, webhooks: [{ ...webhook, name }] }) as ValueMap;

it('a review keeps its original name, even if a webhook changes it', async () => {
  const objects = [
    configuration('MutatingWebhookConfiguration', 'm.example.com'),
    configuration('ValidatingWebhookConfiguration', 'v.example.com'),
  ];
  const patch = Buffer.from('[{"op":"replace","path":"/metadata/name","value":"b"}]').toString('base64');
  const reviewed: unknown[] = [];
  const callWebhook = async ({ body }: WebhookCall): Promise<WebhookAnswer> => {
    const { uid, name, object } = (JSON.parse(body) as { request: { uid: string; name: string; object: { metadata: object } } }).request;
    reviewed.push([name, object.metadata]);
    const response = { uid, allowed: true, ...(reviewed.length === 1 ? { patchType: 'JSONPatch', patch } : {}) };
    const answer = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
    return { outcome: 'answered', statusCode: 200, headers: [], body: Buffer.from(JSON.stringify(answer)), durationMs: 1 };
  };
  const call = {
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    contentType: 'application/json',
    body: Buffer.from('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview","metadata":{"name":"a"}}'),
  };
  await handleCall(call, clusterStateWith({ objects }), {
    callWebhook,
    uid: () => '11111111-1111-4111-8111-111111111111',
    now: () => new Date(0),
    random: () => 0,
    elapsedMs: () => 0,
  });
  expect(reviewed).toEqual([
    ['a', { name: 'a' }],
    ['a', { name: 'b' }],
  ]);
});
