import { monotonicMs } from './clock.js';

const beatMs = 10;

/** A beat that comes later than this was delayed. */
const lateMs = 5;

/** The delays of this thread's event loop, of which there is one. */
export const { watchDelays, undelayedMs } = loopDelays();

interface LoopDelays {
  /**
   * Watches the event loop for time in which it could not run, because it computed something or because the machine ran other processes.
   * Returns a function that ends the watch. All watches share one timer.
   */
  readonly watchDelays: () => () => void;
  /** Returns milliseconds of a monotonic clock. During a watch it does not count the time in which the event loop could not run. */
  readonly undelayedMs: () => number;
}

function loopDelays(): LoopDelays {
  let watches = 0;
  let lostMs = 0;
  let lastBeat = 0;
  let timer: NodeJS.Timeout | undefined;
  /** The timer runs on for a beat without a watch: starting one for each of thousands of calls takes longer. */
  const onTimer = (): void => {
    if (watches > 0) beat();
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const beat = (): void => {
    const now = monotonicMs();
    const late = now - lastBeat - beatMs;
    if (late > lateMs) lostMs += late;
    lastBeat = now;
  };
  return {
    watchDelays: () => {
      if (watches === 0) {
        lastBeat = monotonicMs();
        timer ??= setInterval(onTimer, beatMs).unref();
      }
      watches += 1;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        beat();
        watches -= 1;
      };
    },
    undelayedMs: () => {
      if (watches > 0) beat();
      return monotonicMs() - lostMs;
    },
  };
}
