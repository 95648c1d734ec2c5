import { turnEvery } from '../shell/idle-turns.js';
import type { RemoteFunctions } from './remote-functions.js';
import type { Worker } from './start-worker.js';

/** Items that this thread and others make, each of them what it takes. */
export interface SharedWork<Item, Job extends RemoteFunctions<Job>> {
  /** Items are numbered from 0. */
  readonly total: number;
  /** Makes this thread's share. */
  readonly own: () => AsyncIterable<readonly [number: number, item: Item]>;
  /** Starts the workers, which hand in their items. */
  readonly startWorkers: (arrive: (number: number, item: Item) => void) => readonly Worker<Job>[];
  /** Asks a worker for its share. */
  readonly askFor: (call: Worker<Job>['call']) => Promise<void>;
}

/** Messages of threads arrive between turns of the event loop. */
const maxTurnMs = 20;

/** Makes items here and in other threads, and returns them in order. Throws the first error of a thread. */
export async function* yieldInOrder<Item, Job extends RemoteFunctions<Job>>({
  total,
  own,
  startWorkers,
  askFor,
}: SharedWork<Item, Job>): AsyncGenerator<Item> {
  const arrived = new Map<number, { readonly item: Item }>();
  let waiting: { wake(): void; fail(error: unknown): void } | undefined;
  let failure: { readonly error: unknown } | undefined;
  let workers: readonly Worker<Job>[] = [];
  let ends: readonly Promise<void>[] = [];
  const arrive = (number: number, item: Item): void => {
    arrived.set(number, { item });
    waiting?.wake();
  };
  const fail = (error: unknown): void => {
    failure ??= { error };
    waiting?.fail(error);
  };
  const makeHere = async (): Promise<void> => {
    const passTurn = turnEvery(maxTurnMs);
    let isFirst = true;
    for await (const [number, item] of own()) {
      arrive(number, item);
      // The first result does not wait for threads to start.
      if (isFirst) {
        workers = startWorkers(arrive);
        ends = workers.map(({ call }) => askFor(call).catch(fail));
        isFirst = false;
      }
      await passTurn();
    }
  };
  void makeHere().catch(fail);
  try {
    for (let number = 0; number < total; number += 1) {
      let next = arrived.get(number);
      for (; next === undefined; next = arrived.get(number)) {
        if (failure !== undefined) throw failure.error;
        await new Promise<void>((resolve, reject) => {
          waiting = { wake: resolve, fail: reject };
        });
      }
      arrived.delete(number);
      yield next.item;
    }
    // Node aborts when a thread is ended that is making keys, as those of the embedded webhook.
    await Promise.all(ends);
  } finally {
    for (const { end } of workers) end();
  }
}
