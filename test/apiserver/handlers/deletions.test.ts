import { describe, expect, it } from 'vitest';
import { answerIn, messageOf } from './call-in-state.js';

const configMaps = '/api/v1/namespaces/n/configmaps';
const configMap = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'n', resourceVersion: '7', uid: 'u', ...metadata },
});
const pod = (metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n', generation: 2, ...metadata },
  spec: { nodeName: 'node', terminationGracePeriodSeconds: 30, containers: [{ name: 'c', image: 'i' }] },
});

describe('the deletion of an object that is being deleted', () => {
  const terminating = { generation: 2, deletionTimestamp: '2026-05-01T00:00:00Z', deletionGracePeriodSeconds: 0, finalizers: ['a/b'] };

  it('keeps its first deletion mark and generation', async () => {
    const { status, body } = await answerIn([configMap('a', terminating)], { method: 'DELETE', path: `${configMaps}/a` });
    expect(status).toBe(200);
    expect(JSON.parse(body).metadata).toMatchObject(terminating);
  });

  it('of a pod never moves its end into the past', async () => {
    const metadata = { deletionTimestamp: '2026-05-01T00:00:30Z', deletionGracePeriodSeconds: 30, finalizers: ['a/b'] };
    const path = '/api/v1/namespaces/n/pods/p?gracePeriodSeconds=';
    const shown = async (seconds: number) =>
      JSON.parse((await answerIn([pod(metadata)], { method: 'DELETE', path: `${path}${seconds}` })).body).metadata;
    expect(await shown(5)).toMatchObject({ deletionTimestamp: '2026-06-01T00:00:00Z', deletionGracePeriodSeconds: 1 });
    expect(await shown(0)).toMatchObject({ deletionTimestamp: '2026-06-01T00:00:00Z', deletionGracePeriodSeconds: 0 });
    expect(await shown(30)).toMatchObject(metadata);
  });

  it('after a period of more than 292 years wraps, as durations of Go do', async () => {
    const answer = await answerIn([pod()], { method: 'DELETE', path: '/api/v1/namespaces/n/pods/p?gracePeriodSeconds=9007199254740993' });
    expect(JSON.parse(answer.body).metadata.deletionTimestamp).toBe('2172-07-20T23:53:39Z');
  });
});

it('refuses to delete a priority class of the system', async () => {
  const answer = await answerIn([], { method: 'DELETE', path: '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical' });
  expect([answer.status, messageOf(answer)]).toEqual([
    403,
    'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted',
  ]);
});

describe('the deletion of a collection', () => {
  const objects = ['a', 'b', 'c'].map(name => configMap(name));
  const deleted = (query: string) => answerIn(objects, { method: 'DELETE', path: `${configMaps}?${query}` });

  it.each([
    ['limit=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['fieldSelector=type%3DOpaque', 400, '"type" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ['labelSelector=%3D', 400, "found '=', expected: !, identifier, or 'end of string'"],
    [
      'fieldSelector=metadata.name%3Da&continue=x',
      400,
      'invalid continue token: continue key is not valid: illegal base64 data at input byte 0',
    ],
    ['continue=x', 400, 'invalid continue token: continue key is not valid: illegal base64 data at input byte 0'],
    [
      'sendInitialEvents=true',
      422,
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
    [
      'resourceVersion=1',
      409,
      'Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (7). The object might have been modified',
    ],
  ])('answers %s with %i', async (query, status, message) => {
    const answer = await deleted(query);
    expect([answer.status, messageOf(answer)]).toEqual([status, message]);
  });

  it('stops at its limit and returns a continue token', async () => {
    const { items, metadata } = JSON.parse((await deleted('limit=2')).body);
    expect(items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['a', 'b']);
    expect(metadata.remainingItemCount).toBe(1);
    const rest = await answerIn(objects, { method: 'GET', path: `${configMaps}?continue=${metadata.continue}` });
    expect(JSON.parse(rest.body).items).toHaveLength(1);
  });
});
