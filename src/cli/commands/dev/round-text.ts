import type { ObjectChange } from '../../../apiserver/admission/webhook-report.js';
import { objectDiff } from '../../../reports/diff.js';
import type { Palette } from '../../../reports/palette.js';
import { oneLine, printable } from '../../../writers/printable.js';
import { isSameCall, type ShownCall } from './shown-calls.js';

/** How calls are shown. */
export interface Showing {
  readonly palette: Palette;
  /** Shows only calls that failed. */
  readonly failuresOnly: boolean;
  /** Shows what the webhooks change. */
  readonly withChanges: boolean;
}

/** Returns the lines of all calls. */
export function callsText(calls: readonly ShownCall[], showing: Showing): string[] {
  return calls.filter(call => call.isFailure || !showing.failuresOnly).flatMap(call => callText(call, showing));
}

/** Returns the lines of the calls that differ from the previous round, including new and missing ones; without a start, no call is missing. */
export function differencesText(before: readonly ShownCall[], after: readonly ShownCall[], showing: Showing): string[] {
  const known = new Map(before.map(call => [call.key, call]));
  const left = new Set(after.map(({ key }) => key));
  const { palette } = showing;
  return [
    ...after.flatMap(call => {
      const last = known.get(call.key);
      if (last === undefined) return callText(call, showing);
      return isSameCall(last, call) || (showing.failuresOnly && !call.isFailure && !last.isFailure)
        ? []
        : differenceText(last, call, showing);
    }),
    ...(isNotStarted(after) ? [] : before)
      .filter(({ key }) => !left.has(key))
      .map(({ title }) => `  ${palette.quiet(`- ${oneLine(title)}: removed`)}`),
  ];
}

/** Returns true if the calls could not be made: the process of the suite did not start. */
export function isNotStarted(calls: readonly ShownCall[]): boolean {
  return calls.some(({ isStart }) => isStart === true);
}

/** Counts the calls that differ, and all calls of both rounds. */
export function differenceCount(
  before: readonly ShownCall[],
  after: readonly ShownCall[],
): { readonly changed: number; readonly total: number } {
  const known = new Map(before.map(call => [call.key, call]));
  const left = new Set(after.map(({ key }) => key));
  const changed = after.filter(call => {
    const last = known.get(call.key);
    return last === undefined || !isSameCall(last, call);
  });
  const gone = before.filter(({ key }) => !left.has(key)).length;
  return { changed: changed.length + gone, total: after.length + gone };
}

function callText(call: ShownCall, showing: Showing): string[] {
  const { palette, withChanges } = showing;
  const changes = withChanges ? call.changes.flatMap(change => [`      changes by ${change.webhook}:`, ...diffLines(change, palette)]) : [];
  return [`  ${mark(call, palette)} ${oneLine(call.title)}: ${decision(call, palette)}`, ...saidLines(call), ...changes];
}

function differenceText(last: ShownCall, call: ShownCall, { palette }: Showing): string[] {
  const isOther = last.decision !== call.decision;
  const decided = isOther ? `${palette.quiet(last.decision)} -> ${decision(call, palette)}` : decision(call, palette);
  const said = last.lines.join('\n') === call.lines.join('\n') ? [] : saidLines(call);
  const hasBoth = last.object !== '' && call.object !== '' && last.object !== call.object;
  const diff = hasBoth ? diffLines({ before: last.object, after: call.object }, palette) : [];
  return [`  ${mark(call, palette)} ${oneLine(call.title)}: ${decided}`, ...said, ...diff];
}

function mark({ isFailure }: ShownCall, { good, bad }: Palette): string {
  return isFailure ? bad('✗') : good('✓');
}

function decision({ isFailure, decision: text }: ShownCall, { good, bad }: Palette): string {
  return isFailure ? bad(text) : good(text);
}

function saidLines({ lines }: ShownCall): string[] {
  return lines.map(line => `      ${printable(line)}`);
}

function diffLines(change: ObjectChange, palette: Palette): string[] {
  return objectDiff(change, palette).map(line => `      ${line}`);
}
