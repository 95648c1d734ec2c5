import { kubectlLinesOf } from '../../../client/kubectl-lines.js';
import { stateAfter } from '../../../client/run/state-after.js';
import { messageOfBypass } from '../../../fuzz/bypass/report.js';
import type { Bypass } from '../../../fuzz/bypass/search.js';
import { type CallPipeline, type MadeCall, pipelineOf } from '../../../fuzz/pipeline/pipeline.js';
import { failureOf } from '../../../fuzz/run/failures.js';
import type { FuzzFinding } from '../../../fuzz/run/finding-log.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import { recordSteps } from '../../../kubernetes/call-steps.js';
import { newWrittenObjects } from '../../../kubernetes/written-objects.js';
import type { TracedEntry } from '../../../pages/trace-data.js';
import { tracePage } from '../../../pages/trace-page.js';
import { caseOutputWithoutSecrets } from '../../../suites/case-without-secrets.js';
import type { CaseCall } from '../../../suites/results.js';
import { monotonicMs } from '../../../transport/clock.js';
import { openPage } from '../../shell/open-report.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { tracedCall } from '../../work/calls/traced-calls.js';
import type { FuzzedWebhooks } from './fuzzed-webhooks.js';

/** What a search found. */
interface Found {
  readonly findings: readonly FuzzFinding[];
  readonly bypasses: readonly Bypass[];
}

interface FindingsPage extends Found {
  readonly webhooks: Pick<FuzzedWebhooks, 'scene' | 'recover' | 'lost'>;
  /** Calls are not made again then. */
  readonly isInterrupted: () => boolean;
  readonly seed: number;
  readonly toolVersion: string;
}

/** Shows the findings of a search in the browser. The calls of each are made once more, with their steps recorded. Throws CliError. */
export async function openFindings(
  { webhooks, seed, isInterrupted, toolVersion, ...found }: FindingsPage,
  surroundings: Surroundings,
): Promise<void> {
  const shown = shownOf(found);
  if (shown.length === 0) {
    surroundings.stderr.write('note: nothing was found: there is no page to open\n');
    return;
  }
  const pipeline = recordingPipeline(webhooks);
  const entries: TracedEntry[] = [];
  for (const one of shown) {
    const made: MadeCall[] = [];
    let before = freshState(pipeline);
    for (const call of one.made) {
      const isOver = isInterrupted() || webhooks.lost() !== undefined;
      const again = isOver ? undefined : await (one.isSequence ? pipeline.makeIn(call.input, before) : pipeline.make(call.input, seed));
      made.push(again ?? call);
      if (again === undefined) continue;
      before = stateAfter(before, again.call, again.report);
      // The call may have ended the webhook's process, which the calls of other findings need.
      await webhooks.recover(failureOf(again) ?? 'none');
    }
    entries.push(entryOf({ ...one, made }));
  }
  const title = `webhook-cli fuzz: ${shown.length === 1 ? '1 finding' : `${shown.length} findings`}`;
  await openPage(tracePage({ title, toolVersion, entries }), surroundings);
}

/** A finding with the calls that show it, in order. */
interface Shown {
  readonly check: string;
  readonly webhook: string;
  readonly message: string;
  readonly facts: string;
  readonly notes: readonly string[];
  readonly made: readonly MadeCall[];
  /** Each call sees what the calls before it wrote. */
  readonly isSequence: boolean;
}

function shownOf({ findings, bypasses }: Found): Shown[] {
  const ways = bypasses.map(bypass => ({
    ...{ check: 'bypass', webhook: bypass.webhook, message: messageOfBypass(bypass), made: bypass.made },
    facts: bypass.way.title,
    notes: [],
    isSequence: true,
  }));
  const bugs = findings.map(({ check, webhook, message, made, lines, count, isRepeatable }) => ({
    ...{ check, webhook, message, made: [made], notes: lines, isSequence: false },
    facts: `${count === 1 ? '1 call' : `${count} calls`}${isRepeatable ? '' : ', the same call did not show it again'}`,
  }));
  return [...ways, ...bugs];
}

function recordingPipeline({ scene }: Pick<FuzzedWebhooks, 'scene'>): CallPipeline {
  return pipelineOf(() => {
    const { effects, ...others } = scene();
    return { ...others, effects: (...given) => ({ ...effects(...given), steps: recordSteps(monotonicMs) }) };
  });
}

function freshState(pipeline: CallPipeline): ClusterState {
  return { ...pipeline.scene().state, written: newWrittenObjects() };
}

function entryOf({ check, webhook, message, facts, notes, made }: Shown): TracedEntry {
  const calls = made.map(callOf);
  const { failures } = caseOutputWithoutSecrets({ calls }, [
    { check, message: `${webhook} ${message}`.trim() },
    ...notes.map(line => ({ check: 'output', message: line })),
  ]);
  const [failure, ...lines] = failures;
  return {
    ...{ name: `${check}: ${webhook}`, outcome: 'failed', facts },
    failures: failure === undefined ? [] : [failure],
    notes: lines.map(line => line.message),
    calls: made.map((one, index) => tracedCall(calls[index] ?? callOf(one), one.call, one.state)),
  };
}

function callOf({ report, command, exchanges }: MadeCall): CaseCall {
  return { report, kubectl: kubectlLinesOf({ report, command }, { isOnlyFailure: true }), exchanges };
}
