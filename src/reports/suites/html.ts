import { writeValue } from '../../go/json/write.js';
import type { ConversionFinding } from '../../suites/conversions/checks.js';
import type { ReportedConversion } from '../../suites/conversions/conversion-run.js';
import type { CaseConversion, CaseOutcome, CaseResult, SuiteResult, TestFailure, TestRun } from '../../suites/results.js';
import { element, type Html, voidElement } from '../../writers/html.js';
import { objectDiffLines } from '../diff.js';
import { missingOutcomes } from './coverage.js';
import { detailedCases } from './html/detailed-cases.js';
import { page } from './html/page.js';
import { diffBlock, textBlock, unifiedDiffLines } from './html/texts.js';
import { callSection, exchangePart } from './html-call.js';
import { placeOfFailure, placeOfSuite, placeText } from './places.js';
import type { ReporterOptions } from './suite-reporter.js';
import { type SuiteTally, tallyDuration, tallyOfRun, tallyWords } from './tally.js';

/**
 * A self-contained page: failed cases are expanded, diffs, requests and answers are collapsed, and a filter selects by outcome and text.
 * Its content security policy allows only its own style and script.
 */
export function htmlReport(run: TestRun, { toolVersion, environment, timeLines, pageScript }: ReporterOptions): string {
  const detailed = detailedCases(run);
  return page({
    other: timeLines?.(run),
    title: `webhook-cli: ${tallyWords(tallyOfRun(run))}`,
    toolVersion,
    script: pageScript(),
    content: [
      header(run, `webhook-cli ${toolVersion}, ${environment}`),
      filter(),
      element(
        'main',
        {},
        failuresPart(run),
        run.suites.map((suite, s) => suiteSection(suite, s, detailed)),
        obsoletePart(run),
        coveragePart(run),
      ),
    ],
  });
}

function header(run: TestRun, environment: string): Html {
  const tally = tallyOfRun(run);
  const facts = [
    `took ${tallyDuration(run.durationMs)}`,
    ...(run.shard === undefined ? [] : [`shard ${run.shard.index} of ${run.shard.count}`]),
    ...(run.seed === undefined ? [] : [`seed ${run.seed}`]),
    environment,
  ];
  return element(
    'header',
    {},
    element('h1', {}, 'webhook-cli test'),
    element('p', { class: 'quiet' }, 'started ', element('time', { datetime: run.startedAt }, run.startedAt), `, ${facts.join(', ')}`),
    element(
      'ul',
      { class: 'tally' },
      (['passed', 'failed', 'broken', 'skipped', 'flaky'] as const).map(name =>
        element('li', { class: tally[name] === 0 ? 'none' : name }, `${tally[name]} ${name}`),
      ),
    ),
    shareBar(tally),
    run.complete ? undefined : element('p', { class: 'warning' }, 'The run was interrupted: cases that did not run are skipped.'),
    run.notes.map(note => element('p', { class: 'quiet' }, `note: ${note}`)),
  );
}

/** The least width of an outcome in the bar, of 1000. */
const minShare = 8;

/** A bar with the shares of the outcomes. */
function shareBar(tally: SuiteTally): Html | undefined {
  const counts = (['failed', 'broken', 'skipped', 'passed'] as const).map(name => [name, tally[name]] as const);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return undefined;
  let x = 0;
  // A single failure among thousands is seen, too.
  const widths = counts.map(([, count]) => (count === 0 ? 0 : Math.max(minShare, (1000 * count) / total)));
  const sum = widths.reduce((all, one) => all + one, 0);
  const parts = counts.map(([name], index) => {
    const width = (1000 * (widths[index] ?? 0)) / sum;
    const part = element('rect', { class: name, x: x.toFixed(2), y: '0', width: width.toFixed(2), height: '8' });
    x += width;
    return part;
  });
  const label = counts.map(([name, count]) => `${count} ${name}`).join(', ');
  return element('svg', { class: 'shares', viewBox: '0 0 1000 8', preserveAspectRatio: 'none', role: 'img', 'aria-label': label }, parts);
}

/** Hidden until the script has initialized it. */
function filter(): Html {
  const boxes = (['passed', 'failed', 'broken', 'skipped', 'flaky'] as const).map(name =>
    element('label', {}, voidElement('input', { type: 'checkbox', value: name, checked: true, autocomplete: 'off' }), ` ${name}`),
  );
  return element(
    'form',
    { hidden: true, role: 'search' },
    voidElement('input', { type: 'search', placeholder: 'name, file or message', 'aria-label': 'Filter by text', autocomplete: 'off' }),
    element('fieldset', { 'aria-label': 'Filter by outcome' }, boxes),
    element('output', { class: 'quiet' }),
    element('button', { type: 'button' }, 'expand all'),
  );
}

/** Links to the cases that did not pass: they may be far apart. */
function failuresPart({ suites }: TestRun): Html | undefined {
  const items = suites.flatMap((suite, s) =>
    suite.cases.flatMap((result, c) =>
      isFailure(result) ? [element('li', {}, element('a', { href: `#${idOf(s, c)}` }, result.name), suiteNameOf(suite, suites))] : [],
    ),
  );
  return items.length === 0
    ? undefined
    : element('nav', { 'aria-label': 'Failures' }, element('h2', {}, 'Failures'), element('ul', {}, items));
}

function suiteNameOf({ name }: SuiteResult, suites: readonly SuiteResult[]): Html | undefined {
  return suites.length === 1 ? undefined : element('span', { class: 'quiet' }, ` ${name}`);
}

function isFailure({ outcome }: CaseResult): boolean {
  return outcome === 'failed' || outcome === 'broken';
}

/** Fragment of a case: its position, because names repeat. */
function idOf(suite: number, index: number): string {
  return `case-${suite + 1}-${index + 1}`;
}

function coveragePart({ coverage = [] }: TestRun): Html | undefined {
  if (coverage.length === 0) return undefined;
  const cells = (tag: 'th' | 'td', texts: readonly string[]): Html[] => texts.map(text => element(tag, {}, text));
  const rows = coverage.map(row => {
    const isMissing = missingOutcomes(row).length > 0;
    const texts = [row.owner, row.part, row.text, String(row.true), String(row.false)];
    return element('tr', isMissing ? { class: 'failed' } : {}, cells('td', texts));
  });
  return element(
    'section',
    { class: 'coverage' },
    element('h2', {}, 'Coverage'),
    element('table', {}, element('tr', {}, cells('th', ['policy or webhook', 'part', 'expression', 'true', 'false'])), rows),
  );
}

function suiteSection(suite: SuiteResult, s: number, detailed: ReadonlySet<CaseResult>): Html {
  const { name, file, cases, error, durationMs } = suite;
  return element(
    'section',
    { class: 'suite' },
    element('h2', {}, `${name} `, element('span', { class: 'quiet' }, `${name === file ? '' : `${file}, `}${tallyDuration(durationMs)}`)),
    error === undefined ? undefined : failurePart(error, placeText(placeOfSuite(suite))),
    cases.map((result, c) => casePart(result, suite, { id: idOf(s, c), isDetailed: detailed.has(result) })),
  );
}

const marks = { passed: '✓', failed: '✗', broken: '!', skipped: '–' } satisfies Record<CaseOutcome, string>;

interface CaseShown {
  readonly id: string;
  readonly isDetailed: boolean;
}

function casePart(result: CaseResult, suite: SuiteResult, { id, isDetailed }: CaseShown): Html {
  const { name, outcome, flaky, failures, durationMs, attempts, notes, calls, conversion } = result;
  const outcomes = flaky ? [outcome, 'flaky'] : [outcome];
  const facts = [
    flaky ? `flaky, ${attempts} attempts` : '',
    outcome === 'skipped' ? '' : tallyDuration(durationMs),
    placeText(result.place),
  ];
  return element(
    'details',
    {
      class: 'case',
      id,
      'data-outcomes': outcomes.join(' '),
      'data-suite': `${suite.name} ${suite.file}`,
      open: isFailure(result),
    },
    element(
      'summary',
      {},
      element('span', { class: `mark ${outcome}` }, marks[outcome]),
      ` ${name} `,
      element('span', { class: outcome }, outcome),
      element(
        'span',
        { class: 'quiet' },
        facts
          .filter(fact => fact !== '')
          .map(fact => `, ${fact}`)
          .join(''),
      ),
      element('a', { class: 'link', href: `#${id}`, 'aria-label': 'Link to this case' }, '#'),
    ),
    element(
      'div',
      {},
      failures.map(failure => failurePart(failure, placeText(placeOfFailure(failure, result)))),
      notes.map(note => element('p', { class: 'quiet' }, `note: ${note}`)),
      snapshotPart(result),
      isDetailed
        ? [calls.map(call => callSection(call, notes)), conversion === undefined ? undefined : conversionSection(conversion)]
        : element(
            'p',
            { class: 'quiet' },
            'Of many cases that passed, the report has the calls of the first 200: run this one alone to see its calls.',
          ),
    ),
  );
}

function failurePart({ check, message, expected, actual, diff }: TestFailure, place: string): Html {
  const values = { expected, actual };
  return element(
    'div',
    { class: 'failure' },
    element('p', {}, element('b', {}, check), ` ${message}`),
    element('p', { class: 'quiet' }, place),
    diff === undefined
      ? Object.entries(values).map(([label, value]) =>
          value === undefined ? undefined : [element('p', { class: 'quiet' }, label), textBlock(value)],
        )
      : diffBlock(unifiedDiffLines(diff)),
  );
}

/** The snapshot's diff, unless a failure shows it. */
function snapshotPart({ snapshot, failures }: CaseResult): readonly Html[] {
  if (snapshot === undefined) return [];
  const { state, file, written, diff } = snapshot;
  const line = element('p', { class: 'quiet' }, `snapshot ${file}: ${state}${written ? ', written' : ''}`);
  const shown = diff !== undefined && diff !== '' && !failures.some(failure => failure.diff === diff);
  return shown ? [line, diffBlock(unifiedDiffLines(diff))] : [line];
}

function obsoletePart({ obsolete }: TestRun): Html | undefined {
  if (obsolete.length === 0) return undefined;
  const items = obsolete.map(({ file, removed }) => element('li', {}, `${file}${removed ? ' (removed)' : ''}`));
  return element('section', {}, element('h2', {}, 'Obsolete snapshots'), element('ul', {}, items));
}

/** The conversions of a case: the converted objects, the findings of the round trips, and the raw exchanges. */
function conversionSection({ conversions, findings = [], exchanges }: CaseConversion): Html {
  return element('section', {}, conversions.map(conversionPart), findings.map(findingPart), exchanges.map(exchangePart));
}

function conversionPart(conversion: ReportedConversion): Html {
  const { object, from, to, stored } = conversion;
  const title = element('h3', {}, `${object} ${from} -> ${to}`);
  if (conversion.outcome === 'failed')
    return element('div', {}, title, element('p', { class: 'failed' }, 'failed'), element('p', { class: 'quiet' }, conversion.message));
  const change = { before: writeValue(stored, 'sorted'), after: writeValue(conversion.converted, 'sorted') };
  return element(
    'div',
    {},
    title,
    element('p', { class: 'passed' }, conversion.calledWebhook ? 'converted' : 'converted without the webhook'),
    diffBlock(objectDiffLines(change)),
  );
}

function findingPart({ check, object, versions, message }: ConversionFinding): Html {
  return element('p', {}, element('b', {}, check), ` ${object} ${versions.join(' -> ')}: ${message}`);
}
