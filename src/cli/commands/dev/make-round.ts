import { textWithoutSecrets } from '../../../redaction/text-secrets.js';
import { caseOutputWithoutSecrets } from '../../../suites/case-without-secrets.js';
import { hasExpectations } from '../../../suites/evidence/untested.js';
import { CaseFault, CaseSkip } from '../../../suites/faults.js';
import { runCase } from '../../../suites/run/run-case.js';
import type { OpenSuite } from '../../../suites/run/run-suites.js';
import type { Suite, SuiteCase } from '../../../suites/suite.js';
import { monotonicMs } from '../../../transport/clock.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { openSuite, type SuiteContext } from '../../work/suites/open-suite.js';
import type { KeptProcesses } from './kept-processes.js';
import { type MadeCase, type ShownCall, shownCalls } from './shown-calls.js';

/** What a round needs besides its suites. */
export interface RoundMaking {
  readonly context: Omit<SuiteContext, 'startProcess'>;
  readonly processes: KeptProcesses;
  readonly signal: AbortSignal;
  /** Called with every case. */
  readonly onCase?: ((made: MadeCase) => void) | undefined;
}

/** Makes the calls of a suite. A webhook that cannot be started or a suite that cannot be opened counts as a failed call. */
export async function makeRound(suite: Suite, making: RoundMaking): Promise<ShownCall[]> {
  const { context, processes, signal } = making;
  try {
    const open = await openSuite(suite, { ...context, startProcess: processes.startOf(suite) });
    try {
      const shown: ShownCall[] = [];
      for (const suiteCase of suite.cases) {
        if (signal.aborted) break;
        if (suiteCase.skip !== undefined) continue;
        const made = madeWithoutSecrets(await makeCase(suite, suiteCase, open, making));
        making.onCase?.(made);
        shown.push(...shownCalls(made));
      }
      return shown;
    } finally {
      await open.close();
    }
  } catch (error) {
    if (!(error instanceof CaseFault)) throw error;
    const lines = textWithoutSecrets(error.failure.message).split('\n');
    return [
      { key: suite.file, title: suite.name, isFailure: true, decision: 'not started', lines, object: '', changes: [], isStart: true },
    ];
  }
}

/** What is shown is redacted as in the reports of `test`: equal secrets stay equal. */
function madeWithoutSecrets(made: MadeCase): MadeCase {
  const { calls, failures } = caseOutputWithoutSecrets(made.output, made.failures);
  return { ...made, output: { ...made.output, calls }, failures };
}

async function makeCase(suite: Suite, suiteCase: SuiteCase, open: OpenSuite, { context, signal }: RoundMaking): Promise<MadeCase> {
  const { surroundings } = context;
  // Snapshots are for `test`: `dev` compares every round with the previous one.
  const own = { ...suiteCase, snapshot: undefined };
  const from = surroundings.now();
  const isJudged = hasExpectations(own);
  const made = isJudged ? await judgeCase(suite, own, open, { surroundings, signal }) : await makeWithoutJudging(own, open);
  return { suite, suiteCase, isJudged, period: { from, to: surroundings.now() }, ...made };
}

async function judgeCase(
  suite: Suite,
  suiteCase: SuiteCase,
  open: OpenSuite,
  { surroundings, signal }: { readonly surroundings: Surroundings; readonly signal: AbortSignal },
): Promise<Pick<MadeCase, 'output' | 'failures'>> {
  const { now, cwd } = surroundings;
  const result = await runCase(suite, suiteCase, {
    ...open,
    mode: 'check',
    hasPending: () => false,
    retries: 0,
    now,
    elapsedMs: monotonicMs,
    cwd,
    signal,
  });
  return { output: result, failures: result.failures };
}

async function makeWithoutJudging(suiteCase: SuiteCase, open: OpenSuite): Promise<Pick<MadeCase, 'output' | 'failures'>> {
  try {
    return { output: await open.make(suiteCase), failures: [] };
  } catch (error) {
    if (error instanceof CaseFault) return { output: error.output, failures: [error.failure] };
    if (error instanceof CaseSkip) return { output: { calls: [] }, failures: [] };
    throw error;
  }
}
