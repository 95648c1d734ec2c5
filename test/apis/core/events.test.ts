import { expect, it } from 'vitest';
import { write } from '../../support/written-object.js';

const stored = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: 'default', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' },
  eventTime: '2026-01-02T03:04:05.000000Z',
  reportingController: 'example.com/c',
  reportingInstance: 'i',
  action: 'a',
  reason: 'r',
  type: 'Normal',
  note: 'n',
};

const messagesOf = async (parts: object): Promise<string[]> => {
  const path = '/apis/events.k8s.io/v1/namespaces/default/events/e';
  const { body } = await write({ path, stored, object: { ...stored, ...parts } });
  const causes: { field: string; message: string }[] = body.details?.causes ?? [];
  return causes.map(({ field, message }) => `${field}: ${message}`);
};

it('fields of an event are immutable; errors use the names of the core group', async () => {
  expect(await messagesOf({ reason: 's', note: 'm', regarding: { kind: 'Pod' } })).toEqual([
    'involvedObject: Invalid value: {"Kind":"Pod","Namespace":"","Name":"","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
    'reason: Invalid value: "s": field is immutable',
    'message: Invalid value: "m": field is immutable',
    'reason: Invalid value: "s": field is immutable',
  ]);
});

it('a new series of an event is checked, and its metadata may change', async () => {
  expect(await messagesOf({ series: { count: 1 } })).toEqual([
    'series.count: Invalid value: "": should be at least 2',
    'series.lastObservedTime: Required value',
  ]);
  expect(await messagesOf({ metadata: { ...stored.metadata, labels: { a: 'b' } } })).toEqual([]);
});

it('the name of a new event is that of a path segment in the core group, and a subdomain in its own', async () => {
  const { kind, ...own } = stored;
  const core = { apiVersion: 'v1', kind, metadata: { name: 'A/b' } };
  const inCore = await write({ path: '/api/v1/namespaces/default/events', object: core });
  expect(inCore.message).toBe(`Event "A/b" is invalid: metadata.name: Invalid value: "A/b": may not contain '/'`);
  const inOwn = await write({
    path: '/apis/events.k8s.io/v1/namespaces/default/events',
    object: { ...own, kind, metadata: { name: 'A_b' } },
  });
  expect(inOwn.message).toMatch(
    /^Event "A_b" is invalid: metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of /,
  );
});
