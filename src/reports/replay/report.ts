import type { ReplayTally } from '../../replay/tally.js';
import { markdownText } from '../../writers/markdown.js';
import { withoutCommands } from '../../writers/printable.js';
import type { Palette } from '../palette.js';
import { byCount, groupsOf, type ReplayRun, replayDocument } from './replay-document.js';
import { replayPage } from './replay-page.js';
import { replayText } from './replay-text.js';
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
} from './report-words.js';

export interface ReplayReporting {
  readonly palette: Palette;
  readonly toolVersion: string;
}

/** Reports of a replay by the value of `-o`, the default first. */
const writers = {
  text: (run, { palette }) => replayText(run, palette),
  json: run => `${withoutCommands(JSON.stringify(replayDocument(run), null, 2))}\n`,
  markdown: replayMarkdown,
  html: (run, { toolVersion }) => replayPage(run, toolVersion),
} as const satisfies Record<string, (run: ReplayRun, options: ReplayReporting) => string>;

export type ReplayFormat = keyof typeof writers;

/** All formats, in the order of the help. */
export const replayFormats = Object.keys(writers) as [ReplayFormat, ...ReplayFormat[]];

/** Returns the report of a replay. */
export function replayReport(run: ReplayRun, format: ReplayFormat, options: ReplayReporting): string {
  return writers[format](run, options);
}

/** Returns the report as Markdown, for a comment or the summary of a job. */
function replayMarkdown(run: ReplayRun): string {
  const { tally, complete } = run;
  const changed = tally.replayed - tally.same;
  const lines = [
    `## webhook-cli replay: ${numberWords(changed)} of ${numberWords(tally.replayed)} calls would change`,
    '',
    logWords(tally),
    '',
    ...(complete ? [] : ['**The run was interrupted: this is what was known by then.**', '']),
  ];
  const kinds = kindsWords(tally);
  if (kinds !== undefined) lines.push(kinds, '');
  const absent = absentWords(tally);
  if (absent !== undefined) lines.push(`**${markdownText(absent)}**`, '');
  const groups = groupsOf(tally);
  if (groups.length > 0)
    lines.push('| change | by | message | calls | resources | namespaces | users | first call |', '|---|---|---|---:|---|---|---|---|');
  for (const { change, by, message, count, kinds: resources, namespaces, users, samples } of groups) {
    const names = [resources, namespaces, users].map(largest).join(' | ');
    const [first] = samples;
    const place = first === undefined ? '' : markdownText(placeWords(first));
    lines.push(`| ${headingOf(change)} | ${markdownText(by)} | ${markdownText(message)} | ${numberWords(count)} | ${names} | ${place} |`);
  }
  lines.push(...outageLines(tally));
  const unknown = byCount(tally.unknown);
  if (unknown.length > 0) lines.push('', 'Not known, and not guessed:', '', '| calls | reason |', '|---:|---|');
  for (const [reason, count] of unknown) lines.push(`| ${numberWords(count)} | ${markdownText(reason)} |`);
  lines.push(
    '',
    ...omittedWords(tally).map(words => `- ${words}`),
    ...tally.broken.first.map(one => `  - ${markdownText(placeWords(one))} ${markdownText(one.reason)}`),
    ...closingWords(run).map(words => `- ${words}`),
  );
  return `${lines.join('\n')}\n`;
}

function outageLines({ outage }: ReplayTally): string[] {
  const words = outageWords(outage);
  if (words === undefined) return [];
  const rows = Object.entries(outage.repair).map(([reason, { count, samples }]) => {
    const shown = samples.map(sample => `${markdownText(placeWords(sample))} ${markdownText(sample.call)} by ${markdownText(sample.user)}`);
    return `| ${numberWords(count)} | ${markdownText(reason)} | ${shown.join('<br>')} |`;
  });
  const table =
    rows.length === 0 ? [] : ['', `**${neededForRepair}:**`, '', '| calls | what they are | examples |', '|---:|---|---|', ...rows];
  return ['', `outage: ${words}`, ...table];
}

function largest(counts: Readonly<Record<string, number>>): string {
  const all = byCount(counts);
  const shown = all.slice(0, 3).map(([name, count]) => `${markdownText(name === '' ? '(cluster)' : name)} ${numberWords(count)}`);
  return [...shown, ...(all.length > 3 ? [`${all.length - 3} more`] : [])].join(', ');
}
