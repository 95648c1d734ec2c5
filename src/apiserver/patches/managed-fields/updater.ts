import { compareTyped, type FieldComparison } from '../structured-merge/compare.js';
import { equalValues } from '../structured-merge/compare-values.js';
import { difference, type FieldSet, fieldSet, intersection, isEmpty, union } from '../structured-merge/field-set.js';
import { mergeTyped } from '../structured-merge/merge.js';
import { reconcileWithType } from '../structured-merge/reconcile.js';
import { toFieldSet } from '../structured-merge/to-field-set.js';
import { type Conflict, ConflictsError, conflictsOf } from './conflicts.js';
import type { Managers, VersionedSet } from './managers.js';
import { pruneManaged } from './prune.js';
import { convertToVersion, type ManagedVersions, prefixFailedStep, type TypedObject, typeOfObject } from './versions.js';

/** Resource-specific parts of an updater. */
export interface UpdaterContext {
  readonly versions: ManagedVersions;
  /** Removes the paths that the endpoint resets. */
  readonly filter: (set: FieldSet, apiVersion: string) => FieldSet;
}

/** Object before a request, the requested one, and the managers; both in the request's version. */
export interface ManagedChange {
  readonly live: TypedObject;
  /** The new object, or the applied configuration. */
  readonly given: TypedObject;
  readonly managers: Managers;
}

/**
 * Returns the managers after an update: the manager owns the fields it added or changed, others lose them, and removed fields have no
 * owner. Source: structured-merge-diff merge/update.go Update.
 */
export async function updateOwners(change: ManagedChange, manager: string, context: UpdaterContext): Promise<Managers> {
  const { live, given } = change;
  const reconciled = await reconcile(live, change.managers, context.versions);
  const taken = await takeOver({ live, given, managers: reconciled }, { manager, force: true }, context);
  const { removed, modified, added } = taken.comparison;
  const previous = taken.managers.get(manager)?.set ?? fieldSet();
  const set = context.filter(union(union(difference(previous, removed), modified), added), given.apiVersion);
  return withOwner(taken.managers, manager, { set, apiVersion: given.apiVersion, applied: false });
}

/** Result of a server-side apply. */
export interface Applied {
  /** undefined: the object is unchanged. */
  readonly object: TypedObject | undefined;
  readonly managers: Managers;
}

/**
 * Merges the applied configuration into the object and removes the fields that the manager applied before and nobody else owns. Throws
 * ConflictsError for changed fields of others, unless forced. Source: structured-merge-diff merge/update.go Apply.
 */
export async function applyOwners(
  change: ManagedChange,
  by: { readonly manager: string; readonly force: boolean },
  context: UpdaterContext,
): Promise<Applied> {
  const { live, given } = change;
  const { versions } = context;
  const { apiVersion } = given;
  const type = typeOfObject(given, versions);
  const before = await reconcile(live, change.managers, versions);
  const merged: TypedObject = { apiVersion, value: mergeTyped(live.value, given.value, type) };
  const set = context.filter(toFieldSet(given.value, type), apiVersion);
  const managers = new Map(before).set(by.manager, { set, apiVersion, applied: true });
  const object = await prefixFailedStep(
    'to prune fields',
    pruneManaged(merged, { managers, manager: by.manager, last: before.get(by.manager) }, versions),
  );
  const taken = await takeOver({ live, given: object, managers }, by, context);
  return { object: equalValues(live.value, object.value) ? undefined : object, managers: taken.managers };
}

/** Removes changed fields from other managers. Throws ConflictsError when that is not allowed. */
async function takeOver(
  { live, given, managers }: ManagedChange,
  { manager, force }: { readonly manager: string; readonly force: boolean },
  { versions, filter }: UpdaterContext,
): Promise<{ readonly managers: Managers; readonly comparison: FieldComparison }> {
  const comparison = filtered(compareTyped(live.value, given.value, typeOfObject(given, versions)), given.apiVersion, filter);
  const comparisons = new Map([[given.apiVersion, comparison]]);
  const left = new Map<string, VersionedSet>();
  const conflicts: Conflict[] = [];
  for (const [id, owned] of managers) {
    if (id === manager) {
      left.set(id, owned);
      continue;
    }
    const known = comparisons.get(owned.apiVersion) ?? (await compareIn(owned.apiVersion, { live, given }, { versions, filter }));
    // Fields of a version that no longer exists have no owners.
    if (known === undefined) continue;
    comparisons.set(owned.apiVersion, known);
    const conflict = intersection(owned.set, union(known.modified, known.added));
    conflicts.push(...conflictsOf(id, conflict));
    left.set(id, { ...owned, set: difference(difference(owned.set, conflict), known.removed) });
  }
  if (!force && conflicts.length > 0) throw new ConflictsError(conflicts);
  return { managers: new Map([...left].filter(([, owned]) => !isEmpty(owned.set))), comparison };
}

async function compareIn(
  apiVersion: string,
  { live, given }: { readonly live: TypedObject; readonly given: TypedObject },
  { versions, filter }: UpdaterContext,
): Promise<FieldComparison | undefined> {
  const before = await prefixFailedStep('to convert old object', convertToVersion(live, apiVersion, versions));
  const after =
    before === undefined ? undefined : await prefixFailedStep('to convert new object', convertToVersion(given, apiVersion, versions));
  if (before === undefined || after === undefined) return undefined;
  return filtered(compareTyped(before.value, after.value, typeOfObject(before, versions)), apiVersion, filter);
}

function filtered(comparison: FieldComparison, apiVersion: string, filter: UpdaterContext['filter']): FieldComparison {
  return {
    removed: filter(comparison.removed, apiVersion),
    modified: filter(comparison.modified, apiVersion),
    added: filter(comparison.added, apiVersion),
  };
}

/** Extends owners of parts of a new leaf to all of it; owners in removed versions own nothing. */
async function reconcile(live: TypedObject, managers: Managers, versions: ManagedVersions): Promise<Managers> {
  const reconciled = new Map<string, VersionedSet>();
  for (const [id, owned] of managers) {
    const object = await convertToVersion(live, owned.apiVersion, versions);
    if (object !== undefined) reconciled.set(id, { ...owned, set: reconcileWithType(owned.set, typeOfObject(object, versions)) });
  }
  return reconciled;
}

function withOwner(managers: Managers, manager: string, owned: VersionedSet): Managers {
  const changed = new Map(managers).set(manager, owned);
  if (isEmpty(owned.set)) changed.delete(manager);
  return changed;
}
