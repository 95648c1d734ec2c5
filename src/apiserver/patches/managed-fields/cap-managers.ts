import { compareKeys } from '../../../go/key-order.js';
import { union } from '../structured-merge/field-set.js';
import { identifierOf, secondsOf } from './entries.js';
import type { Managed, VersionedSet } from './managers.js';

/** Max update entries of an object. */
const maximumUpdateManagers = 10;

/**
 * Merges the oldest update entries of a version into `ancient-changes` until there are at most ten. Source: apimachinery
 * managedfields/internal/capmanagers.go.
 */
export function capUpdateManagers({ managers, times }: Managed): Managed {
  const updaters = [...managers].filter(([, owned]) => !owned.applied);
  if (updaters.length <= maximumUpdateManagers) return { managers, times };
  updaters.sort(([a], [b]) => secondsOf(times.get(a)) - secondsOf(times.get(b)) || compareKeys(a, b));
  const capped = { managers: new Map(managers), times: new Map(times) };
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [id, owned] of updaters) {
    if (count <= maximumUpdateManagers) break;
    const first = firstOfVersion.get(owned.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(owned.apiVersion, id);
      continue;
    }
    putIntoBucket(capped, { first, id, owned });
    count -= 1;
  }
  return capped;
}

interface Ancient {
  /** Oldest entry of the version, which becomes the bucket. */
  readonly first: string;
  readonly id: string;
  readonly owned: VersionedSet;
}

function putIntoBucket(
  { managers, times }: { managers: Map<string, VersionedSet>; times: Map<string, string> },
  { first, id, owned }: Ancient,
): void {
  const bucket = identifierOf({ manager: 'ancient-changes', operation: 'Update', apiVersion: owned.apiVersion, subresource: '' });
  const oldest = managers.get(first);
  if (!managers.has(bucket) && oldest !== undefined) {
    managers.delete(first);
    managers.set(bucket, oldest);
  }
  const held = managers.get(bucket);
  managers.set(bucket, held === undefined ? owned : { ...owned, set: union(owned.set, held.set) });
  managers.delete(id);
  const time = times.get(id);
  if (time === undefined) times.delete(bucket);
  else times.set(bucket, time);
}
