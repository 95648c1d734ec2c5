import type { ClientOperation } from '../../client/operations.js';
import { copyOf, ensureMap, listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { type ScenarioCase, type ScenarioName, type ScenarioObjects, scenarioNames } from './scenario.js';
import { withChangedSpec } from './spec-change.js';

/** A manifest, and what is known about its kind. */
export interface LifecycleInput {
  /** An object with a name. Never modified. */
  readonly manifest: ValueMap;
  readonly resource: Resource;
  /** For a custom resource. */
  readonly definition: ValueMap | undefined;
}

/**
 * The calls of an object's lifecycle from creation to deletion, each also as a dry run. Each is independent, and provides its own stored
 * objects. Calls that the kind does not support are skipped with a reason.
 */
export function lifecycleCases(names: readonly ScenarioName[] | 'all', input: LifecycleInput): ScenarioCase[] {
  const wanted = scenarioNames.filter(name => names === 'all' || names.includes(name));
  return wanted.flatMap(scenario => {
    const scene = scenes[scenario];
    const { subresource, operation, make, change } = scene;
    const skip = notServed(input.resource, scene) ?? scene.impossible?.(input);
    const options = { ...(operation === undefined ? {} : { operation }), ...(subresource === undefined ? {} : { subresource }) };
    const objects = (stored: ValueMap | undefined): ScenarioObjects =>
      change === undefined
        ? { object: make?.(copyOf(input.manifest)) ?? copyOf(input.manifest), old: undefined }
        : change(copyOf(stored ?? input.manifest), input);
    const shared = { scenario, needsStored: change !== undefined, objects, mustBeAllowed: scenario === 'remove-finalizers', skip };
    return [
      { ...shared, name: scenario, options },
      { ...shared, name: `${scenario}, dry run`, options: { ...options, dryRun: 'server' } },
    ];
  });
}

/** A step of the lifecycle: changes the manifest, or the stored object. */
interface Scene {
  /** The verb that the resource, or its subresource, must support. */
  readonly verb: string;
  readonly subresource?: string;
  /** `create` when absent. */
  readonly operation?: ClientOperation;
  /** Reason why the step does not apply to this object. */
  readonly impossible?: (input: LifecycleInput) => string | undefined;
  /** The request object; the manifest when absent. Both functions may modify their arguments. */
  readonly make?: (manifest: ValueMap) => ValueMap;
  /** The request object, and the stored object. */
  readonly change?: (stored: ValueMap, input: LifecycleInput) => ScenarioObjects;
}

const update = { verb: 'update', operation: 'update' } as const;

const scenes: Readonly<Record<ScenarioName, Scene>> = {
  create: { verb: 'create' },
  'generate-name': { verb: 'create', impossible: hasFixedName, make: withGeneratedName },
  apply: { verb: 'patch', operation: 'apply' },
  'update-spec': {
    ...update,
    impossible: hasFixedSpec,
    change: (old, { definition }) => edited(old, object => withChangedSpec(object, definition)),
  },
  'update-labels': { ...update, change: old => edited(old, labeled) },
  status: { ...update, subresource: 'status', change: old => edited(old, object => object) },
  scale: { verb: 'patch', operation: 'patch', subresource: 'scale', change: old => edited(old, withMoreReplicas) },
  'update-terminating': { ...update, change: old => edited(terminating(old), labeled) },
  'remove-finalizers': { ...update, change: old => edited(terminating(old), withoutFinalizers) },
  delete: { verb: 'delete', operation: 'delete', change: old => edited(old, object => object) },
};

function notServed(
  { resource, verbs, subresources }: Resource,
  { verb, subresource }: Pick<Scene, 'verb' | 'subresource'>,
): string | undefined {
  const served = subresource === undefined ? verbs : (subresources.find(({ name }) => name === subresource)?.verbs ?? []);
  return served.includes(verb) ? undefined : `${resource} have no ${subresource ?? verb}`;
}

/** Their names are derived from their contents. */
function hasFixedName({ resource: { resource } }: LifecycleInput): string | undefined {
  return ['customresourcedefinitions', 'apiservices'].includes(resource)
    ? `names of ${resource} are derived from their contents`
    : undefined;
}

function hasFixedSpec({ manifest, definition, resource }: LifecycleInput): string | undefined {
  if (withChangedSpec(copyOf(manifest), definition) !== undefined) return undefined;
  return `no valid change is known for this ${resource.kind.kind}: add a case with old and filename`;
}

function withGeneratedName(manifest: ValueMap): ValueMap {
  const metadata = ensureMap(manifest, 'metadata');
  metadata.set('generateName', `${stringAt(metadata, 'name')}-`);
  metadata.delete('name');
  return manifest;
}

/** The request of `kubectl edit`: the stored object without managed fields, with a change. */
function edited(old: ValueMap, change: (object: ValueMap) => ValueMap | undefined): ScenarioObjects {
  const shown = copyOf(old);
  ensureMap(shown, 'metadata').delete('managedFields');
  return { object: change(shown) ?? shown, old };
}

/** A typical label. */
function labeled(object: ValueMap): ValueMap {
  ensureMap(ensureMap(object, 'metadata'), 'labels').set('webhook-cli.dev/scenario', 'changed');
  return object;
}

/** One more replica, in the Scale as well, even if a custom resource has the number in another field. */
function withMoreReplicas(object: ValueMap): ValueMap {
  const replicas = valueAt(object, 'spec', 'replicas');
  ensureMap(object, 'spec').set('replicas', typeof replicas === 'bigint' ? replicas + 1n : 2n);
  return object;
}

const finalizer = 'webhook-cli.dev/scenario';

/** A constant time: the same manifest gives the same calls. */
const deletedAt = '2026-01-01T00:00:00Z';

/** The stored object after a DELETE that waits for finalizers. Source: apiserver registry/generic/registry/store.go. */
function terminating(object: ValueMap): ValueMap {
  const metadata = ensureMap(object, 'metadata');
  metadata.set('deletionTimestamp', deletedAt);
  metadata.set('deletionGracePeriodSeconds', 0n);
  metadata.set('finalizers', [...listAt(metadata, 'finalizers'), finalizer]);
  return object;
}

function withoutFinalizers(object: ValueMap): ValueMap {
  ensureMap(object, 'metadata').delete('finalizers');
  return object;
}
