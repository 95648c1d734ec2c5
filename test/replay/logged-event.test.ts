import { describe, expect, it } from 'vitest';
import { eventsInLine } from '../../src/replay/logged-event.js';

const place = { source: 'audit.log', line: 3 };

const event = {
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'Request',
  auditID: 'a-1',
  stage: 'ResponseComplete',
  requestURI: '/api/v1/namespaces/shop/pods',
  verb: 'create',
  user: { username: 'alice' },
  objectRef: { resource: 'pods', namespace: 'shop', apiVersion: 'v1' },
  responseStatus: { code: 201 },
  requestObject: { metadata: { generateName: 'web-' }, spec: { large: 1 } },
  requestReceivedTimestamp: '2026-01-02T15:04:05.000000Z',
};
const text = JSON.stringify(event);

/** The answer to a query with one row. */
const tablesOf = (row: Readonly<Record<string, unknown>>) => ({
  tables: [{ name: 'PrimaryResult', columns: Object.keys(row).map(name => ({ name, type: 'string' })), rows: [Object.values(row)] }],
});

/** Lines of log shippers, each with the event in it. */
const wrapped: Readonly<Record<string, string>> = {
  'a list that an API server sends to a webhook for audit events': JSON.stringify({
    ...{ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {} },
    items: [{ ...event, kind: undefined, apiVersion: undefined }],
  }),
  'an event alone': text,
  'a list of events': JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', items: [event] }),
  'the text of an event in a member': JSON.stringify({ time: 'x', log: text }),
  'the text of an event in a member of a member': JSON.stringify({ category: 'kube-audit', properties: { log: `${text}\n` } }),
  'an event as a member': JSON.stringify({ '@timestamp': 'x', audit: event }),
  'texts in a list': JSON.stringify({ logEvents: [{ message: text }] }),
  ...Object.fromEntries(
    ['log_s', 'Log', 'log'].map(name => [
      `the column ${name} of an answer of Azure Monitor's API`,
      JSON.stringify(tablesOf({ TimeGenerated: 'x', [name]: `${text}\n` })),
    ]),
  ),
  'a prefix of a container runtime': `2026-01-02T15:04:05Z stdout F ${text}`,
  'white space between tokens': JSON.stringify(event, null, 1).replaceAll('\n', ' '),
};

/** Entries of cloud providers with names of their own. */
const columns = {
  ...{ AuditId: 'a-1', Level: 'Request', Stage: 'ResponseComplete', RequestUri: event.requestURI, Verb: 'create', Type: 'AKSAuditAdmin' },
  ...{
    RequestReceivedTime: '2026-01-02T15:04:05.000Z',
    User: event.user,
    ObjectRef: event.objectRef,
    ResponseStatus: event.responseStatus,
  },
};
const entry = {
  insertId: 'i',
  timestamp: '2026-01-02T15:04:05.000000Z',
  operation: { id: 'a-1', producer: 'k8s.io', first: true, last: true },
  labels: { 'authorization.k8s.io/decision': 'allow' },
  protoPayload: {
    ...{ '@type': 'type.googleapis.com/google.cloud.audit.AuditLog', serviceName: 'k8s.io', methodName: 'io.k8s.core.v1.pods.create' },
    ...{ resourceName: 'core/v1/namespaces/shop/pods', authenticationInfo: { principalEmail: 'alice' } },
    requestMetadata: { callerSuppliedUserAgent: 'kubectl/v1.37.2' },
    request: { '@type': 'core.k8s.io/v1.Pod', ...event.requestObject },
    status: {},
  },
};
const translated: Readonly<Record<string, string>> = {
  'a row of Azure Monitor': JSON.stringify({ ...columns, RequestObject: event.requestObject }),
  'a row of Azure Monitor with objects as text': JSON.stringify({ ...columns, RequestObject: JSON.stringify(event.requestObject) }),
  "a row of an answer of Azure Monitor's API": JSON.stringify(tablesOf({ ...columns, RequestObject: JSON.stringify(event.requestObject) })),
  'an entry of Google Cloud': JSON.stringify(entry),
  'an entry of Google Cloud with the name of the object': JSON.stringify(entry).replace('shop/pods"', 'shop/pods/web-1"'),
};

describe('events in a line', () => {
  for (const [name, line] of Object.entries(translated)) {
    it(`translates ${name}`, () => {
      const reading = eventsInLine(line, place);
      const [found] = reading.outcome === 'events' ? reading.events : [];
      expect(found).toMatchObject({
        ...{ auditId: 'a-1', verb: 'create', username: 'alice', code: 201, place, atMs: Date.parse('2026-01-02T15:04:05Z') },
        ...{ stage: 'ResponseComplete', requestUri: event.requestURI, requestText: JSON.stringify(event.requestObject) },
        objectRef: { group: '', resource: 'pods', namespace: 'shop', generateName: 'web-' },
      });
    });
  }

  it('translates what Google Cloud says about refusals, subresources and cluster-wide objects', () => {
    const read = (resourceName: string, methodName: string, more: object) => {
      const payload = { ...entry.protoPayload, resourceName, methodName, ...more };
      const reading = eventsInLine(JSON.stringify({ ...entry, protoPayload: payload }), place);
      return reading.outcome === 'events' ? reading.events[0] : reading;
    };
    expect(
      read('core/v1/namespaces/shop/pods/web/binding', 'io.k8s.core.v1.pods.binding.create', { status: { code: 7, message: 'no' } }),
    ).toMatchObject({
      ...{ requestUri: '/api/v1/namespaces/shop/pods/web/binding', code: 403, message: 'no' },
      objectRef: { subresource: 'binding', name: 'web' },
    });
    expect(read('rbac.authorization.k8s.io/v1/clusterroles/view', 'io.k8s.authorization.rbac.v1.clusterroles.update', {})).toMatchObject({
      ...{ requestUri: '/apis/rbac.authorization.k8s.io/v1/clusterroles/view', verb: 'update', code: 200 },
      objectRef: { group: 'rbac.authorization.k8s.io', resource: 'clusterroles', namespace: '', name: 'view' },
    });
    expect(read('projects/p', 'google.container.v1.ClusterManager.GetCluster', { serviceName: 'container.googleapis.com' })).toEqual({
      outcome: 'foreign',
    });
  });

  for (const [name, line] of Object.entries(wrapped)) {
    it(`reads ${name}`, () => {
      const reading = eventsInLine(line, place);
      const [found] = reading.outcome === 'events' ? reading.events : [];
      expect(found).toMatchObject({
        ...{ auditId: 'a-1', verb: 'create', username: 'alice', code: 201, place, atMs: Date.parse('2026-01-02T15:04:05Z') },
        objectRef: { group: '', resource: 'pods', namespace: 'shop', name: '', generateName: 'web-' },
      });
      expect(JSON.parse(found?.requestText ?? '')).toEqual(event.requestObject);
    });
  }

  it('reads every item of a list in one line', () => {
    const list = [{ log: text }, { ...event, auditID: 'a-2' }, { items: [{ ...event, auditID: 'a-3' }] }];
    const reading = eventsInLine(` ${JSON.stringify(list)}`, place);
    expect(reading.outcome === 'events' && reading.events.map(({ auditId }) => auditId)).toEqual(['a-1', 'a-2', 'a-3']);
    const cutOff = JSON.stringify(list).slice(0, -10);
    expect(eventsInLine(cutOff, place)).toEqual({ outcome: 'broken', reason: 'JSON that is cut off or invalid' });
  });

  it('keeps the digits of numbers in the text of the object', () => {
    const reading = eventsInLine(text.replace('"large":1', '"large":9007199254740993'), place);
    expect(reading.outcome === 'events' && reading.events[0]?.requestText).toContain('9007199254740993');
  });

  it('reads the user that was impersonated', () => {
    const reading = eventsInLine(JSON.stringify({ ...event, impersonatedUser: { username: 'bob' } }), place);
    expect(reading.outcome === 'events' && reading.events[0]?.username).toBe('bob');
  });

  it('takes the text in place of a large object for no object', () => {
    const reading = eventsInLine(
      JSON.stringify({ ...event, requestObject: 'skipped-too-big-size-object', responseObject: 'skipped' }),
      place,
    );
    expect(reading.outcome === 'events' && reading.events[0]).toMatchObject({ requestText: '', responseText: '' });
  });

  it('tells broken lines from lines of something else', () => {
    expect(eventsInLine(text.slice(0, 200), place)).toEqual({ outcome: 'broken', reason: 'JSON that is cut off or invalid' });
    expect(eventsInLine('not a log', place)).toEqual({ outcome: 'broken', reason: 'not JSON' });
    expect(eventsInLine('{"kind":"Pod"}', place)).toEqual({ outcome: 'foreign' });
    expect(eventsInLine('', place)).toEqual({ outcome: 'foreign' });
  });
});
