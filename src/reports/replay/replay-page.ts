import { counted } from '../../kubernetes/counted.js';
import type { Group, ReplayTally, TallySample } from '../../replay/tally.js';
import { element, type Html } from '../../writers/html.js';
import { page } from '../suites/html/page.js';
import { textBlock } from '../suites/html/texts.js';
import { replayChart } from './replay-chart.js';
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

/** Returns the report as one HTML file: a chart over time, the groups of changes, what is not known. */
export function replayPage(run: ReplayRun, toolVersion: string): string {
  const { tally, complete } = run;
  const changed = tally.replayed - tally.same;
  const kinds = kindsWords(tally);
  const absent = absentWords(tally);
  return page({
    title: `webhook-cli replay: ${numberWords(changed)} of ${numberWords(tally.replayed)} calls would change`,
    toolVersion,
    script: '',
    content: [
      element(
        'header',
        {},
        element('h1', {}, 'webhook-cli replay'),
        element('p', { class: 'quiet' }, `${logWords(tally)}; webhook-cli ${toolVersion}`),
        element(
          'ul',
          { class: 'tally' },
          element('li', { class: 'failed' }, `${numberWords(changed)} would change`),
          element('li', { class: 'passed' }, `${numberWords(tally.same)} would end as they did`),
        ),
        kinds === undefined ? undefined : element('p', {}, kinds),
        absent === undefined ? undefined : element('p', { class: 'warning' }, absent),
        complete ? undefined : element('p', { class: 'warning' }, 'The run was interrupted: this is what was known by then.'),
      ),
      element(
        'main',
        {},
        replayChart(tally),
        groupsOf(tally).map(group => section(group, run)),
        outagePart(run),
        unknownPart(tally),
        footPart(run),
      ),
    ],
  });
}

function section(group: Group, { tally, commandOf }: ReplayRun): Html {
  const names = (title: string, counts: Readonly<Record<string, number>>): Html =>
    element(
      'details',
      {},
      element('summary', {}, `${title}: ${Object.keys(counts).length}`),
      element(
        'ul',
        {},
        byCount(counts).map(([name, count]) => element('li', {}, `${name === '' ? '(cluster)' : name} ${numberWords(count)}`)),
      ),
    );
  return element(
    'section',
    {},
    element('h2', {}, `${headingOf(group.change)} by ${group.by}: ${counted(numberWords(group.count), 'call')} (${shareOf(group, tally)})`),
    textBlock(group.message),
    names('Namespaces', group.namespaces),
    names('Resources', group.kinds),
    names('Users', group.users),
    samplesPart(group.samples, commandOf),
  );
}

function samplesPart(samples: readonly TallySample[], commandOf: ReplayRun['commandOf']): Html {
  return element(
    'ul',
    {},
    samples.map(sample => element('li', {}, `${placeWords(sample)} ${sample.call} by ${sample.user}`, textBlock(commandOf(sample)))),
  );
}

function outagePart({ tally: { outage }, commandOf }: ReplayRun): Html | undefined {
  const words = outageWords(outage);
  if (words === undefined) return undefined;
  const repair = Object.entries(outage.repair);
  return element(
    'section',
    {},
    element('h2', {}, 'outage'),
    element('p', {}, words),
    repair.length === 0 ? undefined : element('p', { class: 'warning' }, `${neededForRepair}:`),
    repair.map(([reason, { count, samples }]) => [element('p', {}, `${numberWords(count)} ${reason}`), samplesPart(samples, commandOf)]),
  );
}

function unknownPart({ unknown }: ReplayTally): Html | undefined {
  const all = byCount(unknown);
  if (all.length === 0) return undefined;
  return element(
    'section',
    {},
    element('h2', {}, 'Not known, and not guessed'),
    element(
      'ul',
      {},
      all.map(([reason, count]) => element('li', {}, `${numberWords(count)}: ${reason}`)),
    ),
  );
}

function footPart(run: ReplayRun): Html {
  const { tally } = run;
  const broken = tally.broken.first.map(one => element('li', {}, `${placeWords(one)} ${one.reason}`));
  return element(
    'ul',
    { class: 'quiet' },
    omittedWords(tally).map(words => element('li', {}, words)),
    broken.length === 0 ? undefined : element('li', {}, element('ul', {}, broken)),
    closingWords(run).map(words => element('li', {}, words)),
  );
}
