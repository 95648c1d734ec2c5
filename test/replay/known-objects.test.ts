import { describe, expect, it } from 'vitest';
import { servedBy } from '../../src/apiserver/call/served-resources.js';
import { stringAt, toValue, type ValueMap } from '../../src/go/value.js';
import type { ClusterState } from '../../src/kubernetes/api-call.js';
import { storageOf } from '../../src/kubernetes/storage.js';
import { knownObjects } from '../../src/replay/known-objects.js';
import type { LoggedObjectReference } from '../../src/replay/logged-event.js';
import { clusterStateWith } from '../support/cluster-state.js';

const namespaceObject = (name: string, team: string) => ({ kind: 'Namespace', apiVersion: 'v1', metadata: { name, labels: { team } } });
const base = clusterStateWith({ objects: [toValue(namespaceObject('lab', 'initial')) as ValueMap] });

const start = (maxCharacters = 1_000_000) => knownObjects(base, { resources: servedBy(base).resources, maxCharacters });
const of = (resource: string, namespace: string, name: string): LoggedObjectReference => ({
  ...{ group: '', resource, subresource: '', namespace, name, generateName: '' },
});
const shownNamespace = (name: string, team: string) => ({
  ...{ reference: of('namespaces', name, name), text: JSON.stringify(namespaceObject(name, team)) },
});
const shownPod = (name: string) => ({
  reference: of('pods', 'shop', name),
  text: JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata: { namespace: 'shop', name } }),
});
const teamOf = (state: ClusterState, name: string): string =>
  stringAt(storageOf(state).find({ group: '', kind: 'Namespace' }, '', name), 'metadata', 'labels', 'team');
const podsIn = (state: ClusterState): string[] =>
  storageOf(state)
    .list({ group: '', kind: 'Pod' }, 'shop')
    .map(pod => stringAt(pod, 'metadata', 'name'));

describe('objects that the log shows', () => {
  it('are those at the time of a call, also when it is still running while they change', () => {
    const known = start();
    known.learn(shownNamespace('shop', 'a'));
    const earlier = known.stateFor(of('pods', 'shop', 'web'), false);
    known.learn(shownNamespace('shop', 'b'));
    known.learn(shownNamespace('lab', 'c'));
    const later = known.stateFor(of('pods', 'shop', 'web'), false);
    known.learn({ reference: of('namespaces', 'shop', 'shop'), text: null });
    expect([teamOf(earlier, 'shop'), teamOf(earlier, 'lab')]).toEqual(['a', 'initial']);
    expect([teamOf(later, 'shop'), teamOf(later, 'lab')]).toEqual(['b', 'c']);
    expect(teamOf(known.stateFor(of('pods', 'shop', 'web'), false), 'shop')).toBe('');
  });

  it('are the object of the call, or its collection', () => {
    const known = start();
    for (const name of ['web', 'api']) known.learn(shownPod(name));
    expect(podsIn(known.stateFor(of('pods', 'shop', 'web'), false))).toEqual(['web']);
    expect(podsIn(known.stateFor(of('pods', 'shop', ''), false))).toEqual([]);
    expect(podsIn(known.stateFor(of('pods', 'shop', ''), true))).toEqual(['web', 'api']);
  });

  it('are forgotten beyond a limit, those that were learned first', () => {
    const known = start(4000);
    for (let i = 0; i < 100; i += 1) {
      known.learn(shownPod(`web-${i}`));
      known.learn({ ...shownPod(`gone-${i}`), text: null });
      known.learn(shownNamespace(`n-${i}`, 'a'));
    }
    expect(known.entries().length).toBeLessThan(30);
    expect([known.textOf(of('pods', 'shop', 'web-0')), known.textOf(of('pods', 'shop', 'gone-99'))]).toEqual([undefined, null]);
    expect([known.textOf(of('namespaces', '', 'n-0')), typeof known.textOf(of('namespaces', '', 'n-99'))]).toEqual([undefined, 'string']);
  });

  it('are unknown after the deletion of a collection that the log does not show, if its selector matches', () => {
    const known = start();
    const labelled = (name: string, app: string) => ({
      reference: of('pods', 'shop', name),
      text: JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata: { namespace: 'shop', name, labels: { app } } }),
    });
    for (const one of [labelled('web', 'job'), labelled('api', 'api'), { ...labelled('gone', 'job'), text: null }]) known.learn(one);
    known.forget(of('pods', 'shop', ''), 'app=job');
    expect(['web', 'api', 'gone'].map(name => known.textOf(of('pods', 'shop', name)))).toEqual(['', labelled('api', 'api').text, null]);
    expect(podsIn(known.stateFor(of('pods', 'shop', ''), true))).toEqual(['api']);
    known.forget(of('pods', 'shop', ''), 'not a selector');
    known.forget(of('namespaces', '', ''), 'team=initial');
    expect([known.textOf(of('pods', 'shop', 'api')), known.textOf(of('namespaces', '', 'lab'))]).toEqual(['', '']);
  });

  it('have an epoch in a namespace, which depends on what surrounds its calls, and not on how often they were written', () => {
    const known = start();
    const first = known.epochOf('shop');
    known.learn(shownNamespace('shop', 'a'));
    const second = known.epochOf('shop');
    known.learn({
      ...shownNamespace('shop', 'a'),
      text: shownNamespace('shop', 'a').text.replace('{"name"', '{"resourceVersion":"7","name"'),
    });
    const third = known.epochOf('shop');
    known.learn(shownNamespace('lab', 'b'));
    known.learn(shownPod('web'));
    expect([first === second, known.epochOf('shop')]).toEqual([false, third]);
    const again = start();
    for (const [key, text] of known.entries()) {
      const [resource = '', namespace = '', name = ''] = key.split('|');
      again.learn({ reference: of(resource.slice(1), namespace, name), text });
    }
    expect(again.epochOf('shop')).toBe(third);
  });
});
