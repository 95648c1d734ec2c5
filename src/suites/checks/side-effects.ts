import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { Report } from '../../apiserver/report.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { mapAt, stringAt, toValue, type Value } from '../../go/value.js';
import type { CheckedCall, CheckFinding, CheckResult } from './check.js';
import { differencesBetween, firstFew, shown } from './differences.js';
import { isDryRun, withDryRunTurned } from './dry-run.js';
import { changesObject, denialOf, operationWords } from './entries.js';

const check = 'side-effects';

/** Asks the same with `dryRun` turned the other way: a webhook has to answer both alike. */
export async function checkSideEffects({ call, state, report, again }: CheckedCall): Promise<CheckResult> {
  const turned = withDryRunTurned(call);
  if (turned === undefined) return { findings: [], notes: ['this call has no dry run'] };
  const other = await again(turned, state);
  const [real, dry] = isDryRun(call) ? [other, report] : [report, other];
  const refused = refusedDryRun(dry);
  if (refused !== undefined) return { findings: [refused], notes: [] };
  const different = differentAnswers(real, dry);
  const unsteady = different.length === 0 ? new Set<string>() : await unsteadyWebhooks({ call, state, report, again });
  const findings = different
    .filter(({ webhook }) => !unsteady.has(webhook))
    .map(({ webhook, words }) => ({ check, webhook, message: `answers a dry run in another way: ${words}` }));
  const notes = [...unsteady].map(
    webhook => `${webhook} answers the same question in different ways, so that nobody can say what dryRun changes`,
  );
  return { findings, notes: [...notes, 'answers only: what a webhook writes elsewhere during a dry run cannot be seen from outside'] };
}

/** The API server never asks a webhook with side effects about a dry run. */
function refusedDryRun({ decision }: Report): CheckFinding | undefined {
  const webhook = /^admission webhook "([^"]*)" does not support dry run$/.exec(stringAt(decision.status, 'message'))?.[1];
  if (webhook === undefined) return undefined;
  return { check, webhook, message: 'has sideEffects that make the API server refuse every dry run of this call' };
}

interface DifferentAnswer {
  readonly webhook: string;
  readonly words: string;
}

/** Webhooks that answer the very same call in another way when it is made once more. */
async function unsteadyWebhooks({
  call,
  state,
  report,
  again,
}: Pick<CheckedCall, 'call' | 'state' | 'report' | 'again'>): Promise<Set<string>> {
  return new Set(differentAnswers(report, await again(call, state)).map(({ webhook }) => webhook));
}

/** Where two reports have other answers to the same question; what follows from another webhook's answer does not count. */
function differentAnswers(real: Report, dry: Report): DifferentAnswer[] {
  return real.webhooks.flatMap(entry => {
    const counterpart = dry.webhooks.find(other => identityOf(other) === identityOf(entry));
    if (counterpart === undefined || askedAbout(entry) !== askedAbout(counterpart)) return [];
    const words = differenceIn(entry, counterpart);
    return words === undefined ? [] : [{ webhook: entry.webhook, words }];
  });
}

function identityOf({ phase, round, configuration, webhook }: WebhookReport): string {
  return JSON.stringify([phase, round, configuration, webhook]);
}

/** The objects of a review, as text. */
function askedAbout({ requestBody }: WebhookReport): string {
  const request = requestBody === undefined ? undefined : mapAt(readUnstructured(requestBody), 'request');
  return shownWhole(request?.get('object')) + shownWhole(request?.get('oldObject'));
}

function shownWhole(value: Value | undefined): string {
  return differencesBetween(value, null)
    .map(({ path, a }) => `${path}=${shown(a)}`)
    .join('\n');
}

function differenceIn(real: WebhookReport, dry: WebhookReport): string | undefined {
  if (real.outcome !== dry.outcome) return `it ${deed(dry)} the dry run, and ${deed(real)} the call itself`;
  if (changesObject(real) !== changesObject(dry)) {
    return changesObject(real)
      ? `it changes the object of the call itself only (${firstFew(operationWords(real))})`
      : `it changes the object of the dry run only (${firstFew(operationWords(dry))})`;
  }
  const [first] = differencesBetween(answerOf(real), answerOf(dry));
  if (first === undefined) return undefined;
  return `${first.path.slice(1)} is ${shown(first.b)} in the dry run, and ${shown(first.a)} without`;
}

function deed(entry: WebhookReport): string {
  if (entry.outcome === 'allowed') return 'allows';
  if (entry.outcome === 'denied') return `refuses (${denialOf(entry)})`;
  return entry.outcome === 'skipped' ? 'is not called for' : `cannot answer (${entry.failure?.message ?? 'no reason given'})`;
}

/** What the answer comes to: the same result by another patch is the same answer. */
function answerOf(entry: WebhookReport): Value {
  const { change, status, warnings, auditAnnotations } = entry;
  return toValue({
    object: change === undefined || !changesObject(entry) ? null : readUnstructured(change.after),
    status: status === undefined ? null : { code: status.code, reason: status.reason, message: status.message },
    warnings,
    auditAnnotations,
  });
}
