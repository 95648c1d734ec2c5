import { setTimeout as wait } from 'node:timers/promises';
import type { Instances } from '../../../apiserver/instances.js';
import { copyOf, ensureMap, mapAt, sameValue, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { Effects } from '../../../kubernetes/effects.js';
import { collectionOfDefinition, kindName } from '../../store/collection-names.js';
import type { Store } from '../../store/store.js';
import { type ApprovalConditions, newApprovalConditions } from './api-approval.js';
import { withoutCondition } from './conditions.js';
import { asEstablished } from './establishing.js';
import { type FinalizerWorld, finalizeDefinition, isToBeFinalized } from './finalizer.js';
import { withNames } from './naming.js';
import { withStructureCondition } from './non-structural-schema.js';
import { updateStatus } from './status-client.js';
import { newWorkQueue } from './work-queue.js';

const definitionKind = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' };
const definitions = kindName(definitionKind);

/** What the controllers of definitions work with. */
export interface DefinitionsWorld {
  readonly store: Store;
  readonly state: () => ClusterState;
  readonly effects: () => Effects;
  /** Returns the objects of a definition, as the API server's own storage of its storage version shows them. */
  readonly instancesOf: (definition: ValueMap) => Instances;
}

/** The controllers of definitions. */
export interface DefinitionControllers {
  /** Reports whether they have nothing to do. */
  readonly isIdle: () => boolean;
  /** Resolves when they have nothing to do, but soon in any case: a webhook that they call may need the server. */
  readonly settled: () => Promise<unknown>;
}

const patienceMs = 100;
/** Upstream: one worker for names, because conflicts depend on the order, and five for the finalizer. */
const finalizerWorkers = 5;

/**
 * Starts the controllers that the API server has for definitions: they accept names, establish definitions, tell whether they are approved
 * and structural, and delete their objects. Source: apiextensions-apiserver pkg/controller.
 */
export function followDefinitions(world: DefinitionsWorld): DefinitionControllers {
  const { store } = world;
  const approval = newApprovalConditions();
  const status = newWorkQueue(1, async name => {
    await updateConditions(name, approval, world);
  });
  const finalizer = newWorkQueue(finalizerWorkers, name => finalize(name, world, definition => waitForRemoval(definition, store)));
  const addGroup = (group: string): void => {
    for (const definition of store.list(definitionKind))
      if (stringAt(definition, 'spec', 'group') === group) status.add(stringAt(definition, 'metadata', 'name'));
  };
  const add = (definition: ValueMap, previous: ValueMap | undefined): void => {
    const name = stringAt(definition, 'metadata', 'name');
    status.add(name);
    // Names that it released may be wanted by others.
    if (previous !== undefined && !sameValue(namesOf(previous), namesOf(definition))) addGroup(stringAt(definition, 'spec', 'group'));
    if (isToBeFinalized(definition) && (previous === undefined || isChangedByOthers(previous, definition))) finalizer.add(name);
  };
  for (const definition of store.list(definitionKind)) add(definition, undefined);
  store.subscribe(({ collection, object, previous }) => {
    if (collection !== definitions) return;
    if (object !== undefined) add(object, previous);
    else {
      approval.deleted(stringAt(previous, 'metadata', 'name'));
      addGroup(stringAt(previous, 'spec', 'group'));
    }
  });
  const isIdle = (): boolean => status.isIdle() && finalizer.isIdle();
  const waitUntilIdle = async (): Promise<void> => {
    while (!isIdle()) await Promise.all([status.settled(), finalizer.settled()]);
  };
  return { isIdle, settled: () => Promise.race([waitUntilIdle(), wait(patienceMs, undefined, { ref: false })]) };
}

function namesOf(definition: ValueMap): Value {
  return mapAt(definition, 'status', 'acceptedNames') ?? null;
}

/** Why the objects of a definition remain: `waitForRemoval` of a world without time. */
const endless = new Error('context deadline exceeded');

/**
 * Lets the controllers of all definitions do what they can do at once, without timers and without another try. Objects whose finalizers
 * nobody removes end the wait.
 */
export async function settleDefinitions(world: DefinitionsWorld): Promise<void> {
  const approval = newApprovalConditions();
  const names = (): string[] => world.store.list(definitionKind).map(definition => stringAt(definition, 'metadata', 'name'));
  for (const name of names()) while (await updateConditions(name, approval, world));
  // The failure is in the status.
  for (const name of names()) await finalize(name, world, () => Promise.reject(endless)).catch(() => {});
}

/** Writes the next condition that a definition needs: the change of its status calls the controllers again. Returns whether it was written. */
async function updateConditions(name: string, approval: ApprovalConditions, world: DefinitionsWorld): Promise<boolean> {
  const definition = world.store.find(definitionKind, '', name);
  if (definition === undefined) return false;
  const effects = world.effects();
  const now = effects.now();
  const next =
    withNames(definition, world.store.list(definitionKind), now) ??
    asEstablished(definition, now) ??
    withStructureCondition(definition, now);
  const changed = next ?? approval.withApproval(definition, now);
  if (changed === undefined) return false;
  const result = await updateStatus(changed, world.state(), effects);
  if (result === 'written' && next === undefined) approval.written(changed);
  return result === 'written';
}

async function finalize(
  name: string,
  { store, state, effects, instancesOf: instances }: DefinitionsWorld,
  wait: FinalizerWorld['waitForRemoval'],
): Promise<void> {
  const find = (): ValueMap | undefined => store.find(definitionKind, '', name);
  await finalizeDefinition(name, {
    now: effects().now,
    find,
    update: async definition => ((await updateStatus(definition, state(), effects())) === 'written' ? find() : undefined),
    instancesOf: instances,
    waitForRemoval: wait,
  });
}

const pollMs = 5000;

/** Resolves when an object of the definition is removed, and not later than upstream's next look. */
function waitForRemoval(definition: ValueMap, store: Store): Promise<void> {
  const collection = collectionOfDefinition(definition);
  return new Promise(resolve => {
    const finish = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(finish, pollMs).unref();
    const unsubscribe = store.subscribe(change => {
      if (change.collection === collection && change.object === undefined) finish();
    });
  });
}

/** Reports whether a definition differs in more than what its finalizer writes. Source: crd_finalizer.go updateCustomResourceDefinition. */
function isChangedByOthers(previous: ValueMap, definition: ValueMap): boolean {
  return !sameValue(withoutOwnParts(previous), withoutOwnParts(definition));
}

function withoutOwnParts(definition: ValueMap): ValueMap {
  const copy = copyOf(withoutCondition(definition, 'Terminating'));
  const metadata = ensureMap(copy, 'metadata');
  metadata.delete('resourceVersion');
  metadata.delete('managedFields');
  return copy;
}
