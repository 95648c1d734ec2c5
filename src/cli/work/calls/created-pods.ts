import { resourceOfKind, servedBy } from '../../../apiserver/call/served-resources.js';
import { collectionPath } from '../../../client/calls/call-path.js';
import type { CallStep, SkippedStep } from '../../../client/calls/call-step.js';
import type { CallPlan } from '../../../client/calls/plan.js';
import { bodyOfPlanned, type PlannedCall } from '../../../client/calls/planned-call.js';
import { CliError } from '../../../client/cli-error.js';
import type { ApiCallFlags, InputFlags, PodOptions, ReproducingFlags } from '../../../client/options/call-options.js';
import { flagName } from '../../../client/options/option-names.js';
import { answerWithEffects } from '../../../client/run/run-calls.js';
import { createdBy, isWorkload } from '../../../controllers/created-by.js';
import type { CreatedObject } from '../../../controllers/created-object.js';
import { stringAt, type ValueMap } from '../../../go/value.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { Effects } from '../../../kubernetes/effects.js';
import { kindOf } from '../../../kubernetes/storage.js';
import { effectsFor } from '../../shell/effects.js';
import type { Surroundings } from '../../shell/surroundings.js';
import type { ReadStateFlags } from '../input/state.js';
import { isConfiguration } from '../webhooks/configurations.js';
import { withoutCaptured } from './captured-review.js';
import { type PlanningFlags, planCalls, planCallsIn } from './plan-calls.js';

/** Options that do not apply to calls made by controllers. */
const foreignFlags = ['call', 'old', 'subresource', 'as', 'asUid', 'asGroup', 'asUserExtra', 'dryRun', 'fieldManager'] as const;

type ForeignFlags = Pick<ApiCallFlags & InputFlags, (typeof foreignFlags)[number] | 'operation'>;

/** Plans the calls of the flags, or with `--created-pods` those of controllers. Throws CliError. */
export function planOf(flags: PlanningFlags & ReadStateFlags & PodOptions, surroundings: Surroundings): Promise<CallPlan> {
  const plan = (): Promise<CallPlan> => planCalls(flags, surroundings);
  return flags.createdPods === true ? planCreatedPods(flags, surroundings, plan) : plan();
}

/** Plans the calls of controllers in a given state. Throws CliError. */
export function planCreatedPodsIn(state: ClusterState, flags: PlanningFlags, surroundings: Surroundings): Promise<CallPlan> {
  return planCreatedPods(flags, surroundings, () => planCallsIn(state, flags, surroundings));
}

/**
 * Plans the calls with which controllers create the pods of the workloads in the manifests. Each workload, and each object between it and
 * its pods, is first created without webhooks. Steps of other manifests are skipped.
 */
async function planCreatedPods(
  flags: ForeignFlags & ReproducingFlags,
  surroundings: Surroundings,
  planWorkloads: () => Promise<CallPlan>,
): Promise<CallPlan> {
  refuseForeignFlags(flags);
  const plan = await planWorkloads();
  const steps = plan.steps.map(
    (step): CallStep => ({
      plan: async state => {
        const workload = await withoutCaptured(step).plan(state);
        return 'skipped' in workload ? workload : planPod(workload, clusterOf(state, flags, surroundings));
      },
    }),
  );
  return { ...plan, steps };
}

function refuseForeignFlags(flags: ForeignFlags): void {
  if ((flags.operation ?? 'create') !== 'create')
    throw new CliError('usage', `controllers create pods: --created-pods cannot be used with --operation ${flags.operation}`);
  const foreign = foreignFlags.find(name => flags[name] !== undefined);
  if (foreign !== undefined)
    throw new CliError('usage', `the controller makes the call: --created-pods cannot be used with --${flagName(foreign)}`);
}

/** A cluster without webhooks, for the calls before the pod is created. */
interface Cluster {
  readonly state: ClusterState;
  readonly effects: Effects;
}

function clusterOf(state: ClusterState, { seed, now }: ReproducingFlags, surroundings: Surroundings): Cluster {
  // A separate seed, because uids of owners must differ from those of the pods.
  const fixed = { seed: seed === undefined ? undefined : (seed + 1) % 2 ** 32, now: now ?? surroundings.now() };
  const nobody = () => Promise.reject(new Error('no webhook is called for a workload'));
  return { state: { ...state, objects: state.objects.filter(object => !isConfiguration(object)) }, effects: effectsFor(nobody, fixed) };
}

/** Returns the call that creates the workload's pod, or why there is none. */
async function planPod({ call, command }: PlannedCall, cluster: Cluster): Promise<PlannedCall | SkippedStep> {
  const { source = '', kind, name = '' } = command ?? {};
  const workload = `${kind?.kind} ${name}`;
  const location = { file: source };
  let owner = await storeWorkload(call, cluster, { workload, location });
  if (!isWorkload(owner)) return { skipped: `${source}: ${workload} creates no pods; skipped` };
  const notes = [
    `the pod of ${workload} is created from the workload as stored without webhooks: changes by webhooks to the workload are not in the pod`,
    'in a cluster, the user of the controller also has a uid, that of its service account',
  ];
  for (;;) {
    const created = createdOrRefused(owner, cluster, { workload, location });
    if (created === undefined) return { skipped: `${source}: ${workload} requests no pods; skipped` };
    notes.push(...created.notes);
    const made = callOf(created, cluster.state);
    if (kindOf(created.object).kind === 'Pod') return { call: made, command: undefined, notes };
    owner = await storeWorkload(made, cluster, { workload, location });
  }
}

interface About {
  readonly workload: string;
  readonly location: { readonly file: string };
}

/** Returns the object of a call as the API server stores it. */
async function storeWorkload(call: ApiCall, { state, effects }: Cluster, { workload, location }: About): Promise<ValueMap> {
  const { decision } = await answerWithEffects(call, state, () => effects);
  if (decision.object !== undefined) return decision.object;
  const message = stringAt(decision.status, 'message') || `the response has status ${decision.code}`;
  throw new CliError('invalid-manifest', `the API server does not store ${workload}: ${message}`, { location });
}

function createdOrRefused(owner: ValueMap, { state, effects }: Cluster, { workload, location }: About): CreatedObject | undefined {
  try {
    return createdBy(owner, { state, now: effects.now() });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = `the hash of the pod template of ${workload} is not reproduced: ${error.message}`;
    throw new CliError('not-there-yet', message, { location, cause: error });
  }
}

/** Returns the User-Agent of the controller manager; the part before the slash is its field manager. */
function userAgent({ release }: ApiServer): string {
  return `kube-controller-manager/${release} (linux/amd64) kubernetes/0000000/system:serviceaccount:kube-system:`;
}

function callOf({ controller, object }: CreatedObject, state: ClusterState): ApiCall {
  const kind = kindOf(object);
  const resource = resourceOfKind(servedBy(state), kind);
  if (resource === undefined) throw new Error(`no resource for ${kind.kind}`);
  const namespace = stringAt(object, 'metadata', 'namespace');
  return {
    method: 'POST',
    path: collectionPath({ server: state.server, ...resource, parentKind: resource.kind, namespace, name: '', subresource: '' }),
    contentType: 'application/json',
    body: bodyOfPlanned(object),
    userAgent: userAgent(state.server) + controller,
    user: { username: `system:serviceaccount:kube-system:${controller}` },
  };
}
