import type { ClientOperation } from '../../client/operations.js';
import { ownMember } from '../../go/own-members.js';
import { copyOf, ensureMap, isMap, listAt, mapAt, toValue, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { podSpecPath } from '../../kubernetes/pod-spec-path.js';
import { type FuzzInput, inputFor } from '../inputs/input.js';
import { withValue } from '../inputs/with-value.js';
import type { AllowedObject } from './allowed-object.js';
import { exemptionsOf, namespacesOf } from './exemptions.js';
import type { Way, WaysContext } from './way.js';

/** Returns the ways to try, shorter ones first. */
export function waysOf(context: WaysContext): Way[] {
  const { allowed } = context;
  return [...creations(context), ...(allowed === undefined ? [] : changesOf({ ...context, allowed }))].sort(
    (a, b) => a.steps.length - b.steps.length,
  );
}

/** Ways that need an allowed object, or the place where it differs from the forbidden one. */
interface ChangeContext extends WaysContext {
  readonly allowed: AllowedObject;
}

function changesOf(context: ChangeContext): Way[] {
  return [...changes(context), ...otherLists(context), ...podContext(context), ...workloads(context)];
}

function creations(context: WaysContext): Way[] {
  const { forbidden, target, targets } = context;
  const looksAt = 'object';
  const generated = copyOf(forbidden);
  const metadata = ensureMap(generated, 'metadata');
  metadata.delete('name');
  metadata.set('generateName', 'a-');
  const others = targets.filter(
    ({ resource }) =>
      resource.group === target.resource.group && resource.resource === target.resource.resource && resource !== target.resource,
  );
  return [
    { title: 'an unconditional creation', steps: [inputFor(target, forbidden)], looksAt },
    { title: 'server-side apply', steps: [inputFor(target, forbidden, { operation: 'apply' })], looksAt },
    { title: 'a generated name', steps: [inputFor(target, generated)], looksAt },
    ...others.map((other): Way => {
      const { group, version } = other.resource;
      const object = copyOf(forbidden).set('apiVersion', group === '' ? version : `${group}/${version}`);
      return { title: `the version ${version}`, steps: [inputFor(other, object)], looksAt };
    }),
    ...exemptionsOf(context),
    ...namespacesOf(context),
  ];
}

function changes({ forbidden, target, allowed }: ChangeContext): Way[] {
  const first = inputFor(target, allowed.object);
  const change = (operation: ClientOperation, more: Partial<FuzzInput> = {}): FuzzInput =>
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

function otherLists({ forbidden, target, allowed }: ChangeContext): Way[] {
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

/** Fields of a container's security context that its pod's has, too. */
const inherited = new Set([
  'runAsUser',
  'runAsGroup',
  'runAsNonRoot',
  'seLinuxOptions',
  'seccompProfile',
  'appArmorProfile',
  'windowsOptions',
]);

/** Containers without a field have that of their pod. */
function podContext({ forbidden, target, allowed }: ChangeContext): Way[] {
  const spec = podSpecPath(forbidden);
  const [list, , context, field] = spec === undefined ? [] : allowed.path.slice(spec.length);
  if (spec === undefined || list !== 'containers' || context !== 'securityContext' || !inherited.has(String(field))) return [];
  const value = valueAt(forbidden, ...allowed.path);
  const place = [...spec, 'securityContext'];
  const holder = valueAt(allowed.object, ...place);
  const own: ValueMap = new Map(isMap(holder) ? holder : []);
  if (value === undefined) return [];
  const object = withValue(withValue(allowed.object, allowed.path, undefined), place, own.set(String(field), value));
  return [{ title: 'the security context of the pod', steps: [inputFor(target, object)], looksAt: 'pod' }];
}

/** Only for what is in the pod spec: templates have metadata of their own. */
function workloads({ forbidden, targets, allowed }: ChangeContext): Way[] {
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
    const made = ownMember(kinds, kind);
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
export function containersOfObject(spec: Value | undefined): Value[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap(key => listAt(spec, key));
}
