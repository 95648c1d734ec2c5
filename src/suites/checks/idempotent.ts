import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { Report } from '../../apiserver/report/report.js';
import { stringAt } from '../../go/value.js';

import type { CheckedCall, CheckFinding, CheckResult } from './checked-call.js';
import { firstFew } from './differences.js';
import { changesObject, denialOf, operationWords } from './entries.js';
import { mutatingWebhooksOf, type Registered, withMutatingWebhooks } from './repeated-webhooks.js';

const check = 'idempotent';

/** Calls every mutating webhook again with its own result, directly after its answer: it must not change anything. */
export async function checkIdempotence({ call, state, again }: CheckedCall): Promise<CheckResult> {
  const webhooks = mutatingWebhooksOf(state);
  if (webhooks.length === 0) return { findings: [], notes: ['there is no mutating webhook'] };
  const asked = webhooks.flatMap(({ entry }, i) => [
    { name: `first-${i}.check`, entry },
    { name: `second-${i}.check`, entry },
  ]);
  const report = await again(call, withMutatingWebhooks(state, asked));
  const checked = webhooks.map((webhook, i) => checkWebhook(webhook, report, i));
  return {
    findings: checked.flatMap(({ finding }) => finding ?? []),
    notes: [...checked.flatMap(({ note }) => note ?? []), 'checked for this object only: the webhook may treat another one differently'],
  };
}

interface CheckedWebhook {
  readonly finding?: CheckFinding;
  readonly note?: string;
}

function checkWebhook({ entry }: Registered, { webhooks }: Report, index: number): CheckedWebhook {
  const webhook = stringAt(entry, 'name');
  const first = webhooks.find(({ webhook: name }) => name === `first-${index}.check`);
  const second = webhooks.find(({ webhook: name }) => name === `second-${index}.check`);
  if (first?.outcome === 'skipped') return {};
  if (first?.outcome !== 'allowed') return { note: `${webhook} returned no result to check` };
  if (second === undefined) return { note: `${webhook} could not be called again` };
  if (second.outcome === 'skipped') return {};
  const message = problemWith(second);
  return message === undefined ? {} : { finding: { check, webhook, message } };
}

function problemWith(second: WebhookReport): string | undefined {
  if (second.outcome === 'denied') return `refuses its own result: ${denialOf(second)}`;
  if (second.outcome !== 'allowed') return `fails when it is called with its own result: ${second.failure?.message ?? 'no reason given'}`;
  return changesObject(second) ? `changes its own result again: ${firstFew(operationWords(second))}` : undefined;
}
