import { counted } from '../../kubernetes/counted.js';
import { quantilesOf } from '../../replay/histogram.js';
import type { LoadTally } from '../../replay/load.js';
import { printable } from '../../writers/printable.js';
import { byCount, shownQuantiles } from './replay-document.js';

export interface LoadGoal {
  readonly perSecond: number;
  /** `--max-p99`; undefined without it. */
  readonly maxP99Ms: number | undefined;
}

/** Returns the report of a load: JSON of kind LoadReport, or text. */
export function loadReport(tally: LoadTally, goal: LoadGoal, format: string): string {
  return format === 'json' ? `${JSON.stringify(loadDocument(tally, goal), null, 2)}\n` : loadText(tally, goal);
}

function loadDocument(tally: LoadTally, { perSecond, maxP99Ms }: LoadGoal): Readonly<Record<string, unknown>> {
  const { sent, durationMs, late, errors } = tally;
  return {
    apiVersion: 'webhook-cli.dev/v1alpha1',
    kind: 'LoadReport',
    sent,
    rate: { wanted: perSecond, reached: reachedRate(tally) },
    durationMs: Math.round(durationMs),
    latencyMs: latenciesOf(tally),
    ...(maxP99Ms === undefined ? {} : { maxP99Ms }),
    late,
    errors: byCount(errors).map(([message, count]) => ({ message, count })),
  };
}

function loadText(tally: LoadTally, { perSecond, maxP99Ms }: LoadGoal): string {
  const { sent, durationMs, late, errors } = tally;
  const latencies = latenciesOf(tally);
  const isTooSlow = maxP99Ms !== undefined && latencies.p99 > maxP99Ms;
  const lines = [
    `${sent} reviews in ${(durationMs / 1000).toFixed(1)} s: ${reachedRate(tally)} a second (wanted: ${perSecond})`,
    `latency: ${latencies.p50} ms (median), ${latencies.p90} ms (90 %), ${latencies.p99} ms (99 %), ${latencies.p999} ms (99.9 %), ${latencies.max} ms (longest)`,
    ...(isTooSlow ? [`99 % take ${latencies.p99} ms, more than ${maxP99Ms} ms (--max-p99)`] : []),
    `${counted(late, 'answer')} later than timeoutSeconds`,
    ...byCount(errors).map(([message, count]) => `${count}  ${printable(message)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The first review is sent at the start: there is one interval less than reviews. */
function reachedRate({ sent, durationMs }: LoadTally): number {
  return durationMs === 0 ? sent : Math.round(((sent - 1) / durationMs) * 100_000) / 100;
}

function latenciesOf({ latencies }: LoadTally): Readonly<Record<keyof typeof shownQuantiles, number>> {
  const values = quantilesOf(latencies, Object.values(shownQuantiles));
  const rounded = Object.keys(shownQuantiles).map((name, i) => [name, Math.round((values[i] ?? 0) * 100) / 100]);
  return Object.fromEntries(rounded);
}
