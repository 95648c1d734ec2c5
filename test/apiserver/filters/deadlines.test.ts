import { describe, expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import type { WebhookAnswer, WebhookCall } from '../../../src/kubernetes/webhook-call.js';
import { clusterStateWith } from '../../support/cluster-state.js';

const url = 'https://webhook.example.com/';

/**
 * Creates an object with that many allowing mutating webhooks with a timeout of 30 seconds; each takes the given time on the test's clock.
 */
async function creation(webhooks: number, msEach: number, query = '') {
  let clock = 0;
  const deadlines: number[] = [];
  const configuration = toValue({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'slow' },
    webhooks: Array.from({ length: webhooks }, (_, i) => ({
      name: `w${i}.example.com`,
      clientConfig: { url },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'], scope: '*' }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      reinvocationPolicy: 'Never',
      timeoutSeconds: 30,
      namespaceSelector: {},
      objectSelector: {},
    })),
  }) as ValueMap;
  const state = clusterStateWith({ objects: [configuration] });
  const body = Buffer.from('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"default"}}');
  const call = { method: 'POST', path: `/api/v1/namespaces/default/configmaps${query}`, contentType: 'application/json', body };
  const { decision } = await handleCall(call, state, {
    callWebhook: async ({ deadlineMs, body: review }: WebhookCall): Promise<WebhookAnswer> => {
      deadlines.push(deadlineMs);
      clock += Math.min(msEach, deadlineMs);
      const durationMs = msEach;
      if (msEach > deadlineMs)
        return { outcome: 'failed', class: 'time', message: `Post "${url}?timeout=30s": context deadline exceeded`, durationMs };
      const { uid } = (JSON.parse(review) as { request: { uid: string } }).request;
      const answer = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } };
      return { outcome: 'answered', statusCode: 200, headers: [], body: Buffer.from(JSON.stringify(answer)), durationMs };
    },
    uid: () => '00000000-0000-4000-8000-000000000000',
    now: () => new Date(0),
    random: () => 0,
    elapsedMs: () => clock,
  });
  return { code: decision.code, message: decision.status?.get('message'), deadlines };
}

describe('the time of a whole call', () => {
  it('gives each webhook the remaining time', async () => {
    expect(await creation(3, 10_000)).toEqual({ code: 201, message: undefined, deadlines: [30_000, 24_000, 14_000] });
  });

  it('ends after 34 seconds, regardless of webhook timeouts', async () => {
    const { code, message, deadlines } = await creation(2, 20_000);
    expect(deadlines).toEqual([30_000, 14_000]);
    expect([code, message]).toEqual([504, 'Timeout: request did not complete within requested timeout - context deadline exceeded']);
  });

  it('ends earlier with a timeout in the call', async () => {
    const { code, message, deadlines } = await creation(2, 4_000, '?timeout=7s');
    expect(deadlines).toEqual([7_000, 3_000]);
    expect([code, message]).toEqual([504, 'Timeout: request did not complete within the allotted timeout']);
  });
});
