import { onceFinal } from '../../client/run/results-in-order.js';
import { turnEvery } from '../shell/idle-turns.js';
import type { Thread } from '../shell/surroundings.js';
import type { RenderedResult } from '../work/calls/rendered-results.js';
import { connectThreads } from './remote-functions.js';
import { type MainFunctions, type ThreadFunctions, unusedFunctions } from './thread-functions.js';

/** Returns the results of several threads as soon as they are final: the text of some differs for the only failure of a run. */
export function finalResults(made: AsyncIterable<RenderedResult>): AsyncGenerator<RenderedResult> {
  return onceFinal(made, {
    isFailure: ({ isFailure }) => isFailure,
    waitsForOthers: ({ asOnlyFailure }) => asOnlyFailure !== undefined,
    final: (result, isOnly) => (isOnly ? (result.asOnlyFailure ?? result) : result),
  });
}

/** Items that this thread and others make, each of them what it takes. */
export interface SharedWork<Item> {
  /** Items are numbered from 0. */
  readonly total: number;
  /** Makes this thread's share. */
  readonly own: () => AsyncIterable<readonly [number: number, item: Item]>;
  readonly startThreads: () => readonly Thread[];
  /** Returns the functions by which a thread hands in its items. */
  readonly functions: (arrive: (number: number, item: Item) => void) => Partial<MainFunctions>;
  /** Asks a thread for its share. */
  readonly askFor: (call: ReturnType<typeof connectThreads<ThreadFunctions>>['call']) => Promise<void>;
}

/** Messages of threads arrive between turns of the event loop. */
const maxTurnMs = 20;

/** Makes items here and in other threads, and returns them in order. Throws the first error of a thread. */
export async function* inOrder<Item>({ total, own, startThreads, functions, askFor }: SharedWork<Item>): AsyncGenerator<Item> {
  const arrived = new Map<number, { readonly item: Item }>();
  let waiting: { wake(): void; fail(error: unknown): void } | undefined;
  let failure: { readonly error: unknown } | undefined;
  let threads: readonly Thread[] = [];
  let ends: readonly Promise<void>[] = [];
  const arrive = (number: number, item: Item): void => {
    arrived.set(number, { item });
    waiting?.wake();
  };
  const fail = (error: unknown): void => {
    failure ??= { error };
    waiting?.fail(error);
  };
  const makeIn = (thread: Thread): Promise<void> => {
    const { call, fail: end } = connectThreads<ThreadFunctions>(thread, { ...unusedFunctions, ...functions(arrive) });
    thread.on('error', end);
    thread.on('exit', exitCode => end(new Error(`a thread that makes calls ended with exit code ${exitCode}`)));
    return askFor(call).catch(fail);
  };
  const makeHere = async (): Promise<void> => {
    const passTurn = turnEvery(maxTurnMs);
    let isFirst = true;
    for await (const [number, item] of own()) {
      arrive(number, item);
      // The first result does not wait for threads to start.
      if (isFirst) {
        threads = startThreads();
        ends = threads.map(makeIn);
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
    for (const thread of threads) void thread.terminate();
  }
}
