import { definitionOf } from '../../apiserver/call/definitions.js';
import { servedBy } from '../../apiserver/call/served-resources.js';
import { CliError } from '../../client/cli-error.js';
import { nearest } from '../../client/nearest.js';
import type { NamedResource } from '../../client/options/resource-value.js';
import { isMap, listAt, stringAt, stringsAt, type Value, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { kindOf } from '../../kubernetes/storage.js';
import type { FuzzedResource } from '../inputs/input.js';
import { isPipelineConfiguration } from '../pipeline/pipeline.js';
import { shapeOfKind } from '../schemas/shape-of-kind.js';

/** Resources that webhooks are mostly for: used where rules say `*`, and where nothing says which. */
const common = [
  ...[
    'pods',
    'deployments',
    'services',
    'configmaps',
    'ingresses',
    'jobs',
    'namespaces',
    'statefulsets',
    'daemonsets',
    'cronjobs',
    'secrets',
  ],
  ...['serviceaccounts', 'persistentvolumeclaims', 'networkpolicies', 'replicasets', 'roles', 'rolebindings', 'poddisruptionbudgets'],
  ...['horizontalpodautoscalers', 'clusterroles', 'clusterrolebindings', 'persistentvolumes', 'nodes', 'endpointslices'],
];

/** How targets are chosen. */
export interface TargetChoice {
  /** `--kind RESOURCE[.GROUP]` */
  readonly kinds: readonly NamedResource[] | undefined;
  /** The user's own objects. */
  readonly seeds: readonly ValueMap[];
  /** Whether the rules of the configurations choose, not those of a webhook for every call. */
  readonly byRules: boolean;
}

/**
 * Returns the resources to generate objects of: the named ones; else those of the seeds; else those of the rules; else common ones and all
 * custom ones. Throws CliError for unknown resources.
 */
export function targetsOf(state: ClusterState, { kinds, seeds, byRules }: TargetChoice): FuzzedResource[] {
  const { resources } = servedBy(state);
  const usable = resources.filter(resource => resource.verbs.includes('create') && !resource.kind.kind.endsWith('Review'));
  const chosen =
    kinds !== undefined
      ? kinds.map(wanted => namedResource(wanted, usable))
      : seeds.length > 0
        ? distinct(seeds.flatMap(seed => usable.find(resource => isOfKind(seed, resource)) ?? []))
        : byRules
          ? resourcesOfRules(state, usable)
          : distinct([...usable.filter(({ custom }) => custom), ...common.flatMap(name => preferred(name, usable))]);
  return chosen.flatMap(resource => {
    const shape = shapeOfKind(resource, state);
    return shape === undefined ? [] : [{ resource, shape }];
  });
}

/** Returns all resources that can be created. */
export function allTargets(state: ClusterState): FuzzedResource[] {
  return servedBy(state)
    .resources.filter(resource => resource.verbs.includes('create'))
    .flatMap(resource => {
      const shape = shapeOfKind(resource, state);
      return shape === undefined ? [] : [{ resource, shape }];
    });
}

/** Reports whether an object is of a resource's kind. */
export function isOfKind(object: ValueMap, { kind }: Pick<Resource, 'kind'>): boolean {
  const own = kindOf(object);
  return own.group === kind.group && own.version === kind.version && own.kind === kind.kind;
}

function namedResource({ text, name, group }: NamedResource, usable: readonly Resource[]): Resource {
  const found = usable.find(
    resource =>
      [resource.resource, resource.singular, resource.kind.kind.toLowerCase(), ...resource.shortNames].includes(name) &&
      (group === undefined || resource.group === group),
  );
  if (found !== undefined) return found;
  const meant = nearest(
    name,
    usable.map(({ resource }) => resource),
  );
  throw new CliError('usage', `invalid --kind ${JSON.stringify(text)}: the API server serves no such resource`, {
    suggestions: [
      meant === undefined ? 'pass RESOURCE[.GROUP], such as deployments.apps' : `did you mean ${meant}?`,
      'pass its definition with --state',
    ],
  });
}

/** Returns a resource of the group that serves it first, in all its stable versions: an object looks different in another one. */
function preferred(name: string, usable: readonly Resource[]): Resource[] {
  const found = usable.find(({ resource, custom }) => resource === name && !custom);
  if (found === undefined) return [];
  return usable.filter(one => one === found || (one.resource === name && one.group === found.group && /^v\d+$/.test(one.version)));
}

/** Resources that rules of the state's webhooks name; where they say `*`, the common and the custom ones. */
function resourcesOfRules(state: ClusterState, usable: readonly Resource[]): Resource[] {
  const rules = state.objects
    .filter(isPipelineConfiguration)
    .flatMap(object => listAt(object, 'webhooks'))
    .flatMap(webhook => listAt(webhook, 'rules'));
  const matched = rules.flatMap(rule => usable.filter(resource => isNamed(rule, resource)));
  const wide = rules.flatMap(rule => [
    ...usable.filter(({ custom }) => custom).filter(resource => isMatched(rule, resource)),
    ...common.flatMap(name => preferred(name, usable)).filter(resource => isMatched(rule, resource)),
  ]);
  return distinct([...matched, ...wide, ...usable.filter(resource => isConverted(resource, state))]);
}

/** Reports whether a conversion webhook converts the objects of a resource. */
function isConverted(resource: Resource, state: ClusterState): boolean {
  const definition = definitionOf(resource, state);
  return definition !== undefined && stringAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook';
}

function distinct(resources: readonly Resource[]): Resource[] {
  return [...new Set(resources)];
}

function isNamed(rule: Value, resource: Resource): boolean {
  return isMatched(rule, resource) && texts(rule, 'resources').some(entry => entry.split('/', 1)[0] === resource.resource);
}

function isMatched(rule: Value, { group, version, resource }: Resource): boolean {
  const names = texts(rule, 'resources').map(entry => entry.split('/', 1)[0] ?? '');
  return includes(texts(rule, 'apiGroups'), group) && includes(texts(rule, 'apiVersions'), version) && includes(names, resource);
}

function includes(listed: readonly string[], value: string): boolean {
  return listed.includes('*') || listed.includes(value);
}

function texts(rule: Value, key: string): string[] {
  return isMap(rule) ? stringsAt(rule, key) : [];
}

/** Returns the name of a resource for messages: `pods`, `deployments.apps`. */
export function resourceName({ resource, group }: Resource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** Returns the name of an object. */
export function nameOfTarget(object: ValueMap): string {
  return stringAt(object, 'metadata', 'name') || stringAt(object, 'metadata', 'generateName');
}
