import type { WatchFrame } from '../../apiserver/report/serving.js';
import type { StoreChange } from './change.js';
import { newSerialTasks } from './serial-tasks.js';
import type { Store } from './store.js';

/** What the watches of an audience see of the changes of a collection. */
export interface ShownChanges {
  readonly collection: string;
  /** Returns the event of a change; undefined if it is not shown. */
  readonly eventOf: (change: StoreChange) => Promise<WatchFrame | undefined>;
  /** Returns the frame that ends the watches after a failure of `eventOf`. */
  readonly errorFrame: (error: string) => WatchFrame;
}

/** A watch in an audience. */
export interface Member {
  /** Later changes are shown. */
  readonly after: number;
  /** Called with the events of one or more changes; the array is the same one for all members. */
  readonly send: (frames: readonly WatchFrame[]) => void;
  readonly end: () => void;
}

/** Watches that show the same events: an event is selected and encoded once for all of them, and those of one turn of the event loop are sent together. */
export interface Audience {
  /** Returns a function that leaves the audience. */
  join(member: Member): () => void;
  /** Calls `done` when the events of all changes so far are sent. */
  afterChanges(done: () => void): void;
}

/** Audiences by the names of what they show. */
export interface Audiences {
  /** Returns the audience of a name, if it shows the same `subjects`, or a new one. Without a name, it is for one watch. */
  audienceFor(name: string | undefined, subjects: readonly unknown[], shown: () => ShownChanges): Audience;
}

/** Max size of events that are sent together. */
const maxBatchBytes = 256 * 1024;

export function newAudiences(store: Store): Audiences {
  const named = new Map<string, { readonly audience: Audience; readonly subjects: readonly unknown[] }>();
  return {
    audienceFor: (name, subjects, shown) => {
      if (name === undefined) return newAudience(store, shown(), () => undefined);
      const known = named.get(name);
      if (known?.subjects.every((subject, i) => subject === subjects[i])) return known.audience;
      const audience = newAudience(store, shown(), () => {
        if (named.get(name)?.audience === audience) named.delete(name);
      });
      named.set(name, { audience, subjects });
      return audience;
    },
  };
}

/** Creates an audience that follows the store while it has members. */
function newAudience(store: Store, { collection, eventOf, errorFrame }: ShownChanges, empty: () => void): Audience {
  const members = new Set<Member>();
  const tasks = newSerialTasks();
  const batch = newBatch(members);
  const show = async (change: StoreChange): Promise<void> => {
    try {
      const frame = await eventOf(change);
      if (frame !== undefined) batch.add(change.revision, frame);
    } catch (error) {
      batch.add(change.revision, errorFrame(error instanceof Error ? error.message : String(error)));
      batch.send();
      for (const { end } of [...members]) end();
    }
  };
  const follow = (): (() => void) =>
    store.subscribe(change => {
      if (change.collection === collection) tasks.add(() => show(change));
    });
  let unfollow: (() => void) | undefined;
  return {
    join: member => {
      members.add(member);
      unfollow ??= follow();
      return () => {
        if (!members.delete(member) || members.size > 0) return;
        unfollow?.();
        unfollow = undefined;
        tasks.clear();
        empty();
      };
    },
    afterChanges: done =>
      tasks.add(async () => {
        batch.send();
        done();
      }),
  };
}

/** Events that wait for the end of the turn. */
interface Batch {
  add(revision: number, frame: WatchFrame): void;
  send(): void;
}

function newBatch(members: ReadonlySet<Member>): Batch {
  let waiting: { readonly revision: number; readonly frame: WatchFrame }[] = [];
  let size = 0;
  const send = (): void => {
    const sent = waiting;
    [waiting, size] = [[], 0];
    const [first] = sent;
    if (first === undefined) return;
    const frames = sent.map(({ frame }) => frame);
    for (const { after, send: sendTo } of members) {
      if (after < first.revision) sendTo(frames);
      else if (sent.some(({ revision }) => revision > after))
        sendTo(sent.filter(({ revision }) => revision > after).map(({ frame }) => frame));
    }
  };
  return {
    add: (revision, frame) => {
      if (waiting.length === 0) setImmediate(send);
      waiting.push({ revision, frame });
      size += frame.length;
      if (size > maxBatchBytes) send();
    },
    send,
  };
}
