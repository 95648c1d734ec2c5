import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { DisabledField, KindDefinition } from './kind-definition.js';
import type { Strategy } from './strategy.js';

/** Fields split into steps, memoized. */
const stepsOf = memoize((fields: readonly DisabledField[]) => fields.map(paths => paths.map(path => path.split('.'))));

/** Returns a strategy that first drops the fields of disabled features, unless the stored object has them already. */
export function withoutDisabledFields(strategy: Strategy, { disabledFields: fields, countsDroppedFields }: KindDefinition): Strategy {
  if (fields === undefined) return strategy;
  const drop = (object: ValueMap, old: ValueMap | undefined): void => {
    for (const paths of stepsOf(fields)) {
      const inUse = old !== undefined && paths.some(steps => visit(old, { steps, found: () => undefined }, 0));
      if (!inUse) for (const steps of paths) visit(object, { steps, found: (holder, key) => holder.delete(key) }, 0);
    }
  };
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

interface Search {
  readonly steps: readonly string[];
  readonly found: (holder: ValueMap, key: string) => void;
}

/** Calls back for every existing place of a path, up to the given number of steps; returns whether there was one. */
function visit(value: Value, search: Search, taken: number): boolean {
  const { steps, found } = search;
  const step = steps[taken] ?? '';
  if (step === '*') {
    const items = isList(value) ? value : isMap(value) ? [...value.values()] : [];
    return items.map(item => visit(item, search, taken + 1)).includes(true);
  }
  const inner = isMap(value) ? value.get(step) : undefined;
  if (!isMap(value) || inner === undefined) return false;
  if (taken + 1 < steps.length) {
    const isThere = visit(inner, search, taken + 1);
    // A lifecycle that only has a stop signal is dropped with it.
    if (isThere && step === 'lifecycle' && isMap(inner) && inner.size === 0) value.delete(step);
    return isThere;
  }
  found(value, step);
  return true;
}
