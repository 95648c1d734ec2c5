import { CutOff } from '../../../fuzz/pipeline/cut-off.js';
import type { CallWebhook, WebhookAnswer } from '../../../kubernetes/webhook-call.js';

/** How long calls may run after the end of the search: those that show a bug again, and make it smaller, follow the last planned one. */
const longestMs = 1000;
/** As `longestMs`, after an interruption. */
const interruptedMs = 500;
/** Timers are a little early at times. */
const inexactMs = 5;

/** Ends the calls of a search with it. */
export interface SearchEnd {
  /** Returns the function with an end: it throws CutOff for the calls that are not answered in time, and for all later ones. */
  readonly limit: (callWebhook: CallWebhook) => CallWebhook;
  /** Which calls were cut off; undefined if none was. */
  readonly cutOff: () => 'all' | 'some' | undefined;
}

/** Returns the end of a search. `leftMs` returns the time that is left of it. */
export function searchEnd(leftMs: () => number, signal: AbortSignal): SearchEnd {
  const running = new Set<() => void>();
  let isCut = false;
  let isAnswered = false;
  const cut = (): CutOff => {
    isCut = true;
    return new CutOff();
  };
  signal.addEventListener('abort', () => {
    const stopAll = (): void => {
      for (const stop of running) stop();
    };
    setTimeout(stopAll, interruptedMs).unref();
  });
  return {
    cutOff: () => (isCut ? (isAnswered ? 'some' : 'all') : undefined),
    limit: callWebhook => (call, onStage) => {
      if (isCut) return Promise.reject(cut());
      const deadlineMs = Math.min(call.deadlineMs, Math.max(longestMs, leftMs()));
      return new Promise((resolve, reject) => {
        const stop = (): void => reject(cut());
        running.add(stop);
        const read = (answer: WebhookAnswer): void => {
          const isShort = deadlineMs < call.deadlineMs;
          if (isShort && answer.outcome === 'failed' && answer.durationMs >= deadlineMs - inexactMs) stop();
          else {
            isAnswered ||= answer.outcome === 'answered';
            resolve(answer);
          }
        };
        callWebhook({ ...call, deadlineMs }, onStage)
          .then(read, reject)
          .finally(() => running.delete(stop));
      });
    },
  };
}
