import { expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { allowingAnswer } from '../../../src/client/run/allowing-webhook.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import type { WebhookCall } from '../../../src/kubernetes/webhook-call.js';
import { clusterStateWith } from '../../support/cluster-state.js';

const call = {
  method: 'POST',
  path: '/api/v1/namespaces/default/configmaps',
  contentType: 'application/json',
  body: Buffer.from('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}'),
};

it.each(['v1', 'v1beta1'])('a %s call has the bundle byte for byte, one timeout, and the version and uid of its review', async version => {
  const caBundle = Uint8Array.of(0x50, 0xff, 0x00, 0xc3, 0x28);
  const webhook = {
    name: 'v.example.com',
    clientConfig: { url: 'https://webhook.example.com/v', caBundle: Buffer.from(caBundle).toString('base64') },
    rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'], scope: '*' }],
    admissionReviewVersions: [version],
    sideEffects: 'None',
    timeoutSeconds: 7,
  };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const configuration = { apiVersion, kind: 'ValidatingWebhookConfiguration', metadata: { name: 'v' }, webhooks: [webhook] };
  const sent: WebhookCall[] = [];
  const { decision } = await handleCall(call, clusterStateWith({ objects: [toValue(configuration) as ValueMap] }), {
    callWebhook: async review => {
      sent.push(review);
      return allowingAnswer(review);
    },
    uid: () => '11111111-1111-4111-8111-111111111111',
    now: () => new Date(0),
    random: () => 0,
    elapsedMs: () => 0,
  });
  const [only] = sent;
  const review = JSON.parse(only?.body ?? '');
  expect([decision.allowed, sent.length]).toEqual([true, 1]);
  expect(new Uint8Array(only?.caBundle ?? [])).toEqual(caBundle);
  expect([only?.uid, only?.apiVersion]).toEqual([review.request.uid, review.apiVersion]);
  expect([only?.timeoutSeconds, only?.deadlineMs, only?.url]).toEqual([7, 7000, 'https://webhook.example.com/v?timeout=7s']);
});
