import type { Operation } from '../../client/operations.js';
import { copyOf, ensureMap, isMap, listAt, mapAt, toValue, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { RequestedUser } from '../../kubernetes/api-call.js';
import { type FuzzedResource, type Input, inputFor } from '../inputs/input.js';
import { type Path, withValue } from '../inputs/with-value.js';
import type { AllowedObject } from './allowed-object.js';
import { label, labelsOutside, selectorsOf } from './selectors.js';

/** A sequence of calls that may store what CREATE refuses. */
export interface Way {
  /** Continues `is stored by`. */
  readonly title: string;
  readonly steps: readonly Input[];
  /** Where to look: the object itself, its containers of another list, or the pods of a workload. */
  readonly looksAt: 'object' | 'containers' | 'pods';
}

/** What the ways start from. */
export interface WaysContext {
  readonly forbidden: ValueMap;
  readonly target: FuzzedResource;
  readonly allowed: AllowedObject;
  readonly targets: readonly FuzzedResource[];
  readonly configurations: readonly ValueMap[];
  /** Texts of conditions and selectors. */
  readonly literals: readonly string[];
}

/** Returns the ways to try, shorter ones first. */
export function waysOf(context: WaysContext): Way[] {
  return [...creations(context), ...changes(context), ...otherLists(context), ...workloads(context)].sort(
    (a, b) => a.steps.length - b.steps.length,
  );
}

function creations({ forbidden, target, targets, configurations, literals }: WaysContext): Way[] {
  const looksAt = 'object';
  const generated = copyOf(forbidden);
  const metadata = ensureMap(generated, 'metadata');
  metadata.delete('name');
  metadata.set('generateName', 'a-');
  const others = targets.filter(
    ({ resource }) =>
      resource.group === target.resource.group && resource.resource === target.resource.resource && resource !== target.resource,
  );
  const users: RequestedUser[] = literals.flatMap(text => [{ username: text }, { username: 'jane', groups: [text] }]);
  const labels = [
    ...selectorsOf(configurations, 'objectSelector').flatMap(labelsOutside),
    ...literals
      .filter(text => /^[a-z0-9./-]+$/i.test(text))
      .flatMap(key => ['true', 'false', 'disabled', 'skip'].map(value => new Map([[key, value]]))),
  ];
  return [
    { title: 'an unconditional creation', steps: [inputFor(target, forbidden)], looksAt },
    { title: 'server-side apply', steps: [inputFor(target, forbidden, { operation: 'apply' })], looksAt },
    { title: 'a generated name', steps: [inputFor(target, generated)], looksAt },
    ...others.map((other): Way => {
      const { group, version } = other.resource;
      const object = copyOf(forbidden).set('apiVersion', group === '' ? version : `${group}/${version}`);
      return { title: `the version ${version}`, steps: [inputFor(other, object)], looksAt };
    }),
    ...users.map(
      (user): Way => ({
        title: `the user ${user.groups === undefined ? user.username : `in the group ${user.groups[0]}`}`,
        steps: [inputFor(target, forbidden, { user })],
        looksAt,
      }),
    ),
    ...labels.map((own): Way => {
      const object = copyOf(forbidden);
      label(object, own);
      return {
        title: `the label ${[...own].map(([key, value]) => (value === null ? `${key} removed` : `${key}=${value}`)).join(', ')}`,
        steps: [inputFor(target, object)],
        looksAt,
      };
    }),
    ...namespaces({ forbidden, target, targets, configurations }),
  ];
}

function namespaces({
  forbidden,
  target,
  targets,
  configurations,
}: Pick<WaysContext, 'forbidden' | 'target' | 'targets' | 'configurations'>): Way[] {
  const ofNamespaces = targets.find(({ resource }) => resource.resource === 'namespaces' && resource.group === '');
  if (!target.resource.namespaced || ofNamespaces === undefined) return [];
  const inside = (namespace: string): ValueMap => withValue(forbidden, ['metadata', 'namespace'], namespace);
  const known = ['kube-system', 'kube-public', 'kube-node-lease'].map(
    (name): Way => ({ title: `the namespace ${name}`, steps: [inputFor(target, inside(name))], looksAt: 'object' }),
  );
  const made = selectorsOf(configurations, 'namespaceSelector')
    .flatMap(labelsOutside)
    .map((labels): Way => {
      const namespace = toValue({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bypass' } });
      if (!isMap(namespace)) throw new Error('a namespace is an object');
      label(namespace, labels);
      return {
        title: 'a new namespace that the selector leaves out (needs create on namespaces)',
        steps: [inputFor(ofNamespaces, namespace), inputFor(target, inside('bypass'))],
        looksAt: 'object',
      };
    });
  return [...known, ...made];
}

function changes({ forbidden, target, allowed }: WaysContext): Way[] {
  const first = inputFor(target, allowed.object);
  const change = (operation: Operation, more: Partial<Input> = {}): Input =>
    inputFor(target, forbidden, { operation, old: allowed.object, ...more });
  const looksAt = 'object';
  const own: Way[] = [
    { title: 'an update', steps: [first, change('update')], looksAt },
    { title: 'a merge patch', steps: [first, change('patch', { patch: 'merge' })], looksAt },
    { title: 'a JSON patch', steps: [first, change('patch', { patch: 'json' })], looksAt },
    { title: 'server-side apply over an allowed object', steps: [first, change('apply')], looksAt },
  ];
  const subresources = target.resource.subresources.flatMap(({ name, verbs }): Way[] => {
    if (name !== 'scale' && name !== 'status' && name !== 'resize') return [];
    return verbs.includes('update')
      ? [{ title: `the subresource ${name}`, steps: [first, change('update', { subresource: name })], looksAt }]
      : [];
  });
  return [...own, ...subresources];
}

/** Path of the pod spec in an object. */
export function podSpecPath(object: ValueMap): Path | undefined {
  if (object.get('kind') === 'Pod') return ['spec'];
  return [
    ['spec', 'template', 'spec'],
    ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ].find(path => isMap(valueAt(object, ...path)));
}

function otherLists({ forbidden, target, allowed }: WaysContext): Way[] {
  const spec = podSpecPath(forbidden);
  if (spec === undefined || allowed.path[spec.length] !== 'containers') return [];
  const container = valueAt(forbidden, ...allowed.path.slice(0, spec.length + 2));
  if (!isMap(container)) return [];
  const moved = copyOf(container).set('name', 'moved');
  const initial = withValue(allowed.object, [...spec, 'initContainers'], [moved]);
  const looksAt = 'containers';
  const ways: Way[] = [{ title: 'an init container', steps: [inputFor(target, initial)], looksAt }];
  if (forbidden.get('kind') !== 'Pod') return ways;
  const ephemeral = copyOf(moved);
  for (const field of ['ports', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resources']) ephemeral.delete(field);
  const object = withValue(allowed.object, [...spec, 'ephemeralContainers'], [ephemeral]);
  const debug = inputFor(target, object, { operation: 'patch', subresource: 'ephemeralcontainers', old: allowed.object });
  return [...ways, { title: 'an ephemeral container', steps: [inputFor(target, allowed.object), debug], looksAt }];
}

/** Only for what is in the pod spec: templates have metadata of their own. */
function workloads({ forbidden, targets, allowed }: WaysContext): Way[] {
  const path = podSpecPath(forbidden);
  const spec = path === undefined ? undefined : valueAt(forbidden, ...path);
  if (!isMap(spec) || path?.some((step, i) => allowed.path[i] !== step)) return [];
  const labels = { app: 'bypass' };
  const selector = { matchLabels: labels };
  const template = (more: object = {}): Value => toValue({ metadata: { labels }, spec: new Map([...copyOf(spec), ...mapOf(more)]) });
  const kinds: Readonly<Record<string, () => object>> = {
    Deployment: () => ({ selector, template: template() }),
    ReplicaSet: () => ({ selector, template: template() }),
    StatefulSet: () => ({ selector, serviceName: 'a', template: template() }),
    DaemonSet: () => ({ selector, template: template() }),
    ReplicationController: () => ({ selector: labels, template: template() }),
    Job: () => ({ template: template({ restartPolicy: 'Never' }) }),
    CronJob: () => ({ schedule: '* * * * *', jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }) } } }),
  };
  return targets.flatMap((target): Way[] => {
    const { kind, group, version } = target.resource.kind;
    const made = kinds[kind];
    if (made === undefined || kind === forbidden.get('kind')) return [];
    const namespace = mapAt(forbidden, 'metadata')?.get('namespace') ?? 'default';
    const object = toValue({
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
      metadata: { name: 'bypass', namespace },
      spec: made(),
    });
    return isMap(object) ? [{ title: `the template of a ${kind}`, steps: [inputFor(target, object)], looksAt: 'pods' }] : [];
  });
}

function mapOf(members: object): ValueMap {
  const value = toValue(members);
  return isMap(value) ? value : new Map();
}

/** Returns the containers of a pod spec by list. */
export function containersOf(spec: Value | undefined): Value[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap(key => listAt(spec, key));
}
