import type { WatchFrame, WatchSink } from '../../apiserver/report/serving.js';
import { newSerialTasks } from '../store/serial-tasks.js';

/** Frames of one watch, sent in the order in which they were added, because encoding them is asynchronous. */
export interface Outbox {
  /** Adds a frame that is not made yet. A failure ends the watch with an error. */
  add(make: () => Promise<WatchFrame | undefined>): void;
  addAll(frames: readonly WatchFrame[]): void;
  /** Ends the stream after all frames that were added. */
  finish(): void;
  stop(): void;
}

export function newOutbox({ send, end }: WatchSink, errorFrame: (error: string) => WatchFrame): Outbox {
  const tasks = newSerialTasks();
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    tasks.clear();
  };
  const sendNow = (frames: readonly WatchFrame[]): void => {
    if (!isStopped && !send(frames)) stop();
  };
  const endNow = (): void => {
    if (isStopped) return;
    stop();
    end();
  };
  const add = (task: () => Promise<void>): void => {
    if (!isStopped) tasks.add(task);
  };
  return {
    add: make =>
      add(async () => {
        try {
          const frame = await make();
          if (frame !== undefined) sendNow([frame]);
        } catch (error) {
          sendNow([errorFrame(error instanceof Error ? error.message : String(error))]);
          endNow();
        }
      }),
    addAll: frames => {
      if (tasks.isIdle()) sendNow(frames);
      else add(async () => sendNow(frames));
    },
    finish: () => add(async () => endNow()),
    stop,
  };
}
