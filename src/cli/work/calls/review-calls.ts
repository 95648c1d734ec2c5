import { definitionsOf } from '../../../apiserver/call/definitions.js';
import type { CallPlan } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import type { ChosenChecks } from '../../../client/options/call-checks.js';
import type { ApiCallFlags, ReproducingFlags } from '../../../client/options/call-options.js';
import type { CallReport } from '../../../client/run/call-report.js';
import { type CallSurroundings, collectReports } from '../../../client/run/run-calls.js';
import type { StepResult } from '../../../client/run/step-result.js';
import { withUncalledFindings } from '../../../client/run/uncalled.js';
import { listAt, stringAt, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import type { Transport } from '../../../transport/call-webhook.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readComparison } from '../checks/comparison.js';
import type { AgainstCluster } from '../cluster/against-cluster.js';
import type { ClusterFlags } from '../cluster/cluster-flags.js';
import type { ClusterSurroundings } from '../cluster/open-cluster.js';
import { connectionNotes } from '../webhooks/cluster-webhooks.js';
import { type ConnectionFlags, openTransport } from '../webhooks/connection.js';
import type { ForwardFlags } from '../webhooks/forwarding.js';
import { type OpenWebhooksFlags, openWebhooks } from '../webhooks/open-webhooks.js';
import { makePlannedSteps } from './make-planned.js';

/** How planned calls are made, and with which webhooks. */
export type ReviewingFlags = OpenWebhooksFlags &
  ConnectionFlags &
  ForwardFlags &
  ReproducingFlags &
  Pick<ApiCallFlags, 'independent'> & {
    /** Measures the steps of the calls. */ readonly recordsSteps?: boolean | undefined;
    /** Keeps what existed before so many first calls. */ readonly keptStates?: number | undefined;
    readonly check?: ChosenChecks | undefined;
    readonly compare?: string | undefined;
    readonly requireCalled?: boolean | undefined;
  };

/** The environment of a review. `callWebhook` answers reviews instead of the network. */
export type ReviewSurroundings = Pick<Surroundings, 'cwd' | 'now' | 'random' | 'stdin' | 'uid'> & {
  readonly callWebhook?: CallWebhook | undefined;
  /** Numbers of the calls to make; all by default. */
  readonly part?: CallSurroundings['part'];
};

/** Makes planned calls with the webhooks of the flags, or of the plan's state. Throws CliError for a step that cannot be used. */
export async function reviewCalls(plan: CallPlan, flags: ReviewingFlags, surroundings: ReviewSurroundings): Promise<CallReport[]> {
  return collectReports(reviewResults(plan, flags, surroundings));
}

/** Makes the same calls, and continues after steps that cannot be used. Results come in order, as soon as they are final. */
export async function* reviewResults(plan: CallPlan, flags: ReviewingFlags, surroundings: ReviewSurroundings): AsyncGenerator<StepResult> {
  const createsWebhooks = plan.createsWebhooks === true && flags.independent !== true;
  const webhooks = await openWebhooks({ ...flags, createsWebhooks }, surroundings);
  try {
    const against = flags.againstCluster === true ? await openComparedCluster(flags, surroundings) : undefined;
    const state = webhooks.registeredIn(plan.state);
    await webhooks.checkConfigurations(state);
    const dry = flags.reviewsAreDryRuns === true ? await planDryReviews(plan) : plan;
    const planned = against?.ofOwnUser(dry) ?? dry;
    const calls = makeCallsWith({ ...planned, state }, flags, { surroundings, registeredIn: webhooks.registeredIn, against });
    const results = definitionsOf(state).some(convertsByRenaming) ? addLostFields(calls, state) : calls;
    yield* flags.requireCalled === true ? addUncalledFindings(results) : results;
  } finally {
    await webhooks.close();
  }
}

async function* addUncalledFindings(results: AsyncIterable<StepResult>): AsyncGenerator<StepResult> {
  for await (const result of results)
    yield result.outcome === 'answered' ? { ...result, report: withUncalledFindings(result.report) } : result;
}

function convertsByRenaming(definition: ValueMap): boolean {
  return listAt(definition, 'spec', 'versions').length > 1 && stringAt(definition, 'spec', 'conversion', 'strategy') !== 'Webhook';
}

/** A snapshot or a diff shows the object as it was sent, and not what a client of another version reads. */
async function* addLostFields(results: AsyncIterable<StepResult>, state: ClusterState): AsyncGenerator<StepResult> {
  const { fieldsLostInVersions } = await import('../conversions/lost-fields.js');
  for await (const result of results) {
    const object = result.outcome === 'answered' ? result.report.report.decision.object : undefined;
    if (result.outcome !== 'answered' || object === undefined) yield result;
    else {
      const { report } = result.report;
      const lost = await fieldsLostInVersions(state, object);
      yield lost.length === 0
        ? result
        : { ...result, report: { ...result.report, report: { ...report, notes: [...report.notes, ...lost] } } };
    }
  }
}

async function planDryReviews(plan: CallPlan): Promise<CallPlan> {
  const { withDryReviews } = await import('../webhooks/forwarding.js');
  return withDryReviews(plan);
}

type ComparedFlags = ClusterFlags & Pick<OpenWebhooksFlags, 'url' | 'demo'>;

/** Throws CliError for flags that describe a webhook which the cluster does not have. */
async function openComparedCluster(flags: ComparedFlags, surroundings: ClusterSurroundings): Promise<AgainstCluster> {
  const own = flags.url !== undefined ? '--url' : flags.demo === true ? '--demo' : undefined;
  if (own !== undefined)
    throw new CliError('usage', `--against-cluster compares with the webhooks of the cluster: it cannot be used with ${own}`, {
      suggestions: [`leave out ${own}`],
    });
  const { openAgainstCluster } = await import('../cluster/against-cluster.js');
  return openAgainstCluster(flags, surroundings);
}

interface Calling {
  readonly against: AgainstCluster | undefined;
  readonly surroundings: ReviewSurroundings;
  readonly registeredIn: (state: ClusterState) => ClusterState;
}

async function transportFor(flags: Pick<ReviewingFlags, 'callsDemoDirectly'>, open: () => Promise<Transport>): Promise<Transport> {
  if (flags.callsDemoDirectly !== true) return open();
  const { withDirectDemo } = await import('../webhooks/direct-demo.js');
  return withDirectDemo(open);
}

async function* makeCallsWith(
  plan: CallPlan,
  flags: ReviewingFlags,
  { surroundings, registeredIn, against }: Calling,
): AsyncGenerator<StepResult> {
  const { callWebhook } = surroundings;
  // The API server keeps its connections between calls; the demo webhook is called in both phases.
  const keepConnections = plan.steps.length > 1 || surroundings.part !== undefined || flags.demo === true;
  const open = () => openTransport(flags, surroundings, { keepConnections });
  const transport = callWebhook === undefined ? await transportFor(flags, open) : { callWebhook, close: async () => {} };
  try {
    yield* makePlannedSteps(plan, {
      callWebhook: transport.callWebhook,
      services: flags.service ?? [],
      reviewsAreDryRuns: flags.reviewsAreDryRuns,
      checks: flags.check?.names ?? [],
      compare: await readComparison(flags, surroundings),
      fixed: flags,
      notes: connectionNotes(flags),
      surroundings,
      // The cluster does not keep what dry runs would write.
      isIndependent: flags.independent === true || against !== undefined,
      against,
      registeredIn,
      part: surroundings.part,
      recordsSteps: flags.recordsSteps,
      keptStates: flags.keptStates,
    });
  } finally {
    await transport.close();
  }
}
