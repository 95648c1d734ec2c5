import { newCoverage } from '../../../suites/coverage.js';
import { CaseFault } from '../../../suites/faults.js';
import { runCaseHere } from '../../../suites/run/ran-case.js';
import { pendingAtStart } from '../../../suites/snapshot-folder.js';
import type { SuiteCase } from '../../../suites/suite.js';
import { monotonicMs } from '../../../transport/clock.js';
import { placesFor } from '../../threads/places.js';
import type { JobContext } from '../../threads/serve-jobs.js';
import { openSuite } from '../../work/suites/open-suite.js';
import type { StartedProcess } from '../../work/suites/suite-process.js';
import type { CasesJob, CasesMain, SuiteForThread } from './cases-job-types.js';
import { reducedResult } from './reduced-result.js';

type OpenInThread = Pick<CasesJob, 'run' | 'close'>;

/** Returns the job of running cases of suites that the main thread has opened. */
export function casesJob({ surroundings, callMain }: JobContext<CasesMain>): CasesJob {
  const aborting = new AbortController();
  let open: OpenInThread | undefined;
  return {
    open: async opened => {
      try {
        open = await openInThread(opened, { callMain, surroundings, signal: aborting.signal });
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
  };
}

interface ThreadContext extends JobContext<CasesMain> {
  readonly signal: AbortSignal;
}

async function openInThread(
  { suite, processFlags, places, flags, given, mode, retries, showsCalls, recordsSteps, coverage: isCounted }: SuiteForThread,
  { callMain, surroundings, signal }: ThreadContext,
): Promise<OpenInThread> {
  const coverage = isCounted ? newCoverage() : undefined;
  const started: StartedProcess | undefined = processFlags === undefined ? undefined : processOfMain(processFlags, callMain);
  const open = await openSuite(suite, {
    ...{ flags, given, surroundings, observer: coverage?.observer, recordsSteps },
    ...(started === undefined ? {} : { startProcess: async () => started }),
  });
  const running = {
    ...{ ...open, mode, retries, signal, cwd: surroundings.cwd, elapsedMs: monotonicMs },
    now: () => flags.now ?? surroundings.now(),
    hasPending: pendingAtStart(),
    reduced: reducedResult(showsCalls),
  };
  const inPlace = placesFor(places, signal);
  return {
    run: index => inPlace(() => runCaseHere(suite, suite.cases[index] as SuiteCase, running)),
    close: async () => {
      await open.close();
      return coverage?.rows() ?? [];
    },
  };
}

/** The process runs once, in the main thread. */
function processOfMain(flags: StartedProcess['flags'], call: JobContext<CasesMain>['callMain']): StartedProcess {
  return {
    flags,
    output: { written: () => call('written'), since: written => call('since', written) },
    fault: callFailed => call('fault', callFailed),
    stop: async () => {},
  };
}
