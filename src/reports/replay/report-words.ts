import type { OutageTally, Sample, Tally } from '../../replay/tally.js';
import { counted } from '../counted.js';
import { printable } from '../printable.js';
import { waitsOf } from './replay-document.js';

/** Heading of the calls that an outage stops and that the webhook needs. */
export const neededForRepair = 'the webhook refuses calls that are needed to repair it';

/** Returns what an outage would have done; undefined for a run without calls during one. */
export function outageWords({ calls, failed, unchecked }: OutageTally): string | undefined {
  if (calls === 0) return undefined;
  return `of ${number(calls)} calls, ${number(failed)} would have failed and ${number(unchecked)} would have passed unchecked`;
}

/** Returns sentences about all calls: those that were not made, the reviews that were sent, and how long they took. */
export function closingWords(tally: Tally): readonly string[] {
  const { withoutRule } = tally;
  const notMade =
    withoutRule === 0
      ? []
      : [`${callsWere(withoutRule)} not made again: no webhook or policy has a rule for ${withoutRule === 1 ? 'it' : 'them'}`];
  return [...notMade, sentWords(tally), waitingWords(tally)];
}

function sentWords({ sent, reused }: Tally): string {
  return `${counted(number(sent), 'review')} sent; ${callsWere(reused)} equal to an earlier one`;
}

function waitingWords(tally: Tally): string {
  const { p50, p99, max } = waitsOf(tally);
  // The buckets are one percent wide.
  const about = (ms: number): string => String(Number(ms.toPrecision(2)));
  const overdue = tally.overdue === 0 ? '' : `; ${counted(number(tally.overdue), 'call')} took over 34 s`;
  return `waiting for webhooks: ${about(p50)} ms in half of the calls, ${about(p99)} ms in 99 %, at most ${about(max)} ms${overdue}`;
}

/** Returns the file and line of a call. */
export function placeOf({ source, line }: Pick<Sample, 'source' | 'line'>): string {
  return printable(`${source}:${line}`);
}

/** Returns `3 calls were`, to be continued. */
export function callsWere(count: number): string {
  return `${counted(number(count), 'call')} ${count === 1 ? 'was' : 'were'}`;
}

/** Returns a number with separators of thousands. */
export function number(count: number): string {
  return count.toLocaleString('en-US');
}
