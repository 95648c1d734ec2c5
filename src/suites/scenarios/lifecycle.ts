import { copyOf, ensureMap, listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { type ScenarioCase, type ScenarioName, type ScenarioObjects, scenarioNames } from './scenario.js';
import { withChangedSpec } from './spec-change.js';

/** The manifest whose life is told, and what is known of its kind. */
export interface LifecycleInput {
  /** An object with a name. Left as it is. */
  readonly manifest: ValueMap;
  readonly resource: Resource;
  /** Of a custom resource. */
  readonly definition: ValueMap | undefined;
}

/**
 * The calls that an object meets from its creation to its end, each also as a dry run, in the order of a life. Each stands for itself: what it needs
 * stored it brings along. What the kind does not have is skipped, and says why.
 */
export function lifecycleCases(names: readonly ScenarioName[] | 'all', input: LifecycleInput): ScenarioCase[] {
  const wanted = scenarioNames.filter(name => names === 'all' || names.includes(name));
  return wanted.flatMap(scenario => {
    const scene = scenes[scenario];
    const { subresource, operation, make, change } = scene;
    const skip = notServed(input.resource, scene) ?? scene.impossible?.(input);
    const flags = { ...(operation === undefined ? {} : { operation }), ...(subresource === undefined ? {} : { subresource }) };
    const objects = (stored: ValueMap | undefined): ScenarioObjects =>
      change === undefined
        ? { object: make?.(copyOf(input.manifest)) ?? copyOf(input.manifest), old: undefined }
        : change(copyOf(stored ?? input.manifest), input);
    const told = { scenario, needsStored: change !== undefined, objects, mustBeAllowed: scenario === 'remove-finalizers', skip };
    return [
      { ...told, name: scenario, flags },
      { ...told, name: `${scenario}, dry run`, flags: { ...flags, 'dry-run': 'server' } },
    ];
  });
}

/** What happens to an object: something is made of its manifest, or what is stored changes. */
interface Scene {
  /** The verb that the resource, or its subresource, has to be served with. */
  readonly verb: string;
  readonly subresource?: string;
  /** `create` when it is absent. */
  readonly operation?: string;
  /** Why it does not happen to this object. */
  readonly impossible?: (input: LifecycleInput) => string | undefined;
  /** What is sent of the manifest; the manifest itself when it is absent. Both may change what they are given. */
  readonly make?: (manifest: ValueMap) => ValueMap;
  /** What is sent, and what is stored. */
  readonly change?: (stored: ValueMap, input: LifecycleInput) => ScenarioObjects;
}

const update = { verb: 'update', operation: 'update' };

const scenes: Readonly<Record<ScenarioName, Scene>> = {
  create: { verb: 'create' },
  'generate-name': { verb: 'create', impossible: hasFixedName, make: withGeneratedName },
  apply: { verb: 'patch', operation: 'apply' },
  'update-spec': {
    ...update,
    impossible: hasFixedSpec,
    change: (old, { definition }) => edited(old, object => withChangedSpec(object, definition)),
  },
  'update-labels': { ...update, change: old => edited(old, labelled) },
  status: { ...update, subresource: 'status', change: old => edited(old, object => object) },
  scale: { verb: 'patch', operation: 'patch', subresource: 'scale', change: old => edited(old, withMoreReplicas) },
  'update-terminating': { ...update, change: old => edited(terminating(old), labelled) },
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

/** Their names follow from what they hold. */
function hasFixedName({ resource: { resource } }: LifecycleInput): string | undefined {
  return ['customresourcedefinitions', 'apiservices'].includes(resource) ? `the names of ${resource} are not free` : undefined;
}

function hasFixedSpec({ manifest, definition, resource }: LifecycleInput): string | undefined {
  if (withChangedSpec(copyOf(manifest), definition) !== undefined) return undefined;
  return `no change is known that the API server takes for this ${resource.kind.kind}: write a case with old and filename`;
}

function withGeneratedName(manifest: ValueMap): ValueMap {
  const metadata = ensureMap(manifest, 'metadata');
  metadata.set('generateName', `${stringAt(metadata, 'name')}-`);
  metadata.delete('name');
  return manifest;
}

/** What `kubectl edit` sends: what is stored but for managed fields, which it does not show, with a change. */
function edited(old: ValueMap, change: (object: ValueMap) => ValueMap | undefined): ScenarioObjects {
  const shown = copyOf(old);
  ensureMap(shown, 'metadata').delete('managedFields');
  return { object: change(shown) ?? shown, old };
}

/** A label as people add them. */
function labelled(object: ValueMap): ValueMap {
  ensureMap(ensureMap(object, 'metadata'), 'labels').set('webhook-cli.dev/scenario', 'changed');
  return object;
}

/** One replica more. Where a custom resource keeps the number elsewhere, its Scale has it here all the same. */
function withMoreReplicas(object: ValueMap): ValueMap {
  const replicas = valueAt(object, 'spec', 'replicas');
  ensureMap(object, 'spec').set('replicas', typeof replicas === 'bigint' ? replicas + 1n : 2n);
  return object;
}

const finalizer = 'webhook-cli.dev/scenario';

/** No clock: the same manifest gives the same calls. */
const deletedAt = '2026-01-01T00:00:00Z';

/** The object as it is stored after a DELETE that has to wait for finalizers. Source: apiserver registry/generic/registry/store.go. */
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
