import { type CallCheckName, callChecks } from '../../client/options/list-values.js';
import type { CheckedCall, CheckFinding, CheckResult } from './checked-call.js';
import { checkFinalizers } from './finalizers.js';
import { checkIdempotence } from './idempotent.js';
import { checkOrder } from './order.js';
import { checkReinvocation } from './reinvocation.js';
import { checkSideEffects } from './side-effects.js';
import { checkUnknownFields } from './unknown-fields.js';

const checks = {
  'side-effects': checkSideEffects,
  idempotent: checkIdempotence,
  reinvocation: checkReinvocation,
  'unknown-fields': checkUnknownFields,
  order: checkOrder,
  finalizers: checkFinalizers,
} satisfies Record<CallCheckName, (checked: CheckedCall) => Promise<CheckResult>>;

export type CheckName = CallCheckName;

/** In the order of execution. */
export const caseCheckNames = callChecks;

/** Reports whether this is the name of a check. */
export function isCheckName(name: string): name is CheckName {
  return Object.hasOwn(checks, name);
}

/** Runs the named checks after a call, sequentially: a webhook never gets concurrent requests. */
export async function runChecks(names: readonly CheckName[], checked: CheckedCall): Promise<CheckResult> {
  const findings: CheckFinding[] = [];
  const notes: string[] = [];
  for (const name of caseCheckNames.filter(known => names.includes(known))) {
    const result = await checks[name](checked);
    findings.push(...result.findings);
    notes.push(...result.notes.map(note => `${name}: ${note}`));
  }
  return { findings, notes };
}
