import type { WatchFrame } from '../../apiserver/report/serving.js';
import type { StoreChange } from './change.js';

/** Frames of the last changes: watches that show a change in the same form share one. */
export interface FrameCache {
  /** The frame of a change in a form. `make` is called at most once for both; what it throws is not kept. */
  frameOf(change: StoreChange, form: string, make: () => Promise<WatchFrame | undefined>): Promise<WatchFrame | undefined>;
}

/** Watches are seldom further apart: older frames are made again. */
const maxChanges = 128;

/** An empty cache. */
export function newFrameCache(): FrameCache {
  const recent = new Map<StoreChange, Map<string, Promise<WatchFrame | undefined>>>();
  return {
    frameOf: (change, form, make) => {
      const frames = recent.get(change) ?? new Map<string, Promise<WatchFrame | undefined>>();
      const known = frames.get(form);
      if (known !== undefined) return known;
      const made = make().then(frame => (typeof frame === 'string' ? Buffer.from(frame) : frame));
      made.catch(() => frames.delete(form));
      recent.set(change, frames.set(form, made));
      for (const [oldest] of recent) {
        if (recent.size <= maxChanges) break;
        recent.delete(oldest);
      }
      return made;
    },
  };
}
