import { counted } from '../../kubernetes/counted.js';
import type { Group, ReplayTally } from '../../replay/tally.js';
import { oneLine, printable } from '../../writers/printable.js';
import type { Palette } from '../palette.js';
import { byCount, groupsOf, type ReplayRun } from './replay-document.js';
import {
  absentWords,
  closingWords,
  headingOf,
  kindsWords,
  logWords,
  neededForRepair,
  numberWords,
  omittedWords,
  outageWords,
  placeWords,
  shareOf,
} from './report-words.js';

/** Names of namespaces, resources and users that a group shows. */
const shownNames = 5;

/** Returns the report for a terminal: what would change, the largest groups first. */
export function replayText(run: ReplayRun, palette: Palette): string {
  const { tally, complete } = run;
  const changed = tally.replayed - tally.same;
  const kinds = kindsWords(tally);
  const absent = absentWords(tally);
  const head = [
    ...(complete ? [] : [palette.warning('The run was interrupted: this is what was known by then.')]),
    logWords(tally),
    changed === 0
      ? sameText(tally, palette)
      : `${palette.bad(`${numberWords(changed)} would change`)}, ${numberWords(tally.same)} would end as they did`,
    ...(kinds === undefined ? [] : [`  ${oneLine(kinds)}`]),
    ...(absent === undefined ? [] : [palette.warning(printable(absent))]),
  ];
  return `${[...head, ...groupsOf(tally).flatMap(group => ['', ...groupLines(group, run, palette)]), ...outageLines(run, palette), ...footLines(run, palette)].join('\n')}\n`;
}

/** Nothing was found out if no call was made, and little if nobody was asked about one: the state may lack what was to be tried. */
function sameText({ replayed, withoutRule }: ReplayTally, palette: Palette): string {
  if (replayed > 0 && withoutRule === replayed)
    return palette.warning('nothing changes: no webhook or policy of the state has a rule for any of these calls');
  return replayed === 0 ? palette.warning('no call was made again') : palette.good('nothing changes');
}

function groupLines(group: Group, { tally, commandOf }: ReplayRun, palette: Palette): string[] {
  const { change, by, message, count, samples } = group;
  const names = (title: string, counts: Readonly<Record<string, number>>): string[] => {
    const all = byCount(counts);
    const rest = all.length - shownNames;
    const shown = all.slice(0, shownNames).map(([name, n]) => `${oneLine(name === '' ? '(cluster)' : name)} ${numberWords(n)}`);
    return [`  ${palette.quiet(title)} ${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`];
  };
  const [first] = samples;
  return [
    `${palette.strong(oneLine(headingOf(change)))} by ${oneLine(by)}: ${counted(numberWords(count), 'call')} (${shareOf(group, tally)})`,
    ...(message === '' ? [] : [`  ${palette.bad(printable(message))}`]),
    ...names('namespaces', group.namespaces),
    ...names('resources ', group.kinds),
    ...names('users     ', group.users),
    ...samples.map(sample => `  ${palette.place(oneLine(placeWords(sample)))}  ${oneLine(sample.call)} by ${oneLine(sample.user)}`),
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
      `  ${numberWords(count)}  ${printable(reason)}`,
      ...samples.map(sample => `     ${palette.place(oneLine(placeWords(sample)))}  ${oneLine(sample.call)} by ${oneLine(sample.user)}`),
    ]),
  ];
}

function footLines(run: ReplayRun, palette: Palette): string[] {
  const { tally } = run;
  const unknown = byCount(tally.unknown);
  return [
    '',
    ...(unknown.length === 0 ? [] : [palette.strong('not known, and not guessed:')]),
    ...unknown.map(([reason, count]) => `  ${numberWords(count)}  ${printable(reason)}`),
    ...omittedWords(tally),
    ...tally.broken.first.map(
      ({ source, line, reason }) => `  ${palette.place(oneLine(placeWords({ source, line })))}  ${oneLine(reason)}`,
    ),
    ...closingWords(run),
  ];
}
