import { CliError } from '../../../client/cli-error.js';
import { colorLevel, type Palette, paletteOf } from '../../../reports/palette.js';
import { diffLines } from '../../../reports/suites/default.js';
import type { PendingSnapshot } from '../../../suites/snapshots/pending.js';
import { printable } from '../../../writers/printable.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { decide, readPendingSnapshots } from './decide.js';

const answers = {
  a: 'accept',
  t: 'accept the rest',
  r: 'reject',
  s: 'skip',
  u: 'undo',
  q: 'quit',
  '\u0004': 'quit',
  '\u0003': 'interrupt',
} as const;

const choices = Object.entries(answers).filter(([key]) => key >= 'a');

/** Meaning of a key. */
type Answer = (typeof answers)[keyof typeof answers];

/** Shows each pending snapshot with its diff, and asks what to do. Throws CliError without a terminal. */
export async function reviewSnapshots(
  paths: readonly string[],
  { noColor }: { readonly noColor: boolean },
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stdin, stdout, env, cwd } = surroundings;
  if (!stdin.isTerminal || !stdout.isTerminal || stdin.keys === undefined) {
    throw new CliError('usage', 'snapshot review needs a terminal', {
      suggestions: ['use snapshot accept', 'snapshot reject'],
    });
  }
  const pending = await readPendingSnapshots(paths, surroundings);
  const palette = paletteOf(colorLevel(env, { isTerminal: true, refused: noColor }));
  const outcomes: Outcome[] = [];
  const keys = stdin.keys()[Symbol.asyncIterator]();
  const decideNext = async (outcome: Outcome): Promise<void> => {
    const snapshot = pending[outcomes.length];
    if (snapshot !== undefined && outcome !== 'skip') await decide(outcome, snapshot, cwd);
    outcomes.push(outcome);
  };
  try {
    for (let snapshot = pending[0]; snapshot !== undefined; snapshot = pending[outcomes.length]) {
      stdout.write(question(snapshot, { number: outcomes.length + 1, of: pending.length }, palette));
      const answer = await readAnswer(keys, outcomes.length > 0);
      stdout.write(`${answer}\n`);
      if (answer === 'interrupt') return exitCodes.interrupted;
      if (answer === 'quit') break;
      if (answer === 'accept the rest') while (outcomes.length < pending.length) await decideNext('accept');
      else if (answer === 'undo') await undo(outcomes, pending, cwd);
      else await decideNext(answer);
    }
  } finally {
    await keys.return?.();
  }
  const count = (outcome: Outcome): number => outcomes.filter(other => other === outcome).length;
  const [accepted, rejected] = [count('accept'), count('reject')];
  const left = pending.length - accepted - rejected;
  stdout.write(pending.length === 0 ? 'no pending snapshots\n' : `${accepted} accepted, ${rejected} rejected, ${left} left\n`);
  return exitCodes.allowed;
}

type Outcome = 'accept' | 'reject' | 'skip';

/** Goes back to the snapshot before, which becomes pending again. */
async function undo(outcomes: Outcome[], pending: readonly PendingSnapshot[], cwd: string): Promise<void> {
  const outcome = outcomes.pop();
  const snapshot = pending[outcomes.length];
  if (snapshot !== undefined && outcome !== 'skip') await decide('undo', snapshot, cwd);
}

/** Returns the answer of the first key that has a meaning; `quit` at the end of input. */
async function readAnswer(keys: AsyncIterator<string>, canUndo: boolean): Promise<Answer> {
  for (;;) {
    const { value, done } = await keys.next();
    if (done === true) return 'quit';
    const answer = new Map<string, Answer>(Object.entries(answers)).get(value.toLowerCase());
    if (answer !== undefined && (answer !== 'undo' || canUndo)) return answer;
  }
}

function question(
  { file, state, diff, difference }: PendingSnapshot,
  { number, of }: { readonly number: number; readonly of: number },
  palette: Palette,
): string {
  const what =
    difference === undefined ? (state === 'new' ? 'a new snapshot' : 'only the formatting differs') : `${difference.path} differs`;
  return [
    '',
    `${palette.strong(printable(file))} ${palette.quiet(`(${number} of ${of})`)}`,
    printable(what),
    ...diffLines(diff, palette),
    `${choices.map(([key, choice]) => `${palette.strong(key)} ${choice}`).join(', ')}: `,
  ].join('\n');
}
