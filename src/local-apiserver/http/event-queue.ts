import type { WatchFrame } from '../../apiserver/report/serving.js';

/**
 * Events of one watch. The connection gets one array at a time, and the others wait here, where watches that show the same events share them: TLS copies all that a
 * connection gets.
 */
export interface EventQueue {
  /** Sends events after those before them. Returns false if the client is too slow: the watch has to end. */
  send(frames: readonly WatchFrame[]): boolean;
  /** Calls `done` when the connection has got all events. */
  finish(done: () => void): void;
  /** Forgets the events that wait. */
  clear(): void;
}

/** Events that wait for slow clients of one server. Watches that show the same events wait for the same arrays, which count once. */
export interface Backlog {
  hold(frames: readonly WatchFrame[]): void;
  release(frames: readonly WatchFrame[]): void;
  isFull(): boolean;
}

/** Max size of what waits for the clients of a server, and for one of them. A slow client's watch ends when it is exceeded, as one of kube-apiserver whose buffer is full. */
const maxBacklogBytes = 128 * 1024 * 1024;
const maxWaitingBytes = 16 * 1024 * 1024;

export function newBacklog(maxBytes = maxBacklogBytes): Backlog {
  const holders = new Map<readonly WatchFrame[], number>();
  let bytes = 0;
  return {
    hold: frames => {
      const known = holders.get(frames) ?? 0;
      if (known === 0) bytes += sizeOf(frames);
      holders.set(frames, known + 1);
    },
    release: frames => {
      const known = holders.get(frames) ?? 0;
      if (known > 1) holders.set(frames, known - 1);
      else if (holders.delete(frames)) bytes -= sizeOf(frames);
    },
    isFull: () => bytes > maxBytes,
  };
}

/** Creates an empty queue. `write` passes events to the connection, and calls `written` when it has sent them. */
export function newEventQueue(write: (frames: readonly WatchFrame[], written: () => void) => void, backlog: Backlog): EventQueue {
  let waiting: (readonly WatchFrame[])[] = [];
  let [size, isWriting] = [0, false];
  let finished: (() => void) | undefined;
  const writeNext = (frames: readonly WatchFrame[]): void => {
    isWriting = true;
    write(frames, written);
  };
  const written = (): void => {
    isWriting = false;
    const next = waiting.shift();
    if (next === undefined) {
      finished?.();
      return;
    }
    size -= sizeOf(next);
    backlog.release(next);
    writeNext(next);
  };
  const clear = (): void => {
    for (const frames of waiting) backlog.release(frames);
    [waiting, size, finished] = [[], 0, undefined];
  };
  return {
    send: frames => {
      if (!isWriting) {
        writeNext(frames);
        return true;
      }
      waiting.push(frames);
      size += sizeOf(frames);
      backlog.hold(frames);
      return size <= maxWaitingBytes && !backlog.isFull();
    },
    finish: done => {
      if (isWriting) finished = done;
      else done();
    },
    clear,
  };
}

function sizeOf(frames: readonly WatchFrame[]): number {
  let size = 0;
  for (const frame of frames) size += frame.length;
  return size;
}
