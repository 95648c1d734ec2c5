import type { WatchFrame, WatchStream } from '../../../src/apiserver/report/serving.js';

/** Starts a watch, whose frames are passed on one by one. Returns a function that stops it; undefined if there is none. */
export function startWatch(
  stream: WatchStream | undefined,
  onFrame: (frame: WatchFrame) => void,
  end: () => void = () => undefined,
): (() => void) | undefined {
  const send = (frames: readonly WatchFrame[]): boolean => {
    for (const frame of frames) onFrame(frame);
    return true;
  };
  return stream?.start({ send, end });
}
