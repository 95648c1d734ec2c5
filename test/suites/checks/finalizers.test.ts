import { describe, expect, it } from 'vitest';
import { listAt, stringAt, type Value, valueAt } from '../../../src/go/value.js';
import { runChecks } from '../../../src/suites/checks/run-checks.js';
import type { HandlerCase } from '../../../src/webhook-server/handler.js';
import { checkedCall, creation, patching, podCreation, refused, type TestWebhook } from './webhooks-of-tests.js';

async function found(webhook: TestWebhook, call = podCreation) {
  return runChecks(['finalizers'], await checkedCall(call, { 'w.example.com': webhook }));
}

const refusing = (when: (object: Value, request: Value) => boolean): TestWebhook => ({
  phase: 'validating',
  handler: request => (when(valueAt(request, 'object') ?? null, request) ? refused('no') : { allowed: true }),
});
const isUpdate = (request: Value): boolean => stringAt(request, 'operation') === 'UPDATE';

describe('the finalizers check', () => {
  it('passes a webhook that allows every update', async () => {
    expect(await found(refusing(() => false))).toEqual({ findings: [], notes: [] });
  });

  it.each([
    [
      'terminating objects',
      (object: Value) => valueAt(object, 'metadata', 'deletionTimestamp') !== undefined,
      [
        'refuses the removal of the last finalizer while the object is being deleted: no; the object stays Terminating, and so does its namespace',
      ],
    ],
    [
      'updates of the status',
      (_: Value, request: Value) => stringAt(request, 'subResource') === 'status',
      ['refuses an update of the status: no; its controller cannot report anything'],
    ],
    [
      'every update',
      (_: Value, request: Value) => isUpdate(request) && stringAt(request, 'subResource') === '',
      [
        'refuses the removal of the last finalizer while the object is being deleted: no; the object stays Terminating, and so does its namespace',
        'refuses an update that changes nothing: no; no controller can update the object',
      ],
    ],
  ])('finds a webhook that refuses %s', async (_, when, messages) => {
    const { findings } = await found(refusing(when));
    expect(findings.map(({ webhook, message }) => `${webhook} ${message}`)).toEqual(messages.map(message => `w.example.com ${message}`));
  });

  it('finds a patch that adds a finalizer to an object which is being deleted', async () => {
    const handler: HandlerCase = patching(pod =>
      listAt(pod, 'metadata', 'finalizers').length > 0 ? [] : [{ op: 'add', path: '/metadata/finalizers', value: ['example.com/own'] }],
    );
    const { findings } = await found({ handler });
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^breaks the removal of the last finalizer while the object is being deleted with its patch: .*finalizers/),
    ]);
  });

  it('updates no status of a kind without one', async () => {
    const call = creation('/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    const { findings } = await found(
      refusing((_, request) => isUpdate(request)),
      call,
    );
    expect(findings).toHaveLength(2);
  });

  it('needs an object that is there after the call', async () => {
    const call = { method: 'POST', path: '/api/v1/namespaces/default/pods', body: Buffer.from('{}'), contentType: 'application/json' };
    expect(
      (
        await found(
          refusing(() => true),
          call,
        )
      ).notes,
    ).toEqual(['finalizers: the call leaves no object that could be updated']);
  });
});
