import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { memoize } from '../../../kubernetes/memoize.js';
import type { GatedFields, KindDefinition } from '../kind-definition.js';
import type { Strategy } from '../strategy.js';

/** Parsed paths, cached. */
const stepsOf = memoize((paths: readonly string[]) => paths.map(path => path.split('.')));

/** Drops fields from an object, unless the stored one has them. */
type DropFields = (object: ValueMap, old: ValueMap | undefined) => void;

/** Returns what drops the fields of disabled features from objects of a kind; undefined if there are none. */
export function disabledFieldsOf(server: ApiServer, { gatedFields: fields }: Pick<KindDefinition, 'gatedFields'>): DropFields | undefined {
  const off = fields?.filter(gated => isOff(server, gated)) ?? [];
  if (off.length === 0) return undefined;
  const all = treeOf(off.flatMap(({ paths }) => stepsOf(paths)));
  return (object, old) => {
    if (!hasAny(object, all)) return;
    for (const gated of off) if (old === undefined || !isInUse(gated, old)) dropFrom(object, gated);
  };
}

/** Returns a strategy that first drops fields of disabled features, unless the stored object has them. */
export function withoutDisabledFields(server: ApiServer, strategy: Strategy, kind: KindDefinition): Strategy {
  const drop = disabledFieldsOf(server, kind);
  const { countsDroppedFields } = kind;
  if (drop === undefined) return strategy;
  return {
    ...strategy,
    prepareForCreate: (object, context) => {
      drop(object, undefined);
      strategy.prepareForCreate(object, context);
    },
    prepareForUpdate: (object, old, context) => {
      const dropsFirst = countsDroppedFields !== true;
      if (dropsFirst) drop(object, old);
      strategy.prepareForUpdate(object, old, context);
      if (!dropsFirst) drop(object, old);
    },
  };
}

function isOff(server: ApiServer, { gates, minors }: GatedFields): boolean {
  return minors?.(server) !== false && !gates.every(server.isEnabled);
}

function isInUse({ paths, keeping = [], feature }: GatedFields, old: ValueMap): boolean {
  let found = false;
  const look = (holder: ValueMap, key: string): void => {
    const value = holder.get(key);
    found ||= feature === undefined || (isMap(value) && feature.isInUse(value));
  };
  for (const steps of [...stepsOf(paths), ...keeping.map(path => path.split('.'))]) visit(old, { steps, found: look }, 0);
  return found;
}

function dropFrom(object: ValueMap, { paths, feature }: GatedFields): void {
  const drop = (holder: ValueMap, key: string): void => {
    const value = holder.get(key);
    if (feature === undefined) holder.delete(key);
    else if (isMap(value)) feature.drop(value);
  };
  for (const steps of stepsOf(paths)) visit(object, { steps, found: drop }, 0);
}

/** Paths with what they have in common once; without members: the end of a path. */
interface PathTree extends Map<string, PathTree> {}

function treeOf(paths: readonly (readonly string[])[]): PathTree {
  const tree: PathTree = new Map();
  for (const path of paths) addPath(tree, path);
  return tree;
}

/** Where one path is the start of another, the shorter one decides. */
function addPath(tree: PathTree, path: readonly string[]): void {
  let above = tree;
  for (const step of path.slice(0, -1)) {
    const known = above.get(step);
    if (known?.size === 0) return;
    const below = known ?? new Map();
    if (known === undefined) above.set(step, below);
    above = below;
  }
  above.set(path.at(-1) ?? '', new Map());
}

/** Reports whether an object has a value at one of the paths: most have none, and many paths start with the same steps. */
function hasAny(value: Value, paths: PathTree): boolean {
  if (paths.size === 0) return true;
  for (const [step, below] of paths) {
    if (step !== '*') {
      const inner = isMap(value) ? value.get(step) : undefined;
      if (inner !== undefined && hasAny(inner, below)) return true;
    } else if (isList(value)) {
      for (const item of value) if (hasAny(item, below)) return true;
    } else if (isMap(value)) for (const item of value.values()) if (hasAny(item, below)) return true;
  }
  return false;
}

interface Search {
  readonly steps: readonly string[];
  readonly found: (holder: ValueMap, key: string) => void;
}

/** Calls a function for every existing value at a path, up to the given number of steps; returns whether there was one. */
function visit(value: Value, search: Search, taken: number): boolean {
  const { steps, found } = search;
  const step = steps[taken] ?? '';
  if (step === '*') {
    let isThere = false;
    const items = isList(value) ? value : isMap(value) ? value.values() : [];
    for (const item of items) if (visit(item, search, taken + 1)) isThere = true;
    return isThere;
  }
  const inner = isMap(value) ? value.get(step) : undefined;
  if (!isMap(value) || inner === undefined) return false;
  if (taken + 1 < steps.length) {
    const isThere = visit(inner, search, taken + 1);
    // A lifecycle with only a stop signal is removed together with it.
    if (isThere && step === 'lifecycle' && isMap(inner) && inner.size === 0) value.delete(step);
    return isThere;
  }
  found(value, step);
  return true;
}
