import type { Tally } from '../../replay/tally.js';
import { newCoverage } from '../../suites/coverage.js';
import { CaseFault } from '../../suites/faults.js';
import { ranCase } from '../../suites/run/ran-case.js';
import type { SuiteCase } from '../../suites/suite.js';
import { monotonicMs } from '../../transport/clock.js';
import { reducedResult } from '../commands/test/reduced-result.js';
import type { Surroundings } from '../shell/surroundings.js';
import { openSuite } from '../work/suites/open-suite.js';
import type { StartedProcess } from '../work/suites/suite-process.js';
import { placesFor } from './places.js';
import { type Connection, connectThreads, type Port } from './remote-functions.js';
import type { MainFunctions, SuiteForThread, ThreadFunctions } from './thread-functions.js';

type OpenInThread = Pick<ThreadFunctions, 'run' | 'close'>;

/** Runs cases, or makes calls, for the main thread, which is at the other end of the port: the code of a thread. */
export function serveCases(port: Port, surroundings: Surroundings): void {
  const aborting = new AbortController();
  let open: OpenInThread | undefined;
  let counted: Tally | undefined;
  const functions: ThreadFunctions = {
    open: async opened => {
      try {
        open = await openInThread(opened, { main, surroundings, signal: aborting.signal });
        return undefined;
      } catch (error) {
        if (error instanceof CaseFault) return error.failure;
        throw error;
      }
    },
    run: async index => {
      if (open === undefined) throw new Error('no suite is open');
      return open.run(index);
    },
    abort: async () => aborting.abort(),
    close: async () => {
      const closed = open;
      open = undefined;
      return closed?.close() ?? [];
    },
    replay: async (flags, part) => {
      const { replayPart } = await import('../commands/replay/replay-part.js');
      return replayPart(flags, part, surroundings, {
        onStart: tally => {
          counted = tally;
        },
      });
    },
    counted: async () => counted,
    calls: async shared => {
      const { makePart } = await import('../work/calls/threads/call-part.js');
      return makePart(shared, surroundings, results => main.call('made', results));
    },
    files: async shared => {
      const { makeFiles } = await import('../work/calls/threads/file-part.js');
      return makeFiles(shared, surroundings, batch => main.call('read', batch));
    },
  };
  const main = connectThreads<MainFunctions>(port, { ...functions });
}

interface ThreadContext {
  readonly main: Connection<MainFunctions>;
  readonly surroundings: Surroundings;
  readonly signal: AbortSignal;
}

async function openInThread(
  { suite, processFlags, places, flags, given, mode, retries, showsCalls, recordsSteps, coverage: isCounted }: SuiteForThread,
  { main, surroundings, signal }: ThreadContext,
): Promise<OpenInThread> {
  const coverage = isCounted ? newCoverage() : undefined;
  const started: StartedProcess | undefined = processFlags === undefined ? undefined : processOfMain(processFlags, main);
  const open = await openSuite(suite, {
    ...{ flags, given, surroundings, observer: coverage?.observer, recordsSteps },
    ...(started === undefined ? {} : { startProcess: async () => started }),
  });
  const running = {
    ...{ ...open, mode, retries, signal, cwd: surroundings.cwd, elapsedMs: monotonicMs },
    now: () => flags.now ?? surroundings.now(),
    reduced: reducedResult(showsCalls),
  };
  const inPlace = placesFor(places, signal);
  return {
    run: index => inPlace(() => ranCase(suite, suite.cases[index] as SuiteCase, running)),
    close: async () => {
      await open.close();
      return coverage?.rows() ?? [];
    },
  };
}

/** The process runs once, in the main thread. */
function processOfMain(flags: StartedProcess['flags'], { call }: Connection<MainFunctions>): StartedProcess {
  return {
    flags,
    output: { written: () => call('written'), since: written => call('since', written) },
    fault: callFailed => call('fault', callFailed),
    stop: async () => {},
  };
}
