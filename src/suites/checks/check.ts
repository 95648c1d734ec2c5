import type { Report } from '../../apiserver/report/report.js';
import { type CallCheckName, callChecks } from '../../client/options/list-values.js';
import { stringAt } from '../../go/value.js';
import type { CheckedCall, CheckFinding, CheckResult } from './checked-call.js';
import { firstFew } from './differences.js';
import { changesObject, denialOf, operationWords } from './entries.js';
import { checkFinalizers } from './finalizers.js';
import { checkIdempotence } from './idempotence.js';
import { mutatingWebhooksOf, withMutatingWebhooks } from './repeated-webhooks.js';
import { checkSideEffects } from './side-effects.js';
import { checkUnknownFields } from './unknown-fields.js';
import { checkOrder } from './webhook-order.js';

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

const check = 'reinvocation';

/** The first round, the API server's reinvocation, and one more: by then every webhook has seen the changes of the others. */
const rounds = [1, 2, 3];

/**
 * Calls all mutating webhooks again after the last one, as the API server does with `reinvocationPolicy: IfNeeded`. A webhook may add
 * something in the second round in reaction to a later webhook's change; it must not refuse then, or change the object in every round.
 */
async function checkReinvocation({ call, state, again }: CheckedCall): Promise<CheckResult> {
  const names = mutatingWebhooksOf(state).map(({ entry }) => stringAt(entry, 'name'));
  if (names.length === 0) return { findings: [], notes: ['there is no mutating webhook'] };
  const asked = rounds.flatMap(round => mutatingWebhooksOf(state).map(({ entry }, i) => ({ name: nameIn(round, i), entry })));
  const report = await again(call, withMutatingWebhooks(state, asked));
  const findings = names.flatMap((webhook, i) => findingOf(webhook, i, report));
  const policies = 'every webhook was called again, regardless of its reinvocationPolicy';
  return { findings, notes: [policies] };
}

function nameIn(round: number, index: number): string {
  return `round-${round}-${index}.check`;
}

function findingOf(webhook: string, index: number, { webhooks }: Report): CheckFinding[] {
  const [first, second, third] = rounds.map(round => webhooks.find(entry => entry.webhook === nameIn(round, index)));
  if (first?.outcome !== 'allowed') return [];
  for (const later of [second, third]) {
    if (later === undefined || later.outcome === 'allowed' || later.outcome === 'skipped') continue;
    const message = later.outcome === 'denied' ? denialOf(later) : (later.failure?.message ?? 'no reason given');
    return [{ check, webhook, message: `refuses the object with the changes of all webhooks when it is called again: ${message}` }];
  }
  if (third === undefined || !changesObject(third)) return [];
  return [{ check, webhook, message: `changes the object each time it is called again: ${firstFew(operationWords(third))}` }];
}
