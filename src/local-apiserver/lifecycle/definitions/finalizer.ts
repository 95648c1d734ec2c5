import type { Instances } from '../../../apiserver/instances.js';
import { ensureMap, listAt, stringAt, type ValueMap } from '../../../go/value.js';
import { hasTrueCondition } from '../../../kubernetes/definition-resources.js';
import { type DefinitionCondition, withCondition } from './conditions.js';

/** What the finalizer of definitions works with. */
export interface FinalizerWorld {
  readonly now: () => Date;
  /** Returns the current definition of a name. */
  readonly find: (name: string) => ValueMap | undefined;
  /** Writes the status, and the finalizers. Returns the definition as written; undefined if it is gone or has changed. */
  readonly update: (definition: ValueMap) => Promise<ValueMap | undefined>;
  readonly instancesOf: (definition: ValueMap) => Instances;
  /** Resolves when an object of the definition is removed, or after some time. */
  readonly waitForRemoval: (definition: ValueMap) => Promise<void>;
}

const cleanup = 'customresourcecleanup.apiextensions.k8s.io';
/** Max time for which the finalizers of objects are waited for. */
const patienceMs = 60_000;

/** Reports whether a definition waits for the deletion of its objects. */
export function isToBeFinalized(definition: ValueMap): boolean {
  return stringAt(definition, 'metadata', 'deletionTimestamp') !== '' && listAt(definition, 'metadata', 'finalizers').includes(cleanup);
}

/**
 * Deletes the objects of a definition that is being deleted, and then the definition by removing its finalizer. Throws if that fails, after
 * the failure is written to its status. Source: apiextensions-apiserver pkg/controller/finalizer/crd_finalizer.go.
 */
export async function finalizeDefinition(name: string, world: FinalizerWorld): Promise<void> {
  const found = world.find(name);
  if (found === undefined || !isToBeFinalized(found)) return;
  const started = await world.update(withCondition(found, inProgress, world.now()));
  if (started === undefined) return;
  const { condition, error } = await deleteForCondition(started, world);
  const finished = withCondition(started, condition, world.now());
  if (error !== undefined) {
    await world.update(finished);
    throw error;
  }
  const metadata = ensureMap(finished, 'metadata');
  metadata.set(
    'finalizers',
    listAt(metadata, 'finalizers').filter(finalizer => finalizer !== cleanup),
  );
  await world.update(finished);
}

/** Definitions of these names share their place in the storage with built-in objects, which remain. */
const overlapping = ['apiservices.apiregistration.k8s.io', 'customresourcedefinitions.apiextensions.k8s.io'];

const terminating = { type: 'Terminating', status: 'True' } as const;
const finished = { type: 'Terminating', status: 'False' } as const;

const inProgress: DefinitionCondition = {
  ...terminating,
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

interface Outcome {
  readonly condition: DefinitionCondition;
  /** Why objects remain. */
  readonly error?: Error;
}

async function deleteForCondition(definition: ValueMap, world: FinalizerWorld): Promise<Outcome> {
  if (overlapping.includes(stringAt(definition, 'metadata', 'name')))
    return {
      condition: { ...finished, reason: 'OverlappingBuiltInResource', message: 'instances overlap with built-in resources in storage' },
    };
  if (!hasTrueCondition(definition, 'Established'))
    return { condition: { ...finished, reason: 'NeverEstablished', message: 'resource was never established' } };
  return deleteInstances(definition, world);
}

async function deleteInstances(definition: ValueMap, world: FinalizerWorld): Promise<Outcome> {
  const instances = world.instancesOf(definition);
  let found: readonly ValueMap[];
  try {
    found = await instances.list();
  } catch (error) {
    return failed('InstanceDeletionFailed', 'could not list instances', error);
  }
  const errors: unknown[] = [];
  for (const namespace of new Set(found.map(object => stringAt(object, 'metadata', 'namespace'))))
    await instances.deleteIn(namespace).catch(error => errors.push(error));
  if (errors.length > 0) return failed('InstanceDeletionFailed', 'could not issue all deletes', aggregateOf(errors));
  try {
    await waitForNone(definition, instances, world);
  } catch (error) {
    return failed('InstanceDeletionCheck', 'could not confirm zero CustomResources remaining', error);
  }
  return { condition: { ...finished, reason: 'InstanceDeletionCompleted', message: 'removed all instances' } };
}

async function waitForNone(definition: ValueMap, instances: Instances, world: FinalizerWorld): Promise<void> {
  const end = Date.now() + patienceMs;
  while ((await instances.list()).length > 0) {
    if (Date.now() >= end) throw new Error('context deadline exceeded');
    await world.waitForRemoval(definition);
  }
}

function failed(reason: string, what: string, error: unknown): Outcome {
  const message = errorText(error);
  return { condition: { ...terminating, reason, message: `${what}: ${message}` }, error: new Error(message) };
}

/** Source: apimachinery util/errors Aggregate. */
function aggregateOf(errors: readonly unknown[]): Error {
  const texts = [...new Set(errors.map(errorText))];
  return new Error(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`);
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
