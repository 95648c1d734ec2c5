import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { Report } from '../../apiserver/report.js';
import { stringAt } from '../../go/value.js';
import type { CheckedCall, CheckFinding, CheckResult } from './check.js';
import { firstFew } from './differences.js';
import { changesObject, denialOf, operationWords } from './entries.js';
import { mutatingWebhooksOf, type Registered, withMutatingWebhooks } from './repeated-webhooks.js';

const check = 'idempotent';

/** Asks every mutating webhook about its own result, right after its answer: there must be nothing left to change. */
export async function checkIdempotence({ call, state, again }: CheckedCall): Promise<CheckResult> {
  const webhooks = mutatingWebhooksOf(state);
  if (webhooks.length === 0) return { findings: [], notes: ['there is no mutating webhook'] };
  const asked = webhooks.flatMap(({ entry }, i) => [
    { name: `first-${i}.check`, entry },
    { name: `second-${i}.check`, entry },
  ]);
  const report = await again(call, withMutatingWebhooks(state, asked));
  const judged = webhooks.map((webhook, i) => judge(webhook, report, i));
  return {
    findings: judged.flatMap(({ finding }) => finding ?? []),
    notes: [...judged.flatMap(({ note }) => note ?? []), 'for this object only: another one may take another path through the webhook'],
  };
}

interface Judged {
  readonly finding?: CheckFinding;
  readonly note?: string;
}

function judge({ entry }: Registered, { webhooks }: Report, index: number): Judged {
  const webhook = stringAt(entry, 'name');
  const first = webhooks.find(({ webhook: name }) => name === `first-${index}.check`);
  const second = webhooks.find(({ webhook: name }) => name === `second-${index}.check`);
  if (first?.outcome === 'skipped') return {};
  if (first?.outcome !== 'allowed') return { note: `${webhook} gave no result to ask about again` };
  if (second === undefined) return { note: `${webhook} could not be asked again` };
  if (second.outcome === 'skipped') return {};
  const message = complaint(second);
  return message === undefined ? {} : { finding: { check, webhook, message } };
}

function complaint(second: WebhookReport): string | undefined {
  if (second.outcome === 'denied') return `refuses its own result: ${denialOf(second)}`;
  if (second.outcome !== 'allowed')
    return `cannot answer when it is asked about its own result: ${second.failure?.message ?? 'no reason given'}`;
  return changesObject(second) ? `changes its own result again: ${firstFew(operationWords(second))}` : undefined;
}
