import { expect, it } from 'vitest';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { isMap, toValue, type ValueMap } from '../../src/go/value.js';
import { storageOf } from '../../src/kubernetes/storage.js';
import { type AdmittedRequest, admittedRequests } from '../../src/lint/requests.js';
import { clusterStateWith } from '../support/cluster-state.js';

const server = apiServers({ minor: 'v1.36' });

function definition(group: string, plural: string): ValueMap {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = ['v1', 'v2'].map(name => ({ name, served: true, storage: name === 'v1', schema }));
  const names = { plural, singular: plural.slice(0, -1), kind: 'Thing', listKind: 'ThingList' };
  const value = toValue({
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: `${plural}.${group}` } },
    spec: { group, scope: 'Namespaced', names, versions },
  });
  if (!isMap(value)) throw new Error('not a map');
  return value;
}

function requestsWith(...definitions: ValueMap[]): readonly AdmittedRequest[] {
  return admittedRequests(storageOf(clusterStateWith({ server, objects: definitions })));
}

/** Creations of resources by group, version and plural, with those of their equivalents. */
function creations(requests: readonly AdmittedRequest[], plural: string): string[][] {
  return requests
    .filter(({ resource, operation, subresource }) => resource.resource === plural && operation === 'CREATE' && subresource === '')
    .map(({ resource, equivalents }) => [resource, ...equivalents.map(one => one.resource)].map(one => `${one.group}/${one.version}`));
}

const events = [
  ['/v1', 'events.k8s.io/v1'],
  ['events.k8s.io/v1', '/v1'],
];

it('finds the requests for built-in resources once, and those of the definitions of each file', () => {
  const [none, things] = [requestsWith(), requestsWith(definition('example.com', 'things'))];
  expect(none.length).toBeGreaterThan(300);
  expect(things.slice(0, none.length).every((request, i) => request === none[i])).toBe(true);
  expect(creations(none, 'things')).toEqual([]);
  expect(creations(things, 'things')).toEqual([
    ['example.com/v1', 'example.com/v2'],
    ['example.com/v2', 'example.com/v1'],
  ]);
  expect([none, things].map(requests => creations(requests, 'events'))).toEqual([events, events]);
});

it('tells a definition from a built-in resource with its plural', () => {
  const named = [
    ['example.com/v1', 'example.com/v2'],
    ['example.com/v2', 'example.com/v1'],
  ];
  expect(creations(requestsWith(definition('example.com', 'events')), 'events')).toEqual([...events, ...named]);
});
