import { difference, type FieldSetPath, fieldSet, has, isEmpty, pathOfElement } from '../structured-merge/field-set.js';
import type { Managed, VersionedSet } from './managers.js';

/** Path of the replicas in each version of a scaled kind; undefined for a version without replicas. */
export type ReplicasPaths = ReadonlyMap<string, FieldSetPath | undefined>;

const replicasOfScale = pathOfElement('spec', 'replicas');

/**
 * Returns the managers of an object's Scale: those that own its replicas. Source: apimachinery managedfields/scalehandler.go ToSubresource.
 */
export function ownersOfScale(parent: Managed, paths: ReplicasPaths): Managed {
  const managers = new Map<string, VersionedSet>();
  const times = new Map<string, string>();
  for (const [id, owned] of parent.managers) {
    const path = paths.get(owned.apiVersion);
    if (path === undefined || !has(owned.set, path)) continue;
    managers.set(id, { set: fieldSet(replicasOfScale), apiVersion: 'autoscaling/v1', applied: owned.applied });
    copyTime(parent, id, times);
  }
  return { managers, times };
}

/**
 * Returns the owners of an object after its Scale was written: a manager that lost the replicas there loses them here; one that gained them
 * gets an entry in the request's version without a time. Source: apimachinery managedfields/scalehandler.go ToParent.
 */
export function ownersAfterScale(
  parent: Managed,
  scale: Managed,
  { apiVersion, paths }: { apiVersion: string; paths: ReplicasPaths },
): Managed {
  const managers = new Map<string, VersionedSet>();
  const times = new Map<string, string>();
  const fresh = new Map(scale.managers);
  for (const [id, owned] of parent.managers) {
    // Fields of a version that no longer exists have no owners.
    if (!paths.has(owned.apiVersion)) continue;
    const path = paths.get(owned.apiVersion);
    const keeps = path === undefined || !has(owned.set, path) || fresh.delete(id);
    const left = keeps || path === undefined ? owned : { ...owned, set: difference(owned.set, fieldSet(path)) };
    if (!keeps && isEmpty(left.set)) continue;
    managers.set(id, left);
    copyTime(parent, id, times);
  }
  const path = paths.get(apiVersion);
  for (const [id, owned] of fresh) {
    if (path === undefined || !has(owned.set, replicasOfScale)) continue;
    managers.set(id, { set: fieldSet(path), apiVersion, applied: owned.applied });
    copyTime(parent, id, times);
  }
  return { managers, times };
}

function copyTime(from: Managed, id: string, to: Map<string, string>): void {
  const time = from.times.get(id);
  if (time !== undefined) to.set(id, time);
}
