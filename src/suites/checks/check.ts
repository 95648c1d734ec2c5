import type { Report } from '../../apiserver/report.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { CallWebhook, WebhookAnswer, WebhookCall } from '../../kubernetes/webhook-call.js';
import { checkIdempotence } from './idempotence.js';
import { checkReinvocation } from './reinvocation.js';
import { checkSideEffects } from './side-effects.js';
import { checkUnknownFields } from './unknown-fields.js';
import { checkOrder } from './webhook-order.js';

/** A call that was made, and the means to ask its webhooks further questions. */
export interface CheckedCall {
  readonly call: ApiCall;
  readonly state: ClusterState;
  readonly report: Report;
  /** In the order they were sent. */
  readonly exchanges: readonly { readonly call: WebhookCall; readonly answer: WebhookAnswer }[];
  /** Makes a call in a cluster, with the ids, the clock and the chance that the call itself had: only what is asked differs. */
  readonly again: (call: ApiCall, state: ClusterState) => Promise<Report>;
  /** Sends one review. */
  readonly send: CallWebhook;
}

/** What a further question brought to light. The message goes on where the webhook's name ends. */
export interface CheckFinding {
  readonly check: string;
  readonly webhook: string;
  readonly message: string;
}

export interface CheckResult {
  readonly findings: readonly CheckFinding[];
  /** What was asked, and what no question from outside can tell. */
  readonly notes: readonly string[];
}

const checks = {
  'side-effects': checkSideEffects,
  idempotent: checkIdempotence,
  reinvocation: checkReinvocation,
  'unknown-fields': checkUnknownFields,
  order: checkOrder,
} satisfies Record<string, (checked: CheckedCall) => Promise<CheckResult>>;

export type CheckName = keyof typeof checks;

/** In the order they are run. */
export const checkNames = Object.keys(checks) as readonly CheckName[];

/** Is this the name of a check? */
export function isCheckName(name: string): name is CheckName {
  return Object.hasOwn(checks, name);
}

/** Runs the named checks after a call, one after another: a webhook is never asked two things at once. */
export async function runChecks(names: readonly CheckName[], checked: CheckedCall): Promise<CheckResult> {
  const findings: CheckFinding[] = [];
  const notes: string[] = [];
  for (const name of checkNames.filter(known => names.includes(known))) {
    const result = await checks[name](checked);
    findings.push(...result.findings);
    notes.push(...result.notes.map(note => `${name}: ${note}`));
  }
  return { findings, notes };
}
