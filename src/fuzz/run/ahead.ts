import type { FuzzInput } from '../inputs/input.js';
import type { MadeCall } from '../pipeline/pipeline.js';
import type { Slot } from './slots.js';

/** A call to make. */
export interface Planned {
  readonly slot: Slot;
  readonly input: FuzzInput;
  /** Number in the run, from 1. */
  readonly number: number;
  /** How often it was changed after the API server refused it. */
  readonly repairs: number;
}

/** A call that was made. */
export interface Landed extends Planned {
  /** Undefined when no client could make it. */
  readonly made: MadeCall | undefined;
  /** Whether no other call was made at the same time. */
  readonly isAlone: boolean;
}

/** Planned calls, which are made at the same time and whose results are read in the order of planning. */
export interface Ahead {
  readonly size: () => number;
  readonly add: (planned: Planned) => void;
  /** Removes and returns the first call, after it was made. */
  readonly next: () => Promise<Landed | undefined>;
  /** Waits until no call is being made; the next ones wait for `next`. */
  readonly settle: () => Promise<void>;
  /** Makes no further calls. */
  readonly stop: () => void;
  /** Returns the calls that were made and not read. */
  readonly landed: () => readonly MadeCall[];
  /** Calls made at the same time, at most. */
  width: number;
}

interface Entry {
  readonly planned: Planned;
  isAlone: boolean;
  isMade: boolean;
  made: MadeCall | undefined;
  done: Promise<void> | undefined;
}

/** Returns an empty queue, which makes one call at a time. */
export function newAhead(make: (planned: Planned) => Promise<MadeCall | undefined>): Ahead {
  const entries: Entry[] = [];
  const isOpen = ({ done, isMade }: Entry): boolean => done !== undefined && !isMade;
  let isPaused = false;
  const start = (entry: Entry): void => {
    const others = entries.filter(isOpen);
    for (const other of others) other.isAlone = false;
    entry.isAlone = others.length === 0;
    entry.done = make(entry.planned).then(made => {
      entry.made = made;
      entry.isMade = true;
      fill();
    });
    // Read later, or not at all when the run is over.
    entry.done.catch(() => {});
  };
  const fill = (): void => {
    while (!isPaused && entries.filter(isOpen).length < ahead.width) {
      const waiting = entries.find(({ done }) => done === undefined);
      if (waiting === undefined) return;
      start(waiting);
    }
  };
  const ahead: Ahead = {
    width: 1,
    size: () => entries.length,
    add: planned => {
      entries.push({ planned, isAlone: true, isMade: false, made: undefined, done: undefined });
    },
    next: async () => {
      isPaused = false;
      fill();
      const [entry] = entries;
      await entry?.done;
      entries.shift();
      return entry === undefined ? undefined : { ...entry.planned, made: entry.made, isAlone: entry.isAlone };
    },
    settle: async () => {
      isPaused = true;
      await Promise.all(entries.map(({ done }) => done));
    },
    stop: () => {
      isPaused = true;
    },
    landed: () => entries.flatMap(({ made }) => made ?? []),
  };
  return ahead;
}
