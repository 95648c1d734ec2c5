import { answerWithEffects } from '../../../client/run/run-calls.js';
import { writeValue } from '../../../go/json/write.js';
import { stringAt, toValue, type ValueMap } from '../../../go/value.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { isDefinition } from '../../../kubernetes/definition-resources.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import type { OutageStep } from '../../../lint/outage/outage-step.js';
import type { LintedWebhook } from '../../../lint/rule.js';
import { effectsFor } from '../../shell/effects.js';
import { onlyWebhook, simulatedObject, toMap, withoutPlugins } from './simulated-calls.js';

/** Answers as a service without endpoints does. */
const answerAsDown: CallWebhook = async ({ url }) => ({
  outcome: 'failed',
  class: 'tcp',
  message: `Post "${url}": dial tcp 10.0.0.1:443: connect: connection refused`,
  durationMs: 0,
});

/** Returns the steps that the API server refuses while a webhook is down, with no other webhook registered. */
export async function tryStepsWhileDown(
  server: ApiServer,
  webhook: LintedWebhook,
  { objects, steps }: { readonly objects: readonly ValueMap[]; readonly steps: readonly OutageStep[] },
): Promise<OutageStep[]> {
  const others = objects.filter(object => stringAt(object, 'kind') === 'Namespace' || isDefinition(object));
  const base = [onlyWebhook(webhook), ...others, certificateRequests];
  const refused: OutageStep[] = [];
  for (const step of steps) {
    const existing = step.existing === undefined ? [] : [simulatedObject(step.existing)];
    const state: ClusterState = { server, objects: [...base, ...existing], presumesNamespaces: true, options: withoutPlugins };
    const { decision, webhooks } = await answerWithEffects(callOfStep(step), state, () => effectsFor(answerAsDown));
    if (!decision.allowed && decision.decidedBy !== undefined && webhooks[decision.decidedBy]?.outcome === 'callFailed') refused.push(step);
  }
  return refused;
}

/** Returns the call of a step. */
export function callOfStep(step: OutageStep): ApiCall {
  const { group, version, namespace, name, operation, username, groups } = step;
  const [resource = '', subresource] = step.resource.split('/', 2);
  const path = [
    group === '' ? `/api/${version}` : `/apis/${group}/${version}`,
    ...(namespace === '' ? [] : ['namespaces', namespace]),
    ...[resource, name, subresource ?? ''].filter(part => part !== ''),
  ].join('/');
  const isCreate = operation === 'CREATE';
  return {
    method: isCreate ? 'POST' : 'PATCH',
    path,
    contentType: isCreate ? 'application/json' : 'application/merge-patch+json',
    body: Buffer.from(writeValue(toValue(step.body), 'kept')),
    user: { username, groups },
  };
}

/** The definition of cert-manager's requests, reduced to what a call needs. */
const certificateRequests: ValueMap = toMap({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'certificaterequests.cert-manager.io' },
  spec: {
    group: 'cert-manager.io',
    scope: 'Namespaced',
    names: {
      plural: 'certificaterequests',
      singular: 'certificaterequest',
      kind: 'CertificateRequest',
      listKind: 'CertificateRequestList',
    },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});
