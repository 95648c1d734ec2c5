import { ownMember } from '../../go/own-members.js';
import { counted } from '../../kubernetes/counted.js';
import type { ChangeType } from '../../replay/outcome.js';
import type { Group, OutageTally, ReplayTally, TallySample } from '../../replay/tally.js';
import { printable } from '../../writers/printable.js';
import { byCount, groupsOf, previewOf, type ReplayRun, waitsOf } from './replay-document.js';

/** Returns what the log contains: its time, and what became of its calls. */
export function logWords({ lines, firstMs, lastMs, replayed, unknown, unseen }: ReplayTally): string {
  const period = firstMs === undefined || lastMs === undefined ? '' : ` from ${minute(firstMs)} to ${minute(lastMs)}`;
  const unknowns = Object.values(unknown).reduce((sum, count) => sum + count, 0);
  const parts = [
    `${counted(numberWords(replayed), 'call')} compared`,
    ...(unknowns === 0 ? [] : [`${numberWords(unknowns)} not known`]),
    counted(numberWords(unseen), 'other event'),
  ];
  return `${counted(numberWords(lines), 'line')}${period}: ${parts.join(', ')}`;
}

function minute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** Returns the number of changes of each kind, the gravest first; undefined if all are of one kind, as they are of the first group. */
export function kindsWords(tally: ReplayTally): string | undefined {
  const counts = new Map<ChangeType, number>();
  for (const { change, count } of groupsOf(tally)) counts.set(change, (counts.get(change) ?? 0) + count);
  return counts.size < 2 ? undefined : [...counts].map(([change, count]) => `${headingOf(change)} ${numberWords(count)}`).join(', ');
}

/** Returns which webhooks and policies of the log the replay does not have; undefined if no change is due to one. */
export function absentWords({ absent }: ReplayTally): string | undefined {
  const names = byCount(absent).map(([name, count]) => `${name} (${counted(numberWords(count), 'change')})`);
  return names.length === 0
    ? undefined
    : `in the log, but not in the state: ${names.join(', ')}; if the cluster keeps them, add them to --state`;
}

const headings: Readonly<Record<ChangeType, string>> = {
  'newly-refused': 'newly refused',
  'newly-allowed': 'newly allowed',
  'other-refusal': 'refused with another message',
  'other-patch': 'other patch',
  'other-warnings': 'other warnings',
  'other-answer': 'answered differently',
  error: 'webhook error',
};

/** Returns the heading of a kind of change, such as `newly refused`; its name for a kind of a later version. */
export function headingOf(change: ChangeType): string {
  return ownMember(headings, change) ?? change;
}

/** Returns the share of a group in all calls. */
export function shareOf({ count }: Group, { replayed }: ReplayTally): string {
  const percent = (100 * count) / replayed;
  return percent < 0.05 ? 'under 0.1 %' : `${percent.toFixed(1)} %`;
}

/** Returns what was not made or not read, a sentence each: calls without a rule, those that `--sample` left out, and lines that cannot be read. */
export function omittedWords({ withoutRule, leftOut, broken }: ReplayTally): readonly string[] {
  const them = withoutRule === 1 ? 'it' : 'them';
  return [
    ...(withoutRule === 0 ? [] : [`${callsWere(withoutRule)} not made again: no webhook or policy has a rule for ${them}`]),
    ...(leftOut === 0 ? [] : [`${callsWere(leftOut)} left out by --sample`]),
    ...(broken.count === 0 ? [] : [`${counted(numberWords(broken.count), 'line')} cannot be read:`]),
  ];
}

/** Heading of the calls that an outage stops and that the webhook needs. */
export const neededForRepair = 'the webhook refuses calls that are needed to repair it';

/** Returns what an outage would have done; undefined for a run without calls during one. */
export function outageWords({ calls, failed, unchecked }: OutageTally): string | undefined {
  if (calls === 0) return undefined;
  return `of ${numberWords(calls)} calls, ${numberWords(failed)} would have failed and ${numberWords(unchecked)} would have passed unchecked`;
}

/** Returns how many reviews were sent, how long calls waited for webhooks, and what to know of the version: a sentence each. */
export function closingWords({ tally, kubernetesVersion }: Pick<ReplayRun, 'tally' | 'kubernetesVersion'>): readonly string[] {
  const preview = previewOf(kubernetesVersion);
  return [sentWords(tally), waitingWords(tally), ...(preview === undefined ? [] : [preview])];
}

function sentWords({ sent, reused }: ReplayTally): string {
  return `${counted(numberWords(sent), 'review')} sent; ${callsWere(reused)} equal to an earlier one`;
}

function waitingWords(tally: ReplayTally): string {
  const { p50, p99, max } = waitsOf(tally);
  // The buckets are one percent wide.
  const about = (ms: number): string => String(Number(ms.toPrecision(2)));
  const overdue = tally.overdue === 0 ? '' : `; ${counted(numberWords(tally.overdue), 'call')} took over 34 s`;
  return `waiting for webhooks: ${about(p50)} ms in half of the calls, ${about(p99)} ms in 99 %, at most ${about(max)} ms${overdue}`;
}

/** Returns the file and line of a call. */
export function placeWords({ source, line }: Pick<TallySample, 'source' | 'line'>): string {
  return printable(`${source}:${line}`);
}

function callsWere(count: number): string {
  return `${counted(numberWords(count), 'call')} ${count === 1 ? 'was' : 'were'}`;
}

/** Returns a number with separators of thousands. */
export function numberWords(count: number): string {
  return count.toLocaleString('en-US');
}
