import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { runProgram } from '../../../processes/run-program.js';
import type { Suite } from '../../../suites/suite.js';
import { isAtOrBelow } from '../../../suites/watch/affected.js';
import { watchFiles } from '../../../suites/watch/watch-files.js';
import { monotonicMs } from '../../../transport/clock.js';
import { oneLine } from '../../../writers/printable.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { pathsIn, watched } from '../../work/suites/watch-tests.js';
import { type DevCommand, givenBesides, loadDevSuites } from './dev-suites.js';
import { keptProcesses } from './kept-processes.js';
import { laterConsents } from './later-consents.js';
import { makeRound } from './make-round.js';
import { type Screen, screenOf } from './screen.js';

/** Quiet period after a change: editors write a file in several steps. */
const quietMs = 40;

/** How long an interruption waits for processes to stop. */
const longestStopMs = 6000;

/** Runs until the user quits, which is not an error. Throws CliError for suites that cannot be read at the start. */
export async function runDev(command: DevCommand, surroundings: Surroundings): Promise<ExitCode> {
  const controller = new AbortController();
  const developing = develop(command, controller, surroundings);
  const cleanUp = async (): Promise<void> => {
    controller.abort();
    await developing.catch(() => {});
  };
  const forget = surroundings.onInterrupt(cleanUp, { longestMs: longestStopMs, exitCode: exitCodes.allowed });
  try {
    await developing;
    return exitCodes.allowed;
  } finally {
    forget();
  }
}

async function develop(command: DevCommand, controller: AbortController, surroundings: Surroundings): Promise<void> {
  const { signal } = controller;
  const { cwd, stderr } = surroundings;
  const screen = screenOf(command.flags, surroundings);
  const processes = keptProcesses(command => stderr.write(`building or starting: ${oneLine(command)}\n`));
  // With a seed, generated names differ only where a change makes them.
  const live =
    command.flags.open === true ? await (await import('./live-rounds.js')).openLiveRounds(command.toolVersion(), surroundings) : undefined;
  const context = { flags: { seed: 1, ...command.flags }, given: givenBesides(command), surroundings, recordsSteps: live !== undefined };
  let suites = await loadDevSuites(command, surroundings);
  const consents = laterConsents(surroundings);
  let startedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let crash: unknown;
  const runRound = async (chosen: readonly Suite[], restart: readonly Suite[], cause: string): Promise<void> => {
    const start = monotonicMs();
    isRunning = true;
    for (const suite of restart) await processes.stop(suite);
    for (const suite of chosen) {
      if (signal.aborted) break;
      screen.keep(suite, await makeRound(suite, { context, processes, signal, onCase: live?.keep }));
    }
    live?.show();
    isRunning = false;
    if (restart.length > 0) startedAt = monotonicMs();
    if (!signal.aborted) screen.showRound(chosen, { cause, durationMs: monotonicMs() - start });
  };
  /** Runs one round after another; a bug ends the command. */
  const queue = (act: () => Promise<void>): Promise<void> => {
    running = running.then(act).catch(error => {
      isRunning = false;
      if (error instanceof CliError) consents.report(error);
      else {
        crash ??= error;
        controller.abort();
      }
    });
    return running;
  };
  const writes = ownWrites(file =>
    stderr.write(`note: ${path.relative(cwd, file)} changes at every start: its changes do not restart the process\n`),
  );
  const inputs = pathsIn(command.flags).map(file => path.resolve(cwd, file));
  const followed = (): string[] =>
    suites.map(suite => watched(suite, cwd)).flatMap(({ inputs: own, sources }) => [...own, ...sources, ...inputs]);
  const handleChange = (files: readonly string[]): Promise<void> =>
    queue(async () => {
      const isRightAfterStart = monotonicMs() - startedAt < 10 * quietMs;
      const known = new Set(suites.map(({ file }) => file));
      suites = await loadDevSuites(command, surroundings, consents.refuse);
      watch.follow(followed());
      const { rerun, restart } = await findConcernedSuites(writes.withoutOwn(files, isRightAfterStart), suites, { cwd, inputs, known });
      if (rerun.length > 0) await runRound(rerun, restart, `${shown(files, cwd)} changed`);
    });
  const watch = watchFiles({ paths: followed(), quietMs, onChange: handleChange });
  const runAgain = (): Promise<void> => queue(() => runRound(suites, suites, 'again'));
  void followKeys({ screen, again: runAgain, consent: () => handleChange(consents.give()), end: () => controller.abort() }, surroundings);
  await Promise.race([queue(() => runRound(suites, suites, 'started')), waitUntilAborted(signal)]);
  if (!signal.aborted) screen.hint(surroundings.stdin.isTerminal);
  await waitUntilAborted(signal);
  // A process that is still starting is killed when this process exits.
  if (isRunning) return;
  await watch.close();
  await live?.close();
  await processes.stopAll();
  if (crash !== undefined) throw crash;
}

interface Keys {
  readonly screen: Screen;
  readonly again: () => Promise<void>;
  /** Trusts the suites that changed. */
  readonly consent: () => Promise<void>;
  readonly end: () => void;
}

/** Reads keys of a terminal, where Ctrl-C is one of them. */
async function followKeys({ screen, again, consent, end }: Keys, { stdin }: Surroundings): Promise<void> {
  if (!stdin.isTerminal || stdin.keys === undefined) return;
  for await (const key of stdin.keys()) {
    if (key === 'q' || key === '\u0003') return end();
    if (key === 'r') void again();
    if (key === 't') void consent();
    if (key === 'f') screen.toggleFailures();
    if (key === 'd') screen.toggleChanges();
  }
}

function shown(files: readonly string[], cwd: string): string {
  const [first = '', ...others] = files.map(file => path.relative(cwd, file));
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function waitUntilAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Files that a process under development writes itself when it starts. */
interface OwnWrites {
  /** Returns the files that the process is not known to write itself. `isRightAfterStart`: they changed while it started. */
  readonly withoutOwn: (files: readonly string[], isRightAfterStart: boolean) => string[];
}

/** A file that changes during that many starts in a row is not edited by the user. */
const maxStarts = 3;

/** Without this, a process that writes a file below its working directory would be restarted forever. */
export function ownWrites(onFound: (file: string) => void): OwnWrites {
  const starts = new Map<string, number>();
  const own = new Set<string>();
  return {
    withoutOwn: (files, isRightAfterStart) => {
      if (!isRightAfterStart) starts.clear();
      for (const file of files) {
        const count = (starts.get(file) ?? 0) + (isRightAfterStart ? 1 : 0);
        starts.set(file, count);
        if (count < maxStarts || own.has(file)) continue;
        own.add(file);
        onFound(file);
      }
      return files.filter(file => !own.has(file));
    },
  };
}

interface Surrounding {
  readonly cwd: string;
  /** Absolute paths from the command line. */
  readonly inputs: readonly string[];
  /** Files of the suites that ran before. */
  readonly known: ReadonlySet<string>;
}

/** Suites affected by changed files, and those of them whose process must be restarted. */
interface Concerned {
  readonly rerun: readonly Suite[];
  readonly restart: readonly Suite[];
}

/**
 * A manifest, a file of the state or the suite makes a suite run again; any other file below the working directory of its process is
 * code, unless git ignores it, and restarts the process.
 */
export async function findConcernedSuites(
  files: readonly string[],
  suites: readonly Suite[],
  { cwd, inputs, known }: Surrounding,
): Promise<Concerned> {
  const about = suites.map(suite => {
    const { inputs: own, sources } = watched(suite, cwd);
    const isInput = (file: string): boolean => [...own, ...inputs].some(input => isAtOrBelow(file, input));
    const code = files.filter(file => !isInput(file) && sources.some(source => isAtOrBelow(file, source)));
    return { suite, code, hasInput: files.some(isInput) || !known.has(suite.file) };
  });
  const code = [...new Set(about.flatMap(each => each.code))];
  const ignored = code.length === 0 ? new Set<string>() : await askGitForIgnored(code, path.resolve(cwd));
  const restart = about.filter(each => each.code.some(file => !ignored.has(file))).map(({ suite }) => suite);
  return { rerun: about.filter(({ suite, hasInput }) => hasInput || restart.includes(suite)).map(({ suite }) => suite), restart };
}

/** Paths of changed files. */
const maxIgnoredBytes = 16 * 1024 * 1024;

/** Returns which of some absolute paths git ignores; none outside a repository, or without git. */
async function askGitForIgnored(files: readonly string[], cwd: string): Promise<ReadonlySet<string>> {
  // Not in a bare repository that a clone contains as files: its configuration could name a program.
  const safe = ['-c', 'safe.bareRepository=explicit', '-c', 'core.fsmonitor=false'];
  const end = await runProgram({
    command: ['git', ...safe, 'check-ignore', '-z', '--stdin'],
    ...{ cwd, input: files.join('\0'), maxOutputBytes: maxIgnoredBytes },
  });
  return end.outcome === 'exited' ? new Set(end.stdout.toString().split('\0')) : new Set();
}
