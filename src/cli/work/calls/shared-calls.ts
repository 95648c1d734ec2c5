import type { ApiCallFlags } from '../../../client/options/call-options.js';
import type { Surroundings } from '../../shell/surroundings.js';
import type { ClusterFlags } from '../cluster/cluster-flags.js';
import type { ReadStateFlags } from '../input/state.js';
import type { CopiedResult } from './copied-result.js';
import type { Planning } from './planning.js';

/** `--jobs` of commands that make calls. */
export interface JobsFlags {
  readonly jobs?: number | 'auto' | undefined;
}

/** A command whose calls are made in several threads. */
export interface ThreadedCommand {
  readonly command: 'match' | 'request' | 'review';
  /** All flags of the command: other threads plan its calls again. */
  readonly flags: ThreadedFlags;
}

/** What decides whether several threads make the calls. */
export type ThreadedFlags = JobsFlags & ClusterFlags & Pick<ApiCallFlags, 'independent'> & Pick<ReadStateFlags, 'filename' | 'state'>;

/** What a thread needs to make its share of the calls of the main thread. */
export interface SharedCalls extends ThreadedCommand, Planning {
  /** Number of calls of the main thread. */
  readonly total: number;
  /** An Int32Array of one element: the number of the next call that nobody has taken. */
  readonly next: SharedArrayBuffer;
  /** The main thread's stdout, for colors and widths. */
  readonly terminal: Pick<Surroundings['stdout'], 'isTerminal' | 'columns'>;
}

/** Results with the numbers of their calls. */
export type NumberedResults = readonly (readonly [number: number, result: CopiedResult])[];

/** Takes one call after another, until none is left. */
export function* takenCalls({ total, next }: Pick<SharedCalls, 'total' | 'next'>): Generator<number> {
  const counter = new Int32Array(next);
  for (let number = Atomics.add(counter, 0, 1); number < total; number = Atomics.add(counter, 0, 1)) yield number;
}

/** Records the numbers that are taken: results come in the same order. */
export function* recorded(numbers: Iterable<number>, taken: number[]): Generator<number> {
  for (const number of numbers) {
    taken.push(number);
    yield number;
  }
}
