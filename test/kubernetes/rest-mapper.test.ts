import { describe, expect, it } from 'vitest';
import { type GroupVersionResource, printKind, printResource } from '../../src/kubernetes/group-version.js';
import { guessNames, plainMapper } from '../../src/kubernetes/plain-mapper.js';
import { builtInResources, type Resource } from '../../src/kubernetes/resource-table.js';
import { expandShortName, restMapperOf } from '../../src/kubernetes/rest-mapper.js';
import { compareVersions } from '../../src/kubernetes/version-order.js';
import { server } from '../support/server.js';

const builtIn = builtInResources(server, 'default');
const mapper = restMapperOf(builtIn);

function resource(name: string, group = '', version = ''): GroupVersionResource {
  return { group, version, resource: name };
}

function outcome(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

describe('kinds to resources', () => {
  it.each([
    ['Pod', '', ['v1'], '/v1, Resource=pods namespaced'],
    ['Namespace', '', ['v1'], '/v1, Resource=namespaces cluster'],
    ['Deployment', 'apps', ['v1'], 'apps/v1, Resource=deployments namespaced'],
    ['deployment', 'apps', ['v1'], 'apps/v1, Resource=deployments namespaced'],
    ['HorizontalPodAutoscaler', 'autoscaling', [], 'autoscaling/v2, Resource=horizontalpodautoscalers namespaced'],
    ['HorizontalPodAutoscaler', 'autoscaling', ['v1'], 'autoscaling/v1, Resource=horizontalpodautoscalers namespaced'],
    ['Deployment', 'apps', ['v1beta1', 'v1'], 'apps/v1, Resource=deployments namespaced'],
    ['List', '', ['v1'], '/v1, Resource=lists cluster'],
    ['PodList', '', ['v1'], '/v1, Resource=podlists namespaced'],
    ['Eviction', 'policy', ['v1'], 'NoKindMatchError: no matches for kind "Eviction" in version "policy/v1"'],
    ['Deployment', 'apps', ['v1beta1'], 'NoKindMatchError: no matches for kind "Deployment" in version "apps/v1beta1"'],
    ['Foo', 'apps', [], 'NoKindMatchError: no matches for kind "Foo" in group "apps"'],
    ['Foo', 'apps', ['v2', 'v1', 'v2'], 'NoKindMatchError: no matches for kind "Foo" in versions ["apps/v1" "apps/v2"]'],
    ['Foo', '', ['v1'], 'NoKindMatchError: no matches for kind "Foo" in version "v1"'],
  ] as const)('%s in %j, versions %j', (kind, group, versions, expected) => {
    const found = outcome(() => {
      const mapping = mapper.mapping({ group, kind }, ...versions);
      return `${printResource(mapping.resource)} ${mapping.namespaced ? 'namespaced' : 'cluster'}`;
    });
    expect(found).toBe(expected);
  });
});

describe('resources to kinds', () => {
  it.each([
    [resource('pods'), '/v1, Kind=Pod'],
    [resource('POD'), '/v1, Kind=Pod'],
    [resource('po'), '/v1, Kind=Pod'],
    [resource('deploy'), 'apps/v1, Kind=Deployment'],
    [resource('deployments', 'apps'), 'apps/v1, Kind=Deployment'],
    [resource('deployments', 'ap'), 'apps/v1, Kind=Deployment'],
    [resource('events'), '/v1, Kind=Event'],
    [resource('events', 'events'), 'events.k8s.io/v1, Kind=Event'],
    [resource('events', '', 'v1'), '/v1, Kind=Event'],
    [resource('hpa'), 'autoscaling/v2, Kind=HorizontalPodAutoscaler'],
    [resource('hpa', '', 'v1'), 'autoscaling/v2, Kind=HorizontalPodAutoscaler'],
    [resource('horizontalpodautoscalers', '', 'v1'), 'autoscaling/v1, Kind=HorizontalPodAutoscaler'],
    [resource('podlists'), '/v1, Kind=PodList'],
    [resource('endpoints'), '/v1, Kind=Endpoints'],
    [resource('PoDz'), 'NoResourceMatchError: no matches for /, Resource=PoDz'],
    [resource('pods', 'k8s.io'), 'NoResourceMatchError: no matches for k8s.io/, Resource=pods'],
  ])('%j', (given, expected) => {
    expect(outcome(() => printKind(mapper.kindFor(given)))).toBe(expected);
  });

  it('returns the plural resource for a name', () => {
    expect(mapper.resourceFor(resource('Deployment'))).toEqual(resource('deployments', 'apps', 'v1'));
    expect(mapper.resourceFor(resource('endpoints'))).toEqual(resource('endpoints', '', 'v1'));
    expect(mapper.resourcesFor(resource('events')).map(printResource)).toEqual([
      '/v1, Resource=events',
      'events.k8s.io/v1, Resource=events',
    ]);
  });

  it('finds the singular of a plural and of a singular', () => {
    expect(['pods', 'pod', 'ingresses', 'endpoints', 'nothing'].map(name => outcome(() => mapper.singular(name)))).toEqual([
      'pod',
      'pod',
      'ingress',
      'endpoints',
      'NoResourceMatchError: no matches for /, Resource=nothing',
    ]);
  });
});

describe('the plain mapper', () => {
  const entries = [
    { kind: { group: 'second.io', version: 'v1', kind: 'Widget' }, plural: 'widgets', singular: 'widget', namespaced: true },
    { kind: { group: 'first.io', version: 'v2', kind: 'Widget' }, plural: 'widgets', singular: 'widget', namespaced: true },
    { kind: { group: 'first.io', version: 'v1', kind: 'Widget' }, plural: 'widgets', singular: 'widget', namespaced: true },
    { kind: { group: '', version: 'v1', kind: 'Endpoints' }, plural: 'endpoints', singular: 'endpoints', namespaced: true },
  ];
  const plain = plainMapper(entries, [
    { group: 'first.io', version: 'v1' },
    { group: 'first.io', version: 'v2' },
  ]);

  it('puts the default versions first, in their order', () => {
    expect(plain.resourcesFor(resource('widgets')).map(printResource)).toEqual([
      'first.io/v1, Resource=widgets',
      'first.io/v2, Resource=widgets',
      'second.io/v1, Resource=widgets',
    ]);
  });

  it('returns a resource twice if its singular is its plural, as upstream does', () => {
    expect(plain.resourcesFor(resource('endpoints')).map(printResource)).toEqual(['/v1, Resource=endpoints', '/v1, Resource=endpoints']);
    expect(plain.resourcesFor(resource('endpoints', '', 'v1'))).toHaveLength(2);
    expect(plain.kindsFor(resource('endpoints'))).toHaveLength(1);
  });

  it('uses the first version with the kind, or all default versions', () => {
    const versionsOf = (...versions: string[]) => plain.mappings({ group: 'first.io', kind: 'Widget' }, versions).map(m => m.kind.version);
    expect([versionsOf('v3', 'v2', 'v1'), versionsOf(), versionsOf('', '__internal')]).toEqual([['v2'], ['v1', 'v2'], ['v1', 'v2']]);
  });

  it('lower-cases an unknown name as a resource, but not as a kind', () => {
    expect(outcome(() => String(plain.resourcesFor(resource('NoNe'))))).toBe('NoResourceMatchError: no matches for /, Resource=none');
    expect(outcome(() => String(plain.kindsFor(resource('NoNe'))))).toBe('NoResourceMatchError: no matches for /, Resource=NoNe');
  });
});

describe('names', () => {
  const custom = (group: string, name: string, shortNames: readonly string[]): Resource => ({
    group,
    version: 'v1',
    resource: `${name}s`,
    singular: name,
    kind: { group, version: 'v1', kind: name },
    namespaced: true,
    verbs: [],
    shortNames,
    categories: [],
    subresources: [],
    custom: true,
  });

  it.each([
    ['Pod', 'pods', 'pod'],
    ['Endpoints', 'endpoints', 'endpoints'],
    ['Ingress', 'ingresses', 'ingress'],
    ['NetworkPolicy', 'networkpolicies', 'networkpolicy'],
    ['Gateway', 'gatewaies', 'gateway'],
    ['Box', 'boxs', 'box'],
    ['', '', ''],
  ])('guesses the names of %j', (kind, plural, singular) => {
    expect(guessNames(kind)).toEqual({ plural, singular });
  });

  it('never lets a short name hide a served name', () => {
    const resources = [...builtIn.resources, custom('example.com', 'crate', ['pods', 'ev', 'cr'])];
    expect(expandShortName(resource('pods'), resources)).toEqual(resource('pods'));
    expect(expandShortName(resource('cr', 'exam', 'v1'), resources)).toEqual(resource('crates', 'example.com', 'v1'));
    expect(expandShortName(resource('cr', '', 'v1'), resources)).toEqual(resource('crates', 'example.com'));
  });

  it('orders versions by stability, then age', () => {
    const versions = ['foo1', 'v1alpha1', 'v10beta3', 'v1', 'v2', 'v11beta2', 'foo10', 'v3beta1', 'v12alpha1', 'v11alpha2', 'v10'];
    expect([...versions].sort(compareVersions)).toEqual([
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'v1alpha1',
      'foo1',
      'foo10',
    ]);
  });
});
