import { requestInfoOf } from '../../../apiserver/call/request-info.js';
import { resourceNamed, servedBy } from '../../../apiserver/call/served-resources.js';
import type { Report } from '../../../apiserver/report/report.js';
import type { CallPlan } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import { readAsNeeded } from '../../../client/run/read-as-needed.js';
import { answerWithEffects, type CheckedFindings } from '../../../client/run/run-calls.js';
import { dryRunOf } from '../../../cluster/dry-run/dry-run-call.js';
import { findUnservedReason, reviewOwnUser, sendDryRun } from '../../../cluster/dry-run/send-dry-run.js';
import { writeValue } from '../../../go/json/write.js';
import type { ApiCall, ClusterState, RequestedUser } from '../../../kubernetes/api-call.js';
import type { Effects } from '../../../kubernetes/effects.js';
import { storageOf } from '../../../kubernetes/storage.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import { answerDifferences } from '../../../suites/checks/cluster-answers.js';
import { webhooksAtFault } from '../../../suites/checks/webhook-at-fault.js';
import type { ClusterFlags } from './cluster-flags.js';
import { type ClusterSurroundings, openCluster } from './open-cluster.js';

/** Comparison of calls with the answers of their cluster. */
export interface AgainstCluster {
  /** Returns calls with the user of the kubeconfig, unless the flags specify a user. */
  readonly ofOwnUser: (plan: CallPlan) => CallPlan;
  /** Makes a call as a dry run, here and in the cluster, and returns the differences. Throws CliError for calls that cannot be dry runs. */
  readonly check: (made: Made, state: ClusterState, calling: Calling) => Promise<CheckedFindings>;
}

interface Made {
  readonly planned: { readonly call: ApiCall; readonly captured?: unknown };
  readonly report: Report;
}

interface Calling {
  readonly callWebhook: CallWebhook;
  readonly effects: (callWebhook: CallWebhook, state: ClusterState) => Effects;
}

/** Opens the cluster of the flags for comparisons. Rejects with CliError when it does not answer. */
export async function openAgainstCluster(flags: ClusterFlags, surroundings: ClusterSurroundings): Promise<AgainstCluster> {
  const { client } = openCluster(flags, surroundings);
  const own = await reviewOwnUser(client);
  return {
    ofOwnUser: plan => ({ ...plan, steps: plan.steps.map(step => ({ plan: async state => madeBy(await step.plan(state), own) })) }),
    check: async ({ planned: { call, captured }, report }, state, { callWebhook, effects }) => {
      if (captured !== undefined) throw noDryRun(call, 'a captured review does not tell the request that it was made for');
      const dryRun = dryRunOf(call);
      if ('reason' in dryRun) throw noDryRun(call, dryRun.reason);
      const reason = await findUnservedReason(client, call, state);
      if (reason !== undefined) throw noDryRun(call, reason);
      const isSame = dryRun.call.path === call.path && dryRun.call.body === call.body;
      const mine = isSame ? report : await answerWithEffects(dryRun.call, state, () => effects(callWebhook, state));
      const theirs = await sendDryRun(client, dryRun.call, call.user === undefined || call.user === own ? 'own' : call.user);
      const given = await readAsNeeded(state.source, () => givenTo(call, state));
      const differences = answerDifferences({ mine: mine.answer, theirs, given, webhooks: webhooksAtFault(mine.webhooks) });
      if (differences.length === 0) return { findings: [], notes: ['the cluster agrees'] };
      return { findings: differences.map(difference => ({ check: 'cluster', ...difference })), notes: [] };
    },
  };
}

type Planned = Awaited<ReturnType<CallPlan['steps'][number]['plan']>>;

function madeBy(planned: Planned, own: RequestedUser): Planned {
  if ('skipped' in planned || planned.call.user !== undefined) return planned;
  return { ...planned, call: { ...planned.call, user: own } };
}

function noDryRun({ method, path }: ApiCall, reason: string): CliError {
  return new CliError('usage', `${method} ${path.split('?', 1)[0]} cannot be compared with the cluster: ${reason}`, {
    suggestions: ['omit --against-cluster for this call'],
  });
}

/** Text of all inputs of an answer: the request and the stored object. */
function givenTo({ path, body }: ApiCall, state: ClusterState): string {
  const info = requestInfoOf(path);
  if (info.type === 'other') return '';
  const resource = resourceNamed(servedBy(state), info);
  const namespace = resource?.namespaced === true ? info.namespace : '';
  const stored = resource === undefined || info.name === '' ? undefined : storageOf(state).find(resource.kind, namespace, info.name);
  return `${Buffer.from(body ?? []).toString('utf8')}\n${stored === undefined ? '' : writeValue(stored, 'kept')}`;
}
