import type { Surroundings } from '../../shell/surroundings.js';

/** What planning read from the surroundings, so that another thread can plan the same calls in the same state. */
export interface Planning {
  /** Contents of stdin, if it was read. */
  readonly stdin: Uint8Array | undefined;
  /** Uids and times of stored objects that have none, in the order in which they were given. */
  readonly uids: readonly string[];
  readonly times: readonly Date[];
}

export interface RecordedPlanning {
  readonly surroundings: Surroundings;
  /** Returns what was read so far. */
  readonly planning: () => Planning;
}

/** Records what planning reads. */
export function recordPlanning(given: Surroundings): RecordedPlanning {
  const uids: string[] = [];
  const times: Date[] = [];
  let stdin: Uint8Array | undefined;
  const kept = <T>(values: T[], value: T): T => {
    values.push(value);
    return value;
  };
  const read = async (limit: number): Promise<Uint8Array> => {
    stdin = await given.stdin.read(limit);
    return stdin;
  };
  return {
    surroundings: {
      ...given,
      uid: () => kept(uids, given.uid()),
      now: () => kept(times, given.now()),
      stdin: new Proxy(given.stdin, { get: (target, name) => (name === 'read' ? read : Reflect.get(target, name)) }),
    },
    planning: () => ({ stdin, uids: [...uids], times: [...times] }),
  };
}

/** Returns surroundings in which planning reads what it read in the main thread. */
export function repeatedPlanning({ stdin, uids, times }: Planning, surroundings: Surroundings): Surroundings {
  const [nextUid, nextTime] = [uids.values(), times.values()];
  return {
    ...surroundings,
    uid: () => nextUid.next().value ?? surroundings.uid(),
    now: () => nextTime.next().value ?? surroundings.now(),
    ...(stdin === undefined ? {} : { stdin: { isTerminal: false, read: async () => stdin } }),
  };
}
