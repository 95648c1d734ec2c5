import type { ChangeType } from '../../replay/outcome.js';
import type { Group, Tally } from '../../replay/tally.js';
import { counted } from '../counted.js';
import type { Palette } from '../palette.js';
import { printable } from '../printable.js';
import { byCount, groupsOf, type ReplayRun } from './replay-document.js';
import { callsWere, closingWords, neededForRepair, number, outageWords, placeOf } from './report-words.js';

const headings: Readonly<Record<ChangeType, string>> = {
  'newly-refused': 'newly refused',
  'newly-allowed': 'newly allowed',
  'other-refusal': 'refused with another message',
  'other-patch': 'other patch',
  'other-warnings': 'other warnings',
  'other-answer': 'answered differently',
  error: 'webhook error',
};

/** Returns the heading of a kind of change, such as `newly refused`. */
export function headingOf(change: ChangeType): string {
  return headings[change];
}

/** Names of namespaces, resources and users that a group shows. */
const shownNames = 5;

/** Returns the report for a terminal: what would change, the largest groups first. */
export function replayText(run: ReplayRun, palette: Palette): string {
  const { tally, complete } = run;
  const changed = tally.replayed - tally.same;
  const head = [
    ...(complete ? [] : [palette.warning('The run was interrupted: this is what was known by then.')]),
    `${counted(number(tally.lines), 'line')}${period(tally)}: ${counted(number(tally.replayed), 'call')} compared, ${counted(number(tally.unseen), 'other event')}`,
    changed === 0
      ? sameText(tally, palette)
      : `${palette.bad(`${number(changed)} would change`)}, ${number(tally.same)} would end as they did`,
  ];
  return `${[...head, ...groupsOf(tally).flatMap(group => ['', ...groupLines(group, run, palette)]), ...outageLines(run, palette), ...footLines(tally, palette)].join('\n')}\n`;
}

/** Nothing was found out if no call was made. */
function sameText({ replayed }: Tally, palette: Palette): string {
  return replayed === 0 ? palette.warning('no call was made again') : palette.good('nothing changes');
}

function period({ firstMs, lastMs }: Tally): string {
  return firstMs === undefined || lastMs === undefined ? '' : ` from ${minute(firstMs)} to ${minute(lastMs)}`;
}

function groupLines(group: Group, { tally, commandOf }: ReplayRun, palette: Palette): string[] {
  const { change, by, message, count, samples } = group;
  const share = `${((100 * count) / tally.replayed).toFixed(1)} %`;
  const names = (title: string, counts: Readonly<Record<string, number>>): string[] => {
    const all = byCount(counts);
    const rest = all.length - shownNames;
    const shown = all.slice(0, shownNames).map(([name, n]) => `${printable(name === '' ? '(cluster)' : name)} ${number(n)}`);
    return [`  ${palette.quiet(title)} ${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`];
  };
  const [first] = samples;
  return [
    `${palette.strong(headings[change])} by ${printable(by)}: ${counted(number(count), 'call')} (${share})`,
    ...(message === '' ? [] : [`  ${palette.bad(printable(message))}`]),
    ...names('namespaces', group.namespaces),
    ...names('resources ', group.kinds),
    ...names('users     ', group.users),
    ...samples.map(sample => `  ${palette.place(placeOf(sample))}  ${printable(sample.call)} by ${printable(sample.user)}`),
    ...(first === undefined ? [] : [`  ${palette.quiet('repeat the first:')} ${printable(commandOf(first))}`]),
  ];
}

function outageLines({ tally: { outage } }: ReplayRun, palette: Palette): string[] {
  const words = outageWords(outage);
  if (words === undefined) return [];
  const repair = Object.entries(outage.repair);
  return [
    '',
    `${palette.strong('outage')}: ${words}`,
    ...(repair.length === 0 ? [] : [palette.bad(`  ${neededForRepair}:`)]),
    ...repair.flatMap(([reason, { count, samples }]) => [
      `  ${number(count)}  ${printable(reason)}`,
      ...samples.map(sample => `     ${palette.place(placeOf(sample))}  ${printable(sample.call)} by ${printable(sample.user)}`),
    ]),
  ];
}

function footLines(tally: Tally, palette: Palette): string[] {
  const unknown = byCount(tally.unknown);
  return [
    '',
    ...(unknown.length === 0 ? [] : [palette.strong('not known, and not guessed:')]),
    ...unknown.map(([reason, count]) => `  ${number(count)}  ${printable(reason)}`),
    ...(tally.leftOut === 0 ? [] : [`${callsWere(tally.leftOut)} left out by --sample`]),
    ...(tally.broken.count === 0 ? [] : [`${counted(number(tally.broken.count), 'line')} cannot be read:`]),
    ...tally.broken.first.map(({ source, line, reason }) => `  ${palette.place(printable(`${source}:${line}`))}  ${reason}`),
    ...closingWords(tally),
  ];
}

function minute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}
