import { describe, expect, it } from 'vitest';
import { handleCall } from '../../src/apiserver/handle-call.js';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { isMap, listAt, mapAt, stringAt, toValue, type ValueMap } from '../../src/go/value.js';
import type { ApiCall } from '../../src/kubernetes/api-call.js';
import { clusterStateWith } from '../support/cluster-state.js';

const created = '2026-01-01T00:00:00Z';
const mergePatch = 'application/merge-patch+json';

function stored(apiVersion: string, kind: string, parts: Readonly<Record<string, unknown>>, entries: readonly object[] = []): ValueMap {
  const metadata = { name: 'a', namespace: 'team', uid: 'u', resourceVersion: '7', creationTimestamp: created, managedFields: entries };
  const value = toValue({ apiVersion, kind, ...parts, metadata: { ...metadata, ...(parts.metadata ?? {}) } });
  if (!isMap(value)) throw new Error('no object');
  return value;
}

function entry(more: object = {}): object {
  return {
    manager: 'm',
    operation: 'Update',
    apiVersion: 'v1',
    time: created,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:accessModes': {} } },
    ...more,
  };
}

const namespace = stored('v1', 'Namespace', { metadata: { name: 'team', namespace: undefined } });
const spec = { containers: [{ name: 'c', image: 'i' }] };
const controller = stored('v1', 'ReplicationController', {
  spec: { selector: { a: 'b' }, template: { metadata: { labels: { a: 'b' } }, spec } },
});
const pod = stored('v1', 'Pod', { spec: { ...spec, nodeName: 'n' }, metadata: { finalizers: ['example.com/hold'] } });
const scalable = stored('apps/v1', 'StatefulSet', {
  spec: { replicas: 1, serviceName: 's', selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec } },
});
const attachment = stored('storage.k8s.io/v1', 'VolumeAttachment', {
  metadata: { namespace: undefined },
  spec: { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } },
});

function call(method: string, path: string, body?: object | string, contentType = 'application/json'): ApiCall {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method, path, ...(body === undefined ? {} : { body: Buffer.from(text), contentType }) };
}

async function answerTo(made: ApiCall, ...objects: readonly ValueMap[]): ReturnType<typeof handleCall> {
  const unreachable = async (): Promise<never> => {
    throw new Error('no webhook is registered');
  };
  return handleCall(made, clusterStateWith({ objects: [namespace, ...objects], presumesNamespaces: false }), effectsFor(unreachable));
}

describe('deletion', () => {
  it('answers 202 with orphanDependents false if the object is not removed at once', async () => {
    const path = '/api/v1/namespaces/team/pods/a';
    expect((await answerTo(call('DELETE', path, { orphanDependents: false }), pod)).decision.code).toBe(202);
    expect((await answerTo(call('DELETE', path, { propagationPolicy: 'Background' }), pod)).decision.code).toBe(200);
  });

  it('orphans the pods of a replication controller by default', async () => {
    const path = '/api/v1/namespaces/team/replicationcontrollers/a';
    const { decision } = await answerTo(call('DELETE', path), controller);
    expect(listAt(decision.object, 'metadata', 'finalizers')).toEqual(['orphan']);
    const background = await answerTo(call('DELETE', path, { propagationPolicy: 'Background' }), controller);
    expect(stringAt(background.decision.status, 'status')).toBe('Success');
  });

  it('sets finalizers of a namespace for dependents', async () => {
    const { decision } = await answerTo(call('DELETE', '/api/v1/namespaces/team', { propagationPolicy: 'Foreground' }));
    expect(listAt(decision.object, 'metadata', 'finalizers')).toEqual(['foregroundDeletion']);
    expect(stringAt(decision.object, 'status', 'phase')).toBe('Terminating');
    const older = await answerTo(call('DELETE', '/api/v1/namespaces/team', { orphanDependents: false }));
    expect(listAt(older.decision.object, 'metadata', 'finalizers')).toEqual(['foregroundDeletion']);
  });
});

describe('updates', () => {
  it('names the wrong namespace before the wrong name', async () => {
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b', namespace: 'other' } };
    const { decision } = await answerTo(call('PUT', '/api/v1/namespaces/team/secrets/a', body));
    expect(stringAt(decision.status, 'message')).toBe(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  });

  it('compares the uid of a missing object only where a PUT creates it', async () => {
    const metadata = { name: 'a', namespace: 'team', uid: 'u' };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata };
    const missing = await answerTo(call('PUT', '/api/v1/namespaces/team/secrets/a', secret));
    expect(stringAt(missing.decision.status, 'message')).toBe('secrets "a" not found');
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata };
    const created = await answerTo(call('PUT', '/apis/coordination.k8s.io/v1/namespaces/team/leases/a', lease));
    expect(stringAt(created.decision.status, 'message')).toContain('Precondition failed: UID in precondition: u, UID in object meta: ');
  });

  it('refuses a Scale of another object', async () => {
    const path = '/apis/apps/v1/namespaces/team/statefulsets/a/scale';
    const { decision } = await answerTo(call('PATCH', path, { metadata: { uid: 'v' } }, mergePatch), scalable);
    expect(stringAt(decision.status, 'message')).toBe(
      'Operation cannot be fulfilled on statefulsets/scale.apps "a": Precondition failed: UID in precondition: v, UID in object meta: u',
    );
  });

  it("rejects a PUT of another object's Scale before admission", async () => {
    const path = '/apis/apps/v1/namespaces/team/statefulsets/a/scale';
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', namespace: 'team', uid: 'v' },
      spec: { replicas: 1 },
    };
    const { decision } = await answerTo(call('PUT', path, scale), scalable);
    expect(stringAt(decision.status, 'message')).toContain('StorageError: invalid object, Code: 4, Key: /registry/statefulsets/team/a');
  });

  it("ignores labels in an update of an attachment's status", async () => {
    const path = '/apis/storage.k8s.io/v1/volumeattachments/a/status';
    const patch = { metadata: { labels: { a: 'b' } }, status: { attached: true } };
    const { decision } = await answerTo(call('PATCH', path, patch, mergePatch), attachment);
    expect(decision.code).toBe(200);
    expect(listAt(decision.object, 'metadata', 'labels')).toEqual([]);
    expect(stringAt(decision.object, 'metadata', 'labels', 'a')).toBe('');
  });

  it('refuses to mark an object for deletion', async () => {
    const patch = call('PATCH', '/api/v1/namespaces/team/configmaps/a', { metadata: { deletionTimestamp: created } }, mergePatch);
    const { decision } = await answerTo(patch, stored('v1', 'ConfigMap', {}));
    expect(stringAt(decision.status, 'message')).toBe(
      `ConfigMap "a" is invalid: metadata.deletionTimestamp: Invalid value: "${created}": field is immutable`,
    );
  });

  it("treats annotations with an autoscaler's status as status", async () => {
    const annotations = { 'autoscaling.alpha.kubernetes.io/current-metrics': '[]', note: 'mine' };
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
    const autoscaler = stored('autoscaling/v1', 'HorizontalPodAutoscaler', { spec: { maxReplicas: 2, scaleTargetRef: target } });
    const path = '/apis/autoscaling/v1/namespaces/team/horizontalpodautoscalers/a';
    const { decision } = await answerTo(call('PATCH', path, { metadata: { annotations } }, mergePatch), autoscaler);
    expect([...(mapAt(decision.object, 'metadata', 'annotations')?.keys() ?? [])]).toEqual(['note']);
  });

  it('shows a strategic merge patch in errors without the directives it has followed', async () => {
    const path = '/api/v1/namespaces/team/configmaps/a?fieldValidation=Strict';
    const patch = { data: { a: 'b', $patch: 'replace' }, zz: 1 };
    const made = call('PATCH', path, patch, 'application/strategic-merge-patch+json');
    const { decision } = await answerTo(made, stored('v1', 'ConfigMap', { data: { c: 'd' } }));
    expect(stringAt(decision.status, 'message')).toBe(
      ' "" is invalid: patch: Invalid value: "map[data:map[a:b] zz:1]": strict decoding error: unknown field "zz"',
    );
  });

  it('counts an empty list in an atomic one as a change of it', async () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    const owned = { ...entry(), apiVersion: 'rbac.authorization.k8s.io/v1' };
    const fieldsV1 = { 'f:aggregationRule': { 'f:clusterRoleSelectors': {} } };
    const role = stored('rbac.authorization.k8s.io/v1', 'ClusterRole', { metadata: { namespace: undefined }, aggregationRule }, [
      { ...owned, fieldsV1 },
    ]);
    const patch = [{ op: 'add', path: '/aggregationRule/clusterRoleSelectors/0/matchExpressions', value: [] }];
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles/a?fieldManager=me';
    const { decision } = await answerTo(call('PATCH', path, patch, 'application/json-patch+json'), role);
    expect(listAt(decision.object, 'metadata', 'managedFields').map(owner => stringAt(owner, 'manager'))).toEqual(['me']);
  });

  it('retries a no-op update if defaults were applied when the object was read', async () => {
    const claimSpec = { accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem', resources: { requests: { storage: '1Gi' } } };
    const claim = (...entries: object[]): ValueMap =>
      stored('v1', 'PersistentVolumeClaim', { spec: claimSpec, status: { phase: 'Pending' } }, entries);
    const patch = call('PATCH', '/api/v1/namespaces/team/persistentvolumeclaims/a', {}, mergePatch);
    expect(await timesWarned(patch, claim(entry()))).toBe(2);
    // The controller has written the phase.
    expect(await timesWarned(patch, claim(entry(), entry({ subresource: 'status' })))).toBe(1);
  });

  it('treats a missing status like an empty one when detecting changes', async () => {
    const label = 'batch.kubernetes.io/controller-uid';
    const labels = { [label]: 'u', 'batch.kubernetes.io/job-name': 'a', 'controller-uid': 'u', 'job-name': 'a' };
    const template = { metadata: { labels }, spec: { ...spec, restartPolicy: 'Never' } };
    const parts = { metadata: { labels }, spec: { selector: { matchLabels: { [label]: 'u' } }, template }, status: {} };
    const owner = entry({ apiVersion: 'batch/v1', fieldsV1: { 'f:spec': { 'f:template': {} } } });
    const patch = call('PATCH', '/apis/batch/v1/namespaces/team/jobs/a/status', { status: null }, mergePatch);
    expect(await timesWarned(patch, stored('batch/v1', 'Job', parts, [owner]))).toBe(2);
  });
});

/** Number of calls of an unreachable validating webhook whose failures are ignored. */
async function timesWarned(made: ApiCall, object: ValueMap): Promise<number> {
  let calls = 0;
  const configuration = toValue({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'v' },
    webhooks: [
      {
        name: 'v.example.com',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
        failurePolicy: 'Ignore',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  if (!isMap(configuration)) throw new Error('no object');
  const report = await handleCall(
    made,
    clusterStateWith({ objects: [namespace, object, configuration], presumesNamespaces: false }),
    effectsFor(async () => {
      calls += 1;
      return { outcome: 'failed', class: 'tcp', message: 'unreachable', durationMs: 0 };
    }),
  );
  expect(report.decision.code).toBe(200);
  return calls;
}

describe('apply', () => {
  it('does not report duplicate keys if the apply fails', async () => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, managedFields: []}\ndata:\n  a: one\n  a: two\n';
    const path = '/api/v1/namespaces/team/configmaps/a?fieldManager=me';
    const refused = await answerTo(call('PATCH', path, body, 'application/apply-patch+yaml'));
    expect(refused.decision.warnings).toEqual([]);
    const applied = await answerTo(call('PATCH', path, body.replace(', managedFields: []', ''), 'application/apply-patch+yaml'));
    expect(applied.decision.code).toBe(201);
    expect(applied.decision.warnings).toEqual(['line 6: key "a" already set in map']);
  });
});
