import type { Report } from '../../apiserver/report/report.js';
import { stringAt } from '../../go/value.js';
import type { CheckedCall, CheckFinding, CheckResult } from './checked-call.js';
import { firstFew } from './differences.js';
import { changesObject, denialOf, operationWords } from './entries.js';
import { mutatingWebhooksOf, withMutatingWebhooks } from './repeated-webhooks.js';

const check = 'reinvocation';

/** The first round, the API server's reinvocation, and one more: by then every webhook has seen the changes of the others. */
const rounds = [1, 2, 3];

/**
 * Calls all mutating webhooks again after the last one, as the API server does with `reinvocationPolicy: IfNeeded`. A webhook may add
 * something in the second round in reaction to a later webhook's change; it must not refuse then, or change the object in every round.
 */
export async function checkReinvocation({ call, state, again }: CheckedCall): Promise<CheckResult> {
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
