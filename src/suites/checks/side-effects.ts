import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { Report } from '../../apiserver/report/report.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import type { ApiCall } from '../../kubernetes/api-call.js';
import type { CheckedCall, CheckFinding, CheckResult } from './checked-call.js';
import { differencesBetween, firstFew, shownDifference } from './differences.js';
import { changesObject, denialOf, operationWords } from './entries.js';

const check = 'side-effects';

/** Makes the call with `dryRun` toggled: a webhook must give the same answer to both, and write nothing in the dry run. */
export async function checkSideEffects({ call, state, report, again }: CheckedCall): Promise<CheckResult> {
  const turned = withDryRunToggled(call);
  if (turned === undefined) return { findings: [], notes: ['this call does not support dry run'] };
  const other = await again(turned, state);
  const [real, dry] = isDryRun(call) ? [other, report] : [report, other];
  const refused = refusedDryRun(dry);
  if (refused !== undefined) return { findings: [refused], notes: [] };
  const different = differentAnswers(real, dry);
  const unsteady = different.length === 0 ? new Set<string>() : await findUnstableWebhooks({ call, state, report, again });
  const findings = different
    .filter(({ webhook }) => !unsteady.has(webhook))
    .map(({ webhook, message }) => ({ check, webhook, message: `answers a dry run differently: ${message}` }));
  const notes = [...unsteady].map(webhook => `${webhook} gives different answers to the same review, so the effect of dryRun is unknown`);
  return { findings: [...writesInDryRun(dry), ...findings], notes: [...notes, whatIsProven(dry)] };
}

function whatIsProven({ clientActivity }: Report): string {
  if (clientActivity === undefined) return 'only answers are compared: other side effects of a dry run are not visible';
  if (clientActivity.writes.length > 0) return 'answers and writes to the API server are compared: other side effects are not visible';
  return 'no write to the API server in the dry run, proven for this object; other side effects are not visible';
}

/** The API server never calls a webhook with side effects for a dry run. */
function refusedDryRun({ decision }: Report): CheckFinding | undefined {
  const webhook = /^admission webhook "([^"]*)" does not support dry run$/.exec(stringAt(decision.status, 'message'))?.[1];
  if (webhook === undefined) return undefined;
  return { check, webhook, message: 'has sideEffects that make the API server refuse every dry run of this call' };
}

interface DifferentAnswer {
  readonly webhook: string;
  readonly message: string;
}

/** Webhooks whose answer differs when the same call is repeated. */
async function findUnstableWebhooks({
  call,
  state,
  report,
  again,
}: Pick<CheckedCall, 'call' | 'state' | 'report' | 'again'>): Promise<Set<string>> {
  return new Set(differentAnswers(report, await again(call, state)).map(({ webhook }) => webhook));
}

/** Webhooks with different answers to the same review in two reports. Differences that result from another webhook's answer are ignored. */
function differentAnswers(real: Report, dry: Report): DifferentAnswer[] {
  return real.webhooks.flatMap(entry => {
    const counterpart = dry.webhooks.find(other => identityOf(other) === identityOf(entry));
    if (counterpart === undefined || reviewedObjects(entry) !== reviewedObjects(counterpart)) return [];
    const message = differenceIn(entry, counterpart);
    return message === undefined ? [] : [{ webhook: entry.webhook, message }];
  });
}

function identityOf({ phase, round, configuration, webhook }: WebhookReport): string {
  return JSON.stringify([phase, round, configuration, webhook]);
}

/** The objects of a review, as text. */
function reviewedObjects({ requestBody }: WebhookReport): string {
  const request = requestBody === undefined ? undefined : mapAt(readUnstructured(requestBody), 'request');
  return shownWhole(request?.get('object')) + shownWhole(request?.get('oldObject'));
}

function shownWhole(value: Value | undefined): string {
  return differencesBetween(value, null)
    .map(({ path, a }) => `${path}=${shownDifference(a)}`)
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
  return `${first.path.slice(1)} is ${shownDifference(first.b)} in the dry run, and ${shownDifference(first.a)} without`;
}

function deed(entry: WebhookReport): string {
  if (entry.outcome === 'allowed') return 'allows';
  if (entry.outcome === 'denied') return `refuses (${denialOf(entry)})`;
  return entry.outcome === 'skipped' ? 'is not called for' : `cannot answer (${entry.failure?.message ?? 'no reason given'})`;
}

/** The effect of an answer: different patches with the same result are equal. */
function answerOf(entry: WebhookReport): Value {
  const { change, status, warnings, auditAnnotations } = entry;
  return toValue({
    object: change === undefined || !changesObject(entry) ? null : readUnstructured(change.after),
    status: status === undefined ? null : { code: status.code, reason: status.reason, message: status.message },
    warnings,
    auditAnnotations,
  });
}

/** A finding for every write of webhooks' clients during a dry run. */
function writesInDryRun({ clientActivity, webhooks }: Report): CheckFinding[] {
  const called = [...new Set(webhooks.filter(({ outcome }) => outcome !== 'skipped').map(({ webhook }) => webhook))];
  const webhook = called.length === 1 ? (called[0] ?? '') : '';
  const writer = webhook === '' ? `one of ${called.join(', ')} writes` : 'writes';
  return (clientActivity?.writes ?? []).map(({ request, operation, object }) => ({
    check: 'side-effects',
    webhook,
    message: `${writer} during a dry run: ${request} (${operation} ${nameOf(object)})`,
  }));
}

/** `ConfigMap shop/audit` */
function nameOf(object: ValueMap): string {
  const [namespace, name] = [stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')];
  return `${stringAt(object, 'kind')} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** The dry-run options of a call: options in the body of a DELETE override its query. Source: apiserver endpoints/handlers/delete.go. */
type DryRunMember = 'query' | 'options' | 'deleteOptions' | 'nowhere';

/** Reports whether the call is a dry run. */
function isDryRun(call: ApiCall): boolean {
  const options = optionsOf(call);
  return options === undefined ? /[?&]dryRun=All(&|$)/.test(call.path) : listAt(options, 'dryRun').includes('All');
}

/** The call with `dryRun` toggled; undefined for calls without dry run: connections and reads. */
function withDryRunToggled(call: ApiCall): ApiCall | undefined {
  const place = placeOf(call);
  if (place === 'nowhere') return undefined;
  const turned = !isDryRun(call);
  if (place === 'query') return { ...call, path: withQuery(call.path, turned) };
  const body = bodyOf(call);
  const options = optionsOf(call);
  if (body === undefined || options === undefined) return undefined;
  if (turned) options.set('dryRun', ['All']);
  else options.delete('dryRun');
  if (place === 'deleteOptions') body.set('deleteOptions', options);
  const changed = place === 'options' ? options : body;
  return { ...call, body: Buffer.from(`${writeValue(changed, 'kept')}\n`) };
}

function placeOf(call: ApiCall): DryRunMember {
  if (call.method === 'DELETE') return bodyOf(call) === undefined ? 'query' : 'options';
  if (!['POST', 'PUT', 'PATCH'].includes(call.method)) return 'nowhere';
  return /\/eviction(\?|$)/.test(call.path) && bodyOf(call)?.has('deleteOptions') === true ? 'deleteOptions' : 'query';
}

/** The options in the body, parsed on each call. */
function optionsOf(call: ApiCall): ValueMap | undefined {
  const place = placeOf(call);
  const body = place === 'options' || place === 'deleteOptions' ? bodyOf(call) : undefined;
  if (place !== 'deleteOptions') return body;
  const options = body?.get('deleteOptions');
  return isMap(options) ? options : undefined;
}

function bodyOf({ body }: ApiCall): ValueMap | undefined {
  const text = Buffer.from(body ?? []).toString('utf8');
  if (!text.trimStart().startsWith('{')) return undefined;
  const value = readUnstructured(text);
  return isMap(value) ? value : undefined;
}

function withQuery(path: string, dryRun: boolean): string {
  const [plain = '', query = ''] = path.split('?', 2);
  const others = query.split('&').filter(pair => pair !== '' && !pair.startsWith('dryRun='));
  const pairs = dryRun ? ['dryRun=All', ...others] : others;
  return pairs.length === 0 ? plain : `${plain}?${pairs.join('&')}`;
}
