import type { CaseResult, SuiteResult, TestFailure, TestRun } from '../../suites/results.js';
import { fencedText, markdownText } from '../../writers/markdown.js';
import { placeOfFailure, placeOfSuite, placeText } from './places.js';
import { snapshotTally, tallyDuration, tallyOf, tallyOfRun, tallyWords } from './tally.js';

/** Markdown for a comment or a job's summary in GitHub and GitLab: a table of the suites, and the failures with their diffs. */
export function markdownReport(run: TestRun, { maxBytes = Number.POSITIVE_INFINITY }: { readonly maxBytes?: number } = {}): string {
  const head = [`## webhook-cli: ${tallyWords(tallyOfRun(run))}`, '', ...statusLines(run), ...suiteTable(run)].join('\n');
  const foot = [...flakyLines(run), ...obsoleteLines(run), ...noteLines(run)].join('\n');
  return head + withinBytes(failureSections(run), maxBytes - Buffer.byteLength(head + foot)) + foot;
}

/** As many sections as fit, and the number of omitted ones. */
function withinBytes(sections: readonly string[], bytes: number): string {
  const left = (count: number): string => `\n${count} more omitted.\n`;
  let used = Buffer.byteLength(left(sections.length));
  const kept = sections.findIndex(section => {
    used += Buffer.byteLength(section);
    return used > bytes;
  });
  return kept < 0 ? sections.join('') : sections.slice(0, kept).join('') + left(sections.length - kept);
}

function statusLines(run: TestRun): string[] {
  const snapshots = snapshotTally(run);
  const met = (['matched', 'new', 'mismatched', 'written'] as const).flatMap(name =>
    snapshots[name] === 0 ? [] : [`${snapshots[name]} ${name}`],
  );
  const said = [
    ...(run.complete ? [] : ['**The run was interrupted: cases that did not run are skipped.**']),
    ...(run.shard === undefined ? [] : [`Shard ${run.shard.index} of ${run.shard.count}.`]),
    ...(met.length === 0 ? [] : [`Snapshots: ${met.join(', ')}.`]),
  ];
  return said.length === 0 ? [] : [said.join(' '), ''];
}

function suiteTable({ suites }: TestRun): string[] {
  const rows = suites.map(({ name, cases, error, durationMs }) => {
    const { passed, failed, broken, skipped, flaky } = tallyOf(cases);
    const counts = [passed, failed, broken + (error === undefined ? 0 : 1), skipped, flaky];
    return `| ${markdownText(name)} | ${counts.join(' | ')} | ${tallyDuration(durationMs)} |`;
  });
  return ['| suite | passed | failed | broken | skipped | flaky | time |', '|---|---:|---:|---:|---:|---:|---:|', ...rows, ''];
}

function failureSections({ suites }: TestRun): string[] {
  return suites.flatMap(suite => [
    ...(suite.error === undefined
      ? []
      : [section(suite, { mark: '!', name: suite.name }, [[suite.error, placeText(placeOfSuite(suite))]])]),
    ...suite.cases.filter(({ outcome }) => outcome === 'failed' || outcome === 'broken').map(result => caseSection(suite, result)),
  ]);
}

function caseSection(suite: SuiteResult, result: CaseResult): string {
  return section(
    suite,
    { mark: result.outcome === 'broken' ? '!' : '✗', name: result.name },
    result.failures.map(failure => [failure, placeText(placeOfFailure(failure, result))]),
  );
}

interface Headline {
  readonly mark: string;
  readonly name: string;
}

function section({ file }: SuiteResult, { mark, name }: Headline, failures: readonly (readonly [TestFailure, string])[]): string {
  const parts = failures.map(
    ([failure, place]) =>
      `**${markdownText(failure.check)}** ${markdownText(failure.message)}<br>${markdownText(place)}\n\n${difference(failure)}`,
  );
  return `\n<details open><summary>${mark} <b>${markdownText(name)}</b> ${markdownText(file)}</summary>\n\n${parts.join('')}</details>\n`;
}

function difference({ expected, actual, diff }: TestFailure): string {
  if (diff !== undefined) return fencedText(diff.replace(/\n$/, ''), 'diff');
  const values = { expected, actual };
  return Object.entries(values)
    .map(([label, value]) => (value === undefined ? '' : `${label}:\n\n${fencedText(value, 'text')}`))
    .join('');
}

function flakyLines({ suites }: TestRun): string[] {
  const flaky = suites.flatMap(({ cases, name }) =>
    cases.filter(result => result.flaky).map(result => `- ${markdownText(name)}: ${markdownText(result.name)}`),
  );
  return flaky.length === 0 ? [] : ['', '### Flaky', '', ...flaky, ''];
}

function obsoleteLines({ obsolete }: TestRun): string[] {
  if (obsolete.length === 0) return [];
  return [
    '',
    '### Obsolete snapshots',
    '',
    ...obsolete.map(({ file, removed }) => `- ${markdownText(file)}${removed ? ' (removed)' : ''}`),
    '',
  ];
}

function noteLines({ notes }: TestRun): string[] {
  return notes.length === 0 ? [] : ['', ...notes.map(note => `- note: ${markdownText(note)}`), ''];
}
