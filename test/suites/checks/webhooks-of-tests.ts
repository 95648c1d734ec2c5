import { handleCall } from '../../../src/apiserver/handle-call.js';
import { isMap, listAt, stringAt, toValue, type Value, type ValueMap } from '../../../src/go/value.js';
import type { ApiCall, ClusterState } from '../../../src/kubernetes/api-call.js';
import type { WebhookAnswer, WebhookCall } from '../../../src/kubernetes/webhook-call.js';
import type { CheckedCall } from '../../../src/suites/checks/checked-call.js';
import type { HandlerAnswer, HandlerCase } from '../../../src/webhook-server/handler.js';
import { answerReview } from '../../../src/webhook-server/server.js';
import { clusterStateWith } from '../../support/cluster-state.js';

/** A test webhook: its handler, and additional registration fields. */
export interface TestWebhook {
  readonly handler: HandlerCase;
  readonly phase?: 'mutating' | 'validating';
  readonly entry?: Readonly<Record<string, unknown>>;
}

/** A call made with these webhooks, ordered by name, and the number of further requests to each. */
export async function checkedCall(
  call: ApiCall,
  webhooks: Readonly<Record<string, TestWebhook>>,
  objects: readonly object[] = [],
): Promise<CheckedCall & { readonly asked: string[] }> {
  const asked: string[] = [];
  const state = clusterStateWith({
    objects: [...Object.entries(webhooks).map(([name, webhook]) => registration(name, webhook)), ...objects.map(mapOf)],
  });
  const send = async (sent: WebhookCall): Promise<WebhookAnswer> => {
    const name = new URL(sent.url).hostname;
    asked.push(name);
    const handler = webhooks[name]?.handler;
    if (handler === undefined || sent.phase === 'conversion') throw new Error(`nobody listens at ${name}`);
    const body = Buffer.from(answerReview(sent.body, sent.phase, handler));
    return { outcome: 'answered', statusCode: 200, headers: [['content-type', 'application/json']], body, durationMs: 1 };
  };
  const exchanges: { call: WebhookCall; answer: WebhookAnswer }[] = [];
  const again = (other: ApiCall, inState: ClusterState, keep = false) =>
    handleCall(other, inState, {
      callWebhook: async sent => {
        const answer = await send(sent);
        if (keep) exchanges.push({ call: sent, answer });
        return answer;
      },
      uid: () => '6b1cd3c4-1f0c-4a3e-8b9f-2f6f2a1d9c10',
      now: () => new Date('2026-01-02T03:04:05Z'),
      random: () => 0.5,
      elapsedMs: () => 0,
    });
  const report = await again(call, state, true);
  asked.length = 0;
  return { call, state, report, exchanges, again, send, asked };
}

function registration(name: string, { phase = 'mutating', entry = {} }: TestWebhook): ValueMap {
  return mapOf({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name,
        clientConfig: { url: `https://${name}/` },
        rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...entry,
      },
    ],
  });
}

/** `kubectl create` of an object. */
export function creation(path: string, object: object): ApiCall {
  return { method: 'POST', path, contentType: 'application/json', body: Buffer.from(JSON.stringify(object)) };
}

export const podCreation = creation('/api/v1/namespaces/default/pods', {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'nginx:1' }] },
});

/** A handler without changes. */
export const passive: HandlerCase = () => ({ allowed: true });

/** A handler that patches every object with the given operations. */
export function patching(patchOf: (object: ValueMap, request: ValueMap) => readonly object[]): HandlerCase {
  return request => {
    const object = request.get('object');
    return { allowed: true, patch: isMap(object) ? patchOf(object, request).map(toValue) : [] };
  };
}

/** Adds a sidecar with this name, once. */
export function sidecar(name: string): HandlerCase {
  return patching(pod =>
    listAt(pod, 'spec', 'containers').some(container => stringAt(container, 'name') === name) ? [] : [addedContainer(name)],
  );
}

/** The operation that adds a container. */
export function addedContainer(name: string): object {
  return { op: 'add', path: '/spec/containers/-', value: { name, image: `${name}:1` } };
}

/** A refusal. */
export function refused(message: string): HandlerAnswer {
  return { allowed: false, code: 403, reason: 'Forbidden', message };
}

export function mapOf(data: object): ValueMap {
  const value: Value = toValue(data);
  if (!isMap(value)) throw new Error('an object becomes a map');
  return value;
}
