import { adapt } from '../values/found.js';
import type { CelValue, FoundValue } from '../values/value.js';

/** Error message of an evaluation that exceeded its cost limit. */
export const costLimitExceeded = 'operation cancelled: actual cost limit exceeded';

/** The evaluation exceeded its cost limit. */
export class CostLimitExceeded extends Error {
  override readonly name = 'CostLimitExceeded';

  constructor() {
    super(costLimitExceeded);
  }
}

/**
 * Accumulated cost of an evaluation. Values wait on a stack, under their node ids, for the call that consumes them: a call whose arguments
 * are not on the stack costs nothing. Source: cel-go interpreter/runtimecost.go.
 */
export class CostTracker {
  cost = 0;
  readonly #limit: number;
  /** The last value of every node, where somebody asks for them. */
  readonly #seen: Map<number, CelValue> | undefined;
  /** Slots of the stack in use; what the lists below hold beyond it is left over. */
  #size = 0;
  readonly #ids: number[] = [];
  readonly #values: FoundValue[] = [];
  /** For each slot, the slot below it with the same node id; -1 for none. */
  readonly #below: number[] = [];
  /** Topmost slot by node id; -1 or undefined for none. */
  readonly #topmost: number[] = [];

  constructor(limit: number, seen?: Map<number, CelValue>) {
    this.#limit = limit;
    this.#seen = seen;
  }

  /** Pushes a node's value. Throws CostLimitExceeded when the accumulated cost is over the limit. */
  push(id: number, value: FoundValue): void {
    const place = this.#size;
    this.#below[place] = this.#topmost[id] ?? -1;
    this.#topmost[id] = place;
    this.#ids[place] = id;
    this.#values[place] = value;
    this.#size = place + 1;
    if (this.#seen !== undefined) this.#seen.set(id, adapt(value));
    if (this.cost > this.#limit) throw new CostLimitExceeded();
  }

  /** Pops a node's topmost value and everything above it, and returns the value; undefined when there is none. */
  drop(id: number): FoundValue | undefined {
    const place = this.#topmost[id] ?? -1;
    if (place < 0) return undefined;
    for (let at = this.#size - 1; at >= place; at -= 1) this.#topmost[this.#ids[at] ?? 0] = this.#below[at] ?? -1;
    this.#size = place;
    return this.#values[place];
  }

  /** Pops a call's arguments, last first; undefined when one is missing. */
  dropAll(ids: readonly number[]): CelValue[] | undefined {
    const values = new Array<CelValue>(ids.length);
    for (let i = ids.length - 1; i >= 0; i -= 1) {
      const value = this.drop(ids[i] ?? -1);
      if (value === undefined) return undefined;
      values[i] = adapt(value);
    }
    return values;
  }
}
