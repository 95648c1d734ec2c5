import { counted } from '../../../kubernetes/counted.js';
import type { Suite } from '../../../suites/suite.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { terminalPalette } from '../../shell/terminal-palette.js';
import { callsText, differenceCount, differencesText, isNotStarted } from './round-text.js';
import type { ShownCall } from './shown-calls.js';

/** What the user sees of the rounds. */
export interface Screen {
  /** Adds the calls of a suite to the current round. */
  readonly keep: (suite: Suite, calls: readonly ShownCall[]) => void;
  /** Prints the differences from the previous round. */
  readonly showRound: (suites: readonly Suite[], round: { readonly cause: string; readonly durationMs: number }) => void;
  /** Prints the calls again: all of them, or only failures. */
  readonly toggleFailures: () => void;
  /** Prints all calls again, with or without what the webhooks change. */
  readonly toggleChanges: () => void;
  /** Prints the available keys. */
  readonly hint: (hasKeys: boolean) => void;
}

interface Kept {
  /** Of the previous round whose process started. */
  readonly last: readonly ShownCall[] | undefined;
  readonly calls: readonly ShownCall[];
}

function lastMade(kept: Kept | undefined): readonly ShownCall[] | undefined {
  return kept === undefined || isNotStarted(kept.calls) ? kept?.last : kept.calls;
}

/** Prints to stdout, with colors on a terminal. */
export function screenOf(flags: { readonly noColor?: boolean | undefined }, { stdout, stderr, env, now }: Surroundings): Screen {
  const palette = terminalPalette(flags, { env, stdout });
  const kept = new Map<string, Kept>();
  let showing = { palette, failuresOnly: false, withChanges: false };
  const print = (lines: readonly string[]): void => stdout.write(lines.map(line => `${line}\n`).join(''));
  const printAll = (title: string): void => {
    const all = [...kept.values()].flatMap(({ calls }) => calls);
    const lines = callsText(all, showing);
    print([palette.strong(title), ...(lines.length === 0 ? [`  ${palette.quiet('none')}`] : lines)]);
  };
  return {
    keep: ({ file }, calls) => kept.set(file, { last: lastMade(kept.get(file)), calls }),
    showRound: (suites, { cause, durationMs }) => {
      const made = suites.flatMap(({ file }) => kept.get(file) ?? []);
      const started = made.filter(({ calls }) => !isNotStarted(calls));
      const counts = started.map(({ last = [], calls }) => differenceCount(last, calls));
      const sumOf = (key: 'changed' | 'total'): number => counts.reduce((sum, each) => sum + each[key], 0);
      const isFirst = started.every(({ last }) => last === undefined);
      const total = counted(sumOf('total'), 'call');
      const size = started.length === 0 ? 'the process did not start' : isFirst ? total : `${sumOf('changed')} of ${total} changed`;
      const title = `${now().toTimeString().slice(0, 8)} ${cause}: ${size} (${Math.round(durationMs)} ms)`;
      print([palette.strong(title), ...made.flatMap(({ last = [], calls }) => differencesText(last, calls, showing))]);
    },
    toggleFailures: () => {
      showing = { ...showing, failuresOnly: !showing.failuresOnly };
      printAll(showing.failuresOnly ? 'failures only' : 'all calls');
    },
    toggleChanges: () => {
      showing = { ...showing, withChanges: !showing.withChanges };
      printAll(showing.withChanges ? 'with what the webhooks change' : 'without what the webhooks change');
    },
    hint: hasKeys => {
      const keys = hasKeys ? 'r: again, f: failures only, d: what the webhooks change, q: end' : 'press Ctrl-C to end';
      stderr.write(`watching for changes; ${keys}\n`);
    },
  };
}
