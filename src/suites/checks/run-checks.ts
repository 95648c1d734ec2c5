import { type CheckName, callCheckNames } from '../../client/options/call-checks.js';
import { checkFunctions } from './check-functions.js';
import type { CheckedCall, CheckFinding, CheckResult } from './checked-call.js';

/** Runs the named checks after a call, sequentially: a webhook never gets concurrent requests. */
export async function runChecks(names: readonly CheckName[], checked: CheckedCall): Promise<CheckResult> {
  const findings: CheckFinding[] = [];
  const notes: string[] = [];
  for (const name of callCheckNames.filter(known => names.includes(known))) {
    const result = await checkFunctions[name](checked);
    findings.push(...result.findings);
    notes.push(...result.notes.map(note => `${name}: ${note}`));
  }
  return { findings, notes };
}
