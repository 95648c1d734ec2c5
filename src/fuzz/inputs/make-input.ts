import { ownMember } from '../../go/own-members.js';
import { copyOf, ensureMap, isMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import { leafShape } from '../schemas/shape.js';
import { statuses } from '../templates/pods.js';
import type { Generator } from '../values/generate.js';
import { generate } from '../values/generate.js';
import { leafValue } from '../values/leaf-value.js';
import type { Action, FuzzedResource, FuzzInput } from './input.js';
import { mutated } from './mutate.js';
import { users } from './users.js';

/** Returns a call of an action for an object, with a second object where the action needs one. */
export function fuzzInputOf(
  target: FuzzedResource,
  action: Action,
  object: ValueMap,
  generator: Generator,
  changes: readonly string[] = [],
): FuzzInput {
  const { random: r } = generator;
  const plain: FuzzInput = {
    ...action,
    target,
    object,
    old: undefined,
    patch: undefined,
    user: r.chance(12) ? r.pick(users) : undefined,
    isDryRun: r.chance(4) && action.operation !== 'connect',
    changes,
    options: r.chance(40) ? optionsOf(action, generator) : undefined,
  };
  if (action.subresource !== undefined) return forSubresource(plain, generator);
  if (action.operation === 'update' || action.operation === 'patch' || (action.operation === 'apply' && r.chance(50)))
    return changing(plain, generator);
  return { ...plain, object: action.operation === 'create' ? object : named(object) };
}

function optionsOf({ operation, subresource }: Action, { random: r }: Generator): FuzzInput['options'] {
  if (operation === 'delete' || operation === 'deletecollection') return { cascade: r.pick(['orphan', 'foreground']) };
  if (subresource !== 'exec' && subresource !== 'attach') return undefined;
  return r.pick([{ stdin: true, tty: true }, { container: 'a' }]);
}

/** An update, patch or apply: the object before is similar, or the same. */
function changing(input: FuzzInput, generator: Generator): FuzzInput {
  const { random: r } = generator;
  const object = named(input.object);
  const { shape } = input.target;
  const other = r.chance(15)
    ? copyOf(object)
    : named(mutated(object, shape, generator, { times: 1 + r.below(2), prefersNew: false }).object);
  const [old, next] = r.chance(50) ? [object, other] : [other, object];
  ensureMap(old, 'metadata').set('name', stringAt(next, 'metadata', 'name'));
  if (r.chance(8)) ensureMap(old, 'metadata').set('finalizers', ['example.com/hold']);
  if (r.chance(5)) beDeleted(old, next);
  if (input.operation !== 'patch') return { ...input, object: next, old };
  return { ...input, object: next, old, patch: r.chance(60) ? 'merge' : 'json' };
}

/** Lets a controller remove its finalizer from an object that is being deleted. */
function beDeleted(old: ValueMap, next: ValueMap): void {
  const metadata = ensureMap(old, 'metadata');
  metadata.set('finalizers', ['example.com/hold']);
  metadata.set('deletionTimestamp', '2026-01-01T00:00:00Z');
  metadata.set('deletionGracePeriodSeconds', 0n);
  ensureMap(next, 'metadata').delete('finalizers');
}

function forSubresource(input: FuzzInput, generator: Generator): FuzzInput {
  const { random: r } = generator;
  const object = named(input.object);
  const { subresource, target } = input;
  const plain = { ...input, object, old: copyOf(object) };
  if (subresource === 'status') return withStatus(plain, generator);
  if (subresource === 'scale') {
    const next = copyOf(object);
    ensureMap(next, 'spec').set('replicas', r.pick([0n, 1n, 2n, 5n]));
    return { ...plain, object: next };
  }
  if (subresource === 'ephemeralcontainers') {
    const next = copyOf(object);
    const container = toValue({ name: 'debugger', image: 'busybox' });
    const shape = target.shape.fields.get('spec');
    const list = shape?.type === 'object' ? shape.fields.get('ephemeralContainers') : undefined;
    const made =
      list?.type === 'list' && r.chance(50)
        ? generate(list.items, { type: 'core/v1.EphemeralContainer', field: '' }, generator)
        : container;
    if (isMap(made)) {
      made.set('name', 'debugger');
      if (!made.has('image')) made.set('image', 'busybox');
    }
    ensureMap(next, 'spec').set('ephemeralContainers', [made]);
    return { ...plain, object: next };
  }
  if (subresource === 'binding') {
    const next = copyOf(object);
    ensureMap(next, 'spec').set('nodeName', 'node-1');
    return { ...plain, object: next };
  }
  if (subresource === 'resize') {
    const next = copyOf(object);
    for (const container of listAt(next, 'spec', 'containers')) {
      if (!isMap(container)) continue;
      const quantity = leafValue(leafShape('quantity'), { type: '', field: 'cpu' }, generator);
      ensureMap(container, 'resources').set('requests', new Map([['cpu', quantity]]));
    }
    return { ...plain, object: next };
  }
  return plain;
}

function withStatus(input: FuzzInput, generator: Generator): FuzzInput {
  const { random: r } = generator;
  const { shape, resource } = input.target;
  const known = ownMember(statuses, resource.kind.kind);
  const of = shape.fields.get('status');
  const status: Value =
    known !== undefined && r.chance(60)
      ? toValue(r.pick(known))
      : of?.type === 'object'
        ? generate(of, { type: shape.name, field: 'status' }, generator)
        : new Map();
  const object = copyOf(input.object);
  object.set('status', status);
  return { ...input, object, patch: input.operation === 'patch' ? 'merge' : undefined };
}

/** Returns the object with a name of its own: only CREATE generates names. */
function named(object: ValueMap): ValueMap {
  if (stringAt(object, 'metadata', 'name') !== '' && !mapAt(object, 'metadata')?.has('generateName')) return object;
  const copy = copyOf(object);
  const metadata = ensureMap(copy, 'metadata');
  metadata.delete('generateName');
  if (stringAt(metadata, 'name') === '') metadata.set('name', 'a');
  return copy;
}
