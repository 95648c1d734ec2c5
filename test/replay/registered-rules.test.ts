import { describe, expect, it } from 'vitest';
import { toValue, type ValueMap } from '../../src/go/value.js';
import type { ClusterState } from '../../src/kubernetes/api-call.js';
import type { LoggedEvent } from '../../src/replay/logged-event.js';
import { registeredRules } from '../../src/replay/registered-rules.js';
import { clusterStateWith } from '../support/cluster-state.js';

const webhooks = (...rules: readonly object[]): object => ({
  kind: 'ValidatingWebhookConfiguration',
  apiVersion: 'admissionregistration.k8s.io/v1',
  webhooks: [{ name: 'guard.example.com', rules }],
});
const policy = (resourceRules: readonly object[]): object => ({
  kind: 'ValidatingAdmissionPolicy',
  apiVersion: 'admissionregistration.k8s.io/v1',
  spec: { matchConstraints: { resourceRules } },
});
const stateOf = (...objects: readonly object[]): ClusterState =>
  clusterStateWith({ objects: objects.map(object => toValue(object) as ValueMap) });
const deployments = { operations: ['CREATE', 'UPDATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };

interface Written {
  readonly verb?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly code?: number;
  readonly message?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly responseText?: string;
}

const eventOf = ({ verb = 'create', group = '', resource = 'configmaps', subresource = '', ...rest }: Written): LoggedEvent => ({
  ...{ place: { source: 'audit.log', line: 1 }, auditId: 'a', level: 'RequestResponse', stage: 'ResponseComplete' },
  ...{ requestUri: '/', username: 'ann', userText: '{}', userAgent: '', requestText: '{}', atMs: 0, message: '' },
  ...{ verb, objectRef: { group, resource, subresource, namespace: 'shop', name: 'web', generateName: '' } },
  ...{ code: 200, annotations: {}, responseText: '{}', ...rest },
});

describe('calls that concern a webhook or a policy', () => {
  const concern = (state: ClusterState, written: Written): boolean => registeredRules(state).concern(eventOf(written));

  it('are those of resources for which there is a rule, in any group and version', () => {
    const state = stateOf(webhooks(deployments));
    expect(concern(state, { group: 'apps', resource: 'deployments' })).toBe(true);
    expect(concern(state, { group: 'apps', resource: 'deployments', verb: 'patch' })).toBe(true);
    expect(concern(state, { group: 'apps', resource: 'deployments', verb: 'delete' })).toBe(false);
    expect(concern(state, { group: 'apps', resource: 'deployments', verb: 'update', subresource: 'status' })).toBe(false);
    expect(concern(state, {})).toBe(false);
    expect(concern(stateOf(), {})).toBe(false);
    expect(concern(stateOf(webhooks({ ...deployments, resources: ['*'] })), {})).toBe(true);
    expect(concern(stateOf(webhooks({ ...deployments, resources: ['*/status'] })), { subresource: 'status' })).toBe(true);
    expect(concern(stateOf(webhooks({ ...deployments, operations: ['*'], resources: ['*/*'] })), { verb: 'delete' })).toBe(true);
    expect(concern(stateOf(policy([deployments])), {})).toBe(false);
    expect(concern(stateOf(policy([])), { verb: 'delete', subresource: 'status' })).toBe(true);
  });

  it('are those with which a webhook or a policy did something', () => {
    const state = stateOf(webhooks(deployments));
    const annotations = { 'mutation.webhook.admission.k8s.io/round_0_index_0': '{"configuration":"c","webhook":"w","mutated":true}' };
    expect(concern(state, { annotations })).toBe(true);
    const unchanged = { 'mutation.webhook.admission.k8s.io/round_0_index_0': '{"configuration":"c","webhook":"w","mutated":false}' };
    expect(concern(state, { annotations: unchanged })).toBe(false);
    expect(concern(state, { annotations: { 'failed-open.validating.webhook.admission.k8s.io/round_0_index_0': 'w' } })).toBe(true);
    expect(concern(state, { annotations: { 'authorization.k8s.io/decision': 'allow' } })).toBe(false);
    expect(concern(state, { code: 403, message: 'admission webhook "guard.example.com" denied the request: no' })).toBe(true);
    expect(concern(state, { code: 422, message: 'ConfigMap "web" is invalid: data: Required value' })).toBe(false);
  });

  it('are those that store what later calls are sent with, if the log does not show it', () => {
    const state = stateOf(webhooks({ ...deployments, operations: ['DELETE'] }));
    const update = { group: 'apps', resource: 'deployments', verb: 'update' };
    expect(concern(state, update)).toBe(false);
    expect(concern(state, { ...update, responseText: '' })).toBe(true);
    expect(concern(state, { ...update, subresource: 'scale' })).toBe(true);
    expect(concern(state, { verb: 'update', responseText: '' })).toBe(false);
  });

  it('are those about which the API server decides by other objects or schemas of the state', () => {
    const state = stateOf(webhooks(deployments));
    for (const resource of ['pods', 'persistentvolumeclaims', 'namespaces', 'serviceaccounts'])
      expect(concern(state, { resource })).toBe(true);
    expect(concern(state, { resource: 'pods', verb: 'update', subresource: 'status' })).toBe(false);
    expect(concern(state, { resource: 'pods', verb: 'delete' })).toBe(false);
    expect(concern(state, { group: 'example.com', resource: 'widgets' })).toBe(true);
  });
});
