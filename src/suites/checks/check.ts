import type { CheckedCall, CheckFinding, CheckResult } from './checked-call.js';
import { checkIdempotence } from './idempotence.js';
import { checkReinvocation } from './reinvocation.js';
import { checkSideEffects } from './side-effects.js';
import { checkUnknownFields } from './unknown-fields.js';
import { checkOrder } from './webhook-order.js';

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
