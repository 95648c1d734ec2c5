import { describe, expect, it } from 'vitest';
import { handleCall } from '../../src/apiserver/handle-call.js';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { listAt, stringAt, toValue, type ValueMap } from '../../src/go/value.js';
import { leavesManagedFieldsUnseen, showsManagedFields } from '../../src/replay/shown-managed-fields.js';
import { clusterStateWith } from '../support/cluster-state.js';

const policy = (spec: object): ValueMap => toValue({ kind: 'ValidatingAdmissionPolicy', spec }) as ValueMap;
const reading = (expression: string): boolean => showsManagedFields([policy({ validations: [{ expression }] })]);

describe('managed fields', () => {
  it.each([
    'object.spec.replicas < 5',
    "object.metadata.labels['owner'] != '' && oldObject.metadata.?annotations.orValue({}) == {}",
    "object.kind == 'Pod' ? object.spec : object.spec.template.spec",
    'oldObject == null || has(object.metadata.name)',
    'namespaceObject.metadata.labels.size() > 0',
    'object.?status.?phase.orValue("") == "Running"',
  ])('are not seen by %s', expression => {
    expect(reading(expression)).toBe(false);
  });

  it.each([
    'object.metadata.managedFields.size() > 0',
    'object == oldObject',
    "object.metadata['managed' + 'Fields'].size() > 0",
    'object.metadata == oldObject.metadata',
    '[object].all(o, o.metadata.size() > 3)',
    'object.all(key, key != "x")',
    'object.metadata.all(key, key != "x")',
  ])('may be seen by %s', expression => {
    expect(reading(expression)).toBe(true);
  });

  it('may be seen by webhooks, by mutating policies, and by every expression of a policy', () => {
    const text = 'object.metadata';
    expect(showsManagedFields([])).toBe(false);
    expect(showsManagedFields([toValue({ kind: 'ValidatingWebhookConfiguration' }) as ValueMap])).toBe(true);
    expect(showsManagedFields([toValue({ kind: 'MutatingAdmissionPolicy' }) as ValueMap])).toBe(true);
    expect(showsManagedFields([policy({ variables: [{ name: 'v', expression: text }] })])).toBe(true);
    expect(showsManagedFields([policy({ matchConditions: [{ name: 'm', expression: text }] })])).toBe(true);
    expect(showsManagedFields([policy({ validations: [{ expression: 'true', messageExpression: text }] })])).toBe(true);
    expect(showsManagedFields([policy({ auditAnnotations: [{ key: 'k', valueExpression: text }] })])).toBe(true);
    expect(showsManagedFields([policy({ validations: [{ expression: 'true', message: 'the object is wrong' }] })])).toBe(false);
  });

  it('matter where the replay stores the object, or the API server reads them', () => {
    const event = {
      ...{ place: { source: 'a', line: 1 }, auditId: '', level: '', stage: '', verb: 'update', requestUri: '/', username: '', atMs: 0 },
      ...{ code: 200, message: '', annotations: {}, userText: '', userAgent: '', requestText: '{}', responseText: '{}' },
    };
    const of = (group: string, resource: string, subresource = '') => ({
      ...event,
      objectRef: { group, resource, subresource, namespace: 'n', name: 'n', generateName: '' },
    });
    expect(leavesManagedFieldsUnseen(of('apps', 'deployments'))).toBe(true);
    expect(leavesManagedFieldsUnseen(of('apps', 'deployments', 'scale'))).toBe(false);
    expect(leavesManagedFieldsUnseen(of('', 'services'))).toBe(false);
    expect(leavesManagedFieldsUnseen({ ...of('', 'pods'), responseText: '' })).toBe(false);
    expect(leavesManagedFieldsUnseen({ ...of('', 'pods'), responseText: ' '.repeat(600_000) })).toBe(false);
  });

  it('stay those of the stored object if nobody sees them', async () => {
    const entry = {
      ...{ manager: 'earlier', operation: 'Update', apiVersion: 'v1', time: '2026-01-02T03:04:05Z', fieldsType: 'FieldsV1' },
      fieldsV1: { 'f:data': {} },
    };
    const stored = {
      ...{ kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } },
      metadata: { name: 'c', namespace: 'default', uid: 'u', resourceVersion: '1', managedFields: [entry] },
    };
    const managers = async (leavesManagedFields: boolean): Promise<string[]> => {
      const objects = [toValue(stored) as ValueMap];
      const state = clusterStateWith({ objects, leavesManagedFields });
      const call = {
        ...{ method: 'PUT', path: '/api/v1/namespaces/default/configmaps/c?fieldManager=later', contentType: 'application/json' },
        body: Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c"},"data":{"a":"2"}}'),
      };
      const { decision } = await handleCall(
        call,
        state,
        effectsFor(() => Promise.reject(new Error('no webhook'))),
      );
      return listAt(decision.object, 'metadata', 'managedFields').map(one => stringAt(one, 'manager'));
    };
    expect(await managers(false)).toContain('later');
    expect(await managers(true)).toEqual(['earlier']);
  });
});
