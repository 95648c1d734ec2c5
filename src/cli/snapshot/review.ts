import { CliError } from '../../client/cli-error.js';
import { colourLevel, type Palette, paletteOf } from '../../reports/palette.js';
import { printable } from '../../reports/printable.js';
import { diffLines } from '../../reports/suites/default.js';
import type { PendingSnapshot } from '../../suites/snapshots/pending.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { decide, pendingSnapshots } from './decide.js';

/** Meaning of a key. */
type Answer = 'accept' | 'reject' | 'skip' | 'quit' | 'interrupt';

const answers: Readonly<Record<string, Answer>> = {
  a: 'accept',
  r: 'reject',
  s: 'skip',
  q: 'quit',
  '\u0004': 'quit',
  '\u0003': 'interrupt',
};

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
  const pending = await pendingSnapshots(paths, surroundings);
  const palette = paletteOf(colourLevel(env, { isTerminal: true, refused: noColor }));
  const decided = { accept: 0, reject: 0, skip: 0 };
  const keys = stdin.keys()[Symbol.asyncIterator]();
  try {
    for (const [i, snapshot] of pending.entries()) {
      stdout.write(question(snapshot, { number: i + 1, of: pending.length }, palette));
      const answer = await nextAnswer(keys);
      stdout.write(`${answer}\n`);
      if (answer === 'interrupt') return exitCodes.interrupted;
      if (answer === 'quit') break;
      if (answer !== 'skip') await decide(answer, snapshot, cwd);
      decided[answer] += 1;
    }
  } finally {
    await keys.return?.();
  }
  const left = pending.length - decided.accept - decided.reject;
  stdout.write(pending.length === 0 ? 'no pending snapshots\n' : `${decided.accept} accepted, ${decided.reject} rejected, ${left} left\n`);
  return exitCodes.allowed;
}

/** Returns the answer of the first key that has a meaning; `quit` at the end of input. */
async function nextAnswer(keys: AsyncIterator<string>): Promise<Answer> {
  for (;;) {
    const { value, done } = await keys.next();
    if (done === true) return 'quit';
    const answer = answers[value.toLowerCase()];
    if (answer !== undefined) return answer;
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
    `${palette.strong('a')} accept, ${palette.strong('r')} reject, ${palette.strong('s')} skip, ${palette.strong('q')} quit: `,
  ].join('\n');
}
