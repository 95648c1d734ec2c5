import type { Report } from '../../apiserver/report.js';
import { stringAt } from '../../go/value.js';
import type { CheckedCall, CheckFinding, CheckResult } from './check.js';
import { firstFew } from './differences.js';
import { changesObject, denialOf, operationWords } from './entries.js';
import { mutatingWebhooksOf, withMutatingWebhooks } from './repeated-webhooks.js';

const check = 'reinvocation';

/** The first round, the API server's second one, and one more: by then every webhook has seen what the others do. */
const rounds = [1, 2, 3];

/**
 * Calls all mutating webhooks again after all of them, as the API server does with `reinvocationPolicy: IfNeeded`. To add something in the
 * second round, about what a later webhook put there, is what that round is for; to refuse then, or never to come to rest, is not.
 */
export async function checkReinvocation({ call, state, again }: CheckedCall): Promise<CheckResult> {
  const names = mutatingWebhooksOf(state).map(({ entry }) => stringAt(entry, 'name'));
  if (names.length === 0) return { findings: [], notes: ['there is no mutating webhook'] };
  const asked = rounds.flatMap(round => mutatingWebhooksOf(state).map(({ entry }, i) => ({ name: nameIn(round, i), entry })));
  const report = await again(call, withMutatingWebhooks(state, asked));
  const findings = names.flatMap((webhook, i) => findingOf(webhook, i, report));
  const policies = 'every webhook was called again, whatever its reinvocationPolicy says';
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
    const words = later.outcome === 'denied' ? denialOf(later) : (later.failure?.message ?? 'no reason given');
    return [{ check, webhook, message: `does not take what the webhooks made of the object when it is called again: ${words}` }];
  }
  if (third === undefined || !changesObject(third)) return [];
  return [{ check, webhook, message: `changes the object each time it is called again: ${firstFew(operationWords(third))}` }];
}
