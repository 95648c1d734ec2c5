import { counted } from '../../kubernetes/counted.js';
import type { CaseOutcome, CaseResult, SuiteResult, TestFailure, TestRun } from '../../suites/results.js';
import { oneLine, printable } from '../../writers/printable.js';
import type { Palette } from '../palette.js';
import { coverageText } from './coverage.js';
import { foldedLines } from './folded-lines.js';
import { placeOfFailure, placeOfSuite, placeText } from './places.js';
import type { ReporterOptions } from './suite-reporter.js';
import { type SuiteTally, snapshotTally, tallyDuration, tallyOfRun } from './tally.js';

/** Text report: a line per case, with its failures below, and a summary at the end. */
export function defaultReport(run: TestRun, { palette }: ReporterOptions): string {
  return run.suites.map(suite => suiteText(suite, palette)).join('') + summaryText(run, palette);
}

/** A suite, printed when all its cases are done. */
export function suiteText(suite: SuiteResult, palette: Palette): string {
  const { name, file, error, cases } = suite;
  const title = name === file ? palette.strong(oneLine(file)) : `${palette.strong(oneLine(name))} ${palette.quiet(oneLine(file))}`;
  const failure = error === undefined ? [] : failureLines(error, placeText(placeOfSuite(suite)), palette);
  return [lines([title, ...failure.map(line => `  ${line}`)]), ...casesTexts(cases, palette), '\n'].join('');
}

/** Cases skipped without a reason of their own, for example by a filter, are only counted; the scenarios of a case share a line for each reason. */
function casesTexts(cases: readonly CaseResult[], palette: Palette): string[] {
  const shown = cases.filter(({ outcome }) => outcome !== 'skipped');
  const skipped = cases.filter(({ outcome }) => outcome === 'skipped');
  const withReason = skipped.filter(({ notes }) => notes.length > 0);
  const leftOut = skipped.length - withReason.length;
  const others = [...skippedLines(withReason), ...(leftOut === 0 ? [] : [`${counted(leftOut, 'case')} skipped`])];
  const texts: string[] = [];
  for (let i = 0; i < shown.length; i += joinedCases)
    texts.push(lines(shown.slice(i, i + joinedCases).flatMap(result => caseLines(result, palette))));
  return [...texts, lines(others.map(line => palette.quiet(`  - ${line}`)))];
}

/** Lines of this many cases are joined at a time: those of thousands, each in many pieces, would take more memory than the cases. */
const joinedCases = 500;

function skippedLines(skipped: readonly CaseResult[]): string[] {
  const groups = new Map<string, CaseResult[]>();
  for (const result of skipped) {
    const key = JSON.stringify([baseName(result), result.notes]);
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const which = others.length === 0 ? first.name : `${baseName(first)}: ${others.length + 1} scenarios`;
    return [`${oneLine(which)}  skipped: ${printable(first.notes.join('; '))}`];
  });
}

/** `life` of `life [delete, dry run]`. */
function baseName({ name }: CaseResult): string {
  return name.replace(/ \[[^\]]*\]$/, '');
}

/** A case, printed when it is done: its outcome and failures. Notes of passed cases are in the summary. */
function caseLines(result: CaseResult, palette: Palette): string[] {
  const { name, outcome, flaky, attempts, durationMs, failures, notes } = result;
  const { mark, color } = marks(palette)[outcome];
  const details = [
    outcome === 'broken' ? 'broken' : '',
    flaky ? `flaky: passed on retry (${counted(attempts, 'attempt')})` : '',
    newSnapshot(result),
  ].filter(text => text !== '');
  const headline = `  ${color(mark)} ${oneLine(name)}  ${palette.quiet([tallyDuration(durationMs), ...details].join(', '))}`;
  return [
    headline,
    ...failures.flatMap(failure => failureLines(failure, placeText(placeOfFailure(failure, result)), palette)).map(line => `    ${line}`),
    ...outputLines(result, palette),
    ...(outcome === 'passed' ? [] : notes.map(note => palette.quiet(`    note: ${printable(note)}`))),
  ];
}

function outputLines({ webhookOutput = [] }: CaseResult, palette: Palette): string[] {
  if (webhookOutput.length === 0) return [];
  return ['    output of the webhook during the case:', ...foldedLines(webhookOutput).map(line => `      ${oneLine(line)}`)].map(
    palette.quiet,
  );
}

/** The end of the report; its last line has all the figures. */
export function summaryText(run: TestRun, palette: Palette): string {
  const notes = [...run.notes, ...notesOfPassed(run)].map(note => palette.quiet(`note: ${printable(note)}`));
  const incomplete = run.complete ? [] : [palette.warning('the run was interrupted: cases that did not run are skipped')];
  const coverage = run.coverage === undefined ? [] : coverageText(run.coverage, palette);
  return lines([
    ...notes,
    ...coverage,
    ...obsoleteLines(run, palette),
    ...snapshotLines(run, palette),
    ...incomplete,
    summaryLine(run, palette),
  ]);
}

/** Notes shared by many passed cases are printed once. */
function notesOfPassed({ suites }: TestRun): string[] {
  const counts = new Map<string, number>();
  const passed = suites.flatMap(({ cases }) => cases.filter(({ outcome }) => outcome === 'passed'));
  for (const note of passed.flatMap(({ notes }) => notes)) counts.set(note, (counts.get(note) ?? 0) + 1);
  return [...counts].map(([note, count]) => `${note} (${counted(count, 'case')})`);
}

function marks(palette: Palette): Readonly<Record<CaseOutcome, { readonly mark: string; readonly color: (text: string) => string }>> {
  return {
    passed: { mark: '✓', color: palette.good },
    failed: { mark: '✗', color: palette.bad },
    broken: { mark: '!', color: palette.bad },
    skipped: { mark: '-', color: palette.quiet },
  };
}

function newSnapshot({ snapshot }: CaseResult): string {
  if (snapshot === undefined || snapshot.state === 'matched') return '';
  if (snapshot.written) return snapshot.state === 'new' ? 'snapshot written' : 'snapshot updated';
  return snapshot.state === 'new' ? 'new snapshot' : '';
}

function failureLines({ check, message, expected, actual, diff }: TestFailure, place: string, palette: Palette): string[] {
  const values =
    diff === undefined
      ? [...labeled('expected', expected, palette.good), ...labeled('actual', actual, palette.bad)]
      : diffLines(diff, palette);
  const [first = '', ...rest] = printable(message).split('\n');
  return [`${palette.bad(oneLine(check))}: ${first}`, ...rest.map(line => `  ${line}`), palette.place(oneLine(place)), ...values];
}

/** Multi-line texts are printed below their label. */
function labeled(label: string, text: string | undefined, color: (text: string) => string): string[] {
  if (text === undefined) return [];
  const [first = '', ...rest] = printable(text).split('\n');
  if (rest.length === 0) return [`${label.padEnd('expected'.length)} ${color(first)}`];
  return [label, ...[first, ...rest].map(line => `  ${color(line)}`)];
}

/** A unified diff with colors. */
export function diffLines(diff: string, palette: Palette): string[] {
  return printable(diff)
    .replace(/\n$/, '')
    .split('\n')
    .map(line => {
      if (line.startsWith('@@') || line.startsWith('---') || line.startsWith('+++')) return palette.quiet(line);
      if (line.startsWith('+')) return palette.good(line);
      return line.startsWith('-') ? palette.bad(line) : line;
    });
}

function obsoleteLines({ obsolete }: TestRun, palette: Palette): string[] {
  return obsolete.map(({ file, removed }) => palette.warning(`obsolete snapshot ${removed ? 'removed' : 'left'}: ${oneLine(file)}`));
}

function snapshotLines(run: TestRun, palette: Palette): string[] {
  const tally = snapshotTally(run);
  const obsolete = run.obsolete.filter(({ removed }) => !removed).length;
  const parts = [
    ...(['matched', 'new', 'mismatched', 'written'] as const).flatMap(name => (tally[name] === 0 ? [] : [`${tally[name]} ${name}`])),
    ...(obsolete === 0 ? [] : [`${obsolete} obsolete`]),
  ];
  if (parts.length === 0) return [];
  const pending = run.suites.some(({ cases }) => cases.some(needsDecision));
  // `snapshot review` decides on the files that a run without --check writes.
  const decide = run.check === true ? 'run without --check to decide on them' : 'decide on them with webhook-cli snapshot review';
  return [palette.quiet(`snapshots: ${parts.join(', ')}${pending ? `; ${decide}` : ''}`)];
}

/** A snapshot that could not be written leaves nothing to decide on. */
function needsDecision({ snapshot, failures }: CaseResult): boolean {
  return snapshot !== undefined && snapshot.state !== 'matched' && !snapshot.written && !failures.some(({ check }) => check === 'write');
}

function summaryLine(run: TestRun, palette: Palette): string {
  const tally = tallyOfRun(run);
  const shard = run.shard === undefined ? '' : `, shard ${run.shard.index} of ${run.shard.count}`;
  const seed = run.seed === undefined ? '' : `, seed ${run.seed}`;
  return `${coloredTally(tally, palette)}${palette.quiet(`  (${tallyDuration(run.durationMs)}${shard}${seed})`)}`;
}

function coloredTally(tally: SuiteTally, palette: Palette): string {
  const colors = { passed: palette.good, failed: palette.bad, broken: palette.bad, skipped: palette.quiet, flaky: palette.warning };
  const shown = (Object.keys(colors) as (keyof SuiteTally)[]).filter(name => tally[name] > 0 || name === 'passed' || name === 'failed');
  return shown.map(name => (tally[name] === 0 ? `0 ${name}` : colors[name](`${tally[name]} ${name}`))).join(', ');
}

function lines(texts: readonly string[]): string {
  return texts.map(text => `${text}\n`).join('');
}
