import type { SchemaNode } from '../../../../lint/schema-nodes.js';

/** A member of a schema that limits the size of its values. */
export interface Bound {
  readonly node: SchemaNode;
  readonly member: 'maxItems' | 'maxLength' | 'maxProperties';
  /** Value in the schema; undefined without one. */
  readonly declared: bigint | undefined;
}

/** A bound and the largest value of it that suffices. */
export interface Limit {
  readonly bound: Bound;
  readonly value: bigint;
}

/** Cost with other values of some bounds. */
export type CostWith = (limits: readonly Limit[]) => bigint;

/** Limits that bring a cost below its budget: each alone, or together; none if the sizes of values are not the reason. */
export interface SufficientLimits {
  readonly alternatives: readonly Limit[];
  readonly together: readonly Limit[];
  /** Bounds on which the cost depends, those that reduce it most first. */
  readonly drivers: readonly Bound[];
}

/** A limit above the size of a request limits nothing. */
const largestSize = 3n * 1024n * 1024n;

/** Finds the largest values of bounds with which a cost is within the budget. Costs must not fall when a value grows. */
export function sufficientLimits(bounds: readonly Bound[], costWith: CostWith, budget: bigint): SufficientLimits {
  const cost = costWith([]);
  const least = (bound: Bound): Limit => ({ bound, value: 1n });
  const reduced = bounds.map(bound => ({ bound, cost: costWith([least(bound)]) })).filter(one => one.cost < cost);
  reduced.sort((a, b) => Number(a.cost > b.cost) - Number(a.cost < b.cost));
  const drivers = reduced.map(({ bound }) => bound);
  const alternatives = reduced.flatMap(one => {
    if (one.cost > budget) return [];
    return [{ bound: one.bound, value: largest(upper(one.bound), value => costWith([{ bound: one.bound, value }]) <= budget) }];
  });
  const together = limitsTogether(drivers, costWith, budget);
  return { alternatives, together, drivers };
}

function limitsTogether(drivers: readonly Bound[], costWith: CostWith, budget: bigint): Limit[] {
  const all = (value: bigint): Limit[] => drivers.map(bound => ({ bound, value: value < upper(bound) ? value : upper(bound) }));
  if (drivers.length === 0 || costWith(all(1n)) > budget) return [];
  let limits = all(largest(largestSize, value => costWith(all(value)) <= budget));
  for (const { bound } of limits) {
    const others = limits.filter(limit => limit.bound !== bound);
    if (costWith(others) <= budget) {
      limits = others;
      continue;
    }
    const value = largest(upper(bound), size => costWith([...others, { bound, value: size }]) <= budget);
    limits = limits.map(limit => (limit.bound === bound ? { bound, value } : limit));
  }
  return limits;
}

function upper({ declared }: Bound): bigint {
  return declared ?? largestSize;
}

/** Returns the largest number from 1 to `max` that fits; 1 fits. */
function largest(max: bigint, fits: (value: bigint) => boolean): bigint {
  let [low, high] = [1n, max < 1n ? 1n : max];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (fits(middle)) low = middle;
    else high = middle - 1n;
  }
  return low;
}
