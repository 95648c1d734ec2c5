import { planObjects } from '../../client/calls/plan.js';
import type { CliError } from '../../client/cli-error.js';
import type { Manifest } from '../../client/manifests/manifests.js';
import type { WriteFlags } from '../../client/options/call-options.js';
import { allowWithoutSending } from '../../client/run/allowing-webhook.js';
import { runOnlyStep } from '../../client/run/run-calls.js';
import { stateAfter } from '../../client/run/state-after.js';
import type { StepResult } from '../../client/run/step-result.js';
import { recordUnsentConversions } from '../../client/run/unsent-conversions.js';
import { copyOf, stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import { kindOf } from '../../kubernetes/storage.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { causesOf, type DiagnosticCause, messageCause } from './causes.js';

/** Side effects of calls: randomness and the clock. Nothing is sent. */
export interface AdmissionEffects {
  readonly effects: (callWebhook: CallWebhook) => Effects;
  readonly uid: () => string;
  readonly now: () => Date;
}

/** Answer of the API server to the creation of an object. */
export type Admission =
  | {
      readonly outcome: 'answered';
      readonly errors: readonly DiagnosticCause[];
      readonly warnings: readonly DiagnosticCause[];
      readonly state: ClusterState;
    }
  /** There is no such kind, or the object cannot be checked. */
  | { readonly outcome: 'unusable'; readonly error: CliError };

/**
 * Creates an object as `kubectl create` does, with webhooks off, in a state without it. Unknown fields are refused first; then the rest of the object
 * is checked without them, so that one typing error does not hide all others.
 */
export async function createObject(manifest: Manifest, state: ClusterState, using: AdmissionEffects): Promise<Admission> {
  const first = await createOnce(manifest, state, {}, using);
  if ('error' in first) return { outcome: 'unusable', error: first.error };
  const errors = errorsOf(first);
  if (!isStrictDecoding(first)) return { outcome: 'answered', errors, warnings: warningsOf(first), state: stateOf(first, state) };
  const second = await createOnce(manifest, state, { validate: 'ignore' }, using);
  if ('error' in second) return { outcome: 'answered', errors, warnings: [], state };
  return { outcome: 'answered', errors: [...errors, ...errorsOf(second)], warnings: warningsOf(second), state: stateOf(second, state) };
}

interface Made {
  readonly made: StepResult & { readonly outcome: 'answered' };
  /** What conversion webhooks would have made: with any, nobody knows the answer. */
  readonly unknownVersions: ReadonlySet<string>;
}

async function createOnce(
  manifest: Manifest,
  state: ClusterState,
  flags: Pick<WriteFlags, 'validate'>,
  { effects, uid, now }: AdmissionEffects,
): Promise<Made | { readonly error: CliError }> {
  const unknownVersions = new Set<string>();
  const own = { ...manifest, object: asNew(manifest.object) };
  const { steps } = planObjects(state, { manifests: [own], old: [] }, { flags, surroundings: { uid, now } });
  const [step] = steps;
  if (step === undefined) throw new Error('a manifest without a call');
  const result = await runOnlyStep(step, {
    state,
    callWebhook: allowWithoutSending,
    effects: callWebhook => ({ ...effects(recordUnsentConversions(callWebhook, unknownVersions)), unknownVersions }),
    notes: [],
    isIndependent: true,
  });
  if (result.outcome === 'unusable') return { error: result.error };
  if (result.outcome === 'skipped') throw new Error(result.reason);
  return { made: result, unknownVersions };
}

/** Calls may change the object. */
function asNew(object: ValueMap): ValueMap {
  const copy = copyOf(object);
  if (!(copy instanceof Map)) throw new Error('a manifest that is not an object');
  return copy;
}

function isStrictDecoding({ made }: Made): boolean {
  const { status } = made.report.report.decision;
  return stringAt(status, 'message').includes('strict decoding error: ') && stringAt(status, 'reason') === 'BadRequest';
}

function errorsOf({ made, unknownVersions }: Made): DiagnosticCause[] {
  const { allowed, status } = made.report.report.decision;
  return allowed || unknownVersions.size > 0 ? [] : causesOf(status);
}

function warningsOf({ made }: Made): DiagnosticCause[] {
  return made.report.report.decision.warnings.map(text => messageCause(text, 'Warning'));
}

/** Webhook configurations do not become part of the state: webhooks are off. */
function stateOf({ made, unknownVersions }: Made, state: ClusterState): ClusterState {
  const { planned } = made;
  const { report } = made.report;
  if (unknownVersions.size > 0 || report.decision.object === undefined || isWebhookConfiguration(report.decision.object)) return state;
  return stateAfter(state, planned.call, report);
}

/** Reports whether this is a webhook configuration. */
export function isWebhookConfiguration(object: ValueMap): boolean {
  return /^(?:Mutating|Validating)WebhookConfiguration$/.test(kindOf(object).kind);
}
