import { performance } from 'node:perf_hooks';

/** Calls at the same time, at most: while some wait for webhooks, others are made. */
const maxCalls = 16;

/** Shares of its time for which this thread computes: below the first one it could make more calls, above the second one answers wait to be read. */
const [idleShare, busyShare] = [0.85, 0.95];

const intervalMs = 100;

/**
 * Returns how many calls may be made at the same time. Where computing takes the time, more calls are not faster: their webhooks' answers would only be read
 * late, which would be counted as waiting, and could be later than a timeout.
 */
export function callsAtOnce(): () => number {
  let calls = 4;
  let since = performance.eventLoopUtilization();
  return () => {
    const { utilization, idle, active } = performance.eventLoopUtilization(since);
    if (idle + active < intervalMs) return calls;
    since = performance.eventLoopUtilization();
    if (utilization > busyShare) calls = Math.max(1, calls - 1);
    else if (utilization < idleShare) calls = Math.min(maxCalls, calls + 2);
    return calls;
  };
}
