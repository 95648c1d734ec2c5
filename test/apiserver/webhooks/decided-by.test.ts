import { describe, expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import type { Report } from '../../../src/apiserver/report/report.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { defaultServerOptions } from '../../../src/kubernetes/server-options.js';
import type { CallWebhook, WebhookAnswer } from '../../../src/kubernetes/webhook-call.js';
import { clusterStateWith } from '../../support/cluster-state.js';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

function configuration(kind: 'Mutating' | 'Validating', names: readonly string[], more: object = {}): ValueMap {
  const webhooks = names.map(name => ({
    name: `${name}.example.com`,
    clientConfig: { url: 'https://127.0.0.1:8443/' },
    rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  }));
  return toValue({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: kind.toLowerCase() },
    webhooks,
  }) as ValueMap;
}

type Reply = 'allow' | 'deny' | 'patch' | 'fail';

function answerOf(reply: Reply, review: string): WebhookAnswer {
  if (reply === 'fail') {
    const reason = 'dial tcp 127.0.0.1:8443: connect: connection refused';
    return { outcome: 'failed', class: 'tcp', message: `Post "https://127.0.0.1:8443/?timeout=10s": ${reason}`, reason, durationMs: 1 };
  }
  const uid = /"uid":"([^"]*)"/.exec(review)?.[1];
  const patch = Buffer.from('[{"op":"remove","path":"/none"}]').toString('base64');
  const response = { uid, allowed: reply !== 'deny', ...(reply === 'patch' ? { patchType: 'JSONPatch', patch } : {}) };
  const body = Buffer.from(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }));
  return { outcome: 'answered', statusCode: 200, headers: [['content-type', 'application/json']], body, durationMs: 1 };
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

/** Creates a pod; each webhook answers with its reply, one after the other as they are listed. */
async function created(replies: Readonly<Record<string, Reply>>, configurations: readonly ValueMap[]): Promise<Report> {
  const order = Object.keys(replies);
  const turns = new Map<string, Promise<void>>();
  for (const name of order) turns.set(name, Promise.all(turns.values()).then(nextTurn));
  const callWebhook: CallWebhook = async call => {
    const name = call.webhook.replace('.example.com', '');
    await turns.get(name);
    return answerOf(replies[name] ?? 'allow', call.body);
  };
  const call = {
    method: 'POST',
    path: '/api/v1/namespaces/n/pods',
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify(pod)),
  };
  const options = { ...defaultServerOptions, disabledPlugins: ['ServiceAccount'] };
  return handleCall(call, clusterStateWith({ objects: configurations, options }), effectsFor(callWebhook));
}

function decider({ decision, webhooks }: Report): string | undefined {
  return decision.decidedBy === undefined ? undefined : webhooks[decision.decidedBy]?.webhook;
}

describe('the webhook that decided', () => {
  it('is none when the call is allowed, or a failure is ignored', async () => {
    const validating = configuration('Validating', ['a'], { failurePolicy: 'Ignore' });
    expect(decider(await created({ a: 'fail' }, [validating]))).toBeUndefined();
  });

  it('is the validating webhook whose refusal arrives first', async () => {
    const validating = configuration('Validating', ['a', 'b', 'c']);
    expect(decider(await created({ b: 'deny', a: 'fail', c: 'deny' }, [validating]))).toBe('b.example.com');
    expect(decider(await created({ c: 'fail', a: 'deny', b: 'allow' }, [validating]))).toBe('c.example.com');
  });

  it.each(['deny', 'fail', 'patch'] as const)('is the mutating webhook that ends the call: %s', async reply => {
    const mutating = configuration('Mutating', ['a', 'b', 'c']);
    const report = await created({ a: 'allow', b: reply }, [mutating]);
    expect([report.decision.allowed, decider(report)]).toEqual([false, 'b.example.com']);
  });

  it('is the webhook whose match condition fails', async () => {
    const matchConditions = [
      { name: 'ok', expression: 'true' },
      { name: 'bad', expression: 'object.spec.none == 1' },
    ];
    const report = await created({}, [configuration('Validating', ['a'], { matchConditions })]);
    expect(decider(report)).toBe('a.example.com');
    expect(report.webhooks[0]?.skipReason?.conditions).toEqual([{ index: 1, error: 'no such key: none' }]);
  });
});

describe('an entry', () => {
  it('has its own exchange, and none when nothing was sent', async () => {
    const mutating = configuration('Mutating', ['a', 'b']);
    const validating = configuration('Validating', ['c'], { objectSelector: { matchLabels: { team: 'x' } } });
    const { webhooks } = await created({ a: 'allow', b: 'allow' }, [mutating, validating]);
    expect(webhooks.map(({ exchange }) => exchange?.call.webhook)).toEqual(['a.example.com', 'b.example.com', undefined]);
    expect(webhooks.map(({ exchange, requestBody }) => exchange?.call.body === requestBody)).toEqual([true, true, true]);
  });

  it('explains a failure by the stage it happened at', async () => {
    const { webhooks } = await created({ a: 'fail' }, [configuration('Mutating', ['a'])]);
    expect(webhooks[0]?.failure).toMatchObject({ class: 'tcp', fault: 'webhook' });
    expect(webhooks[0]?.failure?.message).toBe(
      'failed to call webhook: Post "https://127.0.0.1:8443/?timeout=10s": dial tcp 127.0.0.1:8443: connect: connection refused',
    );
  });
});
