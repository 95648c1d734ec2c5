import type { PolicyReport } from '../apiserver/admission/policy-report.js';
import type { WebhookReport } from '../apiserver/admission/webhook-report.js';
import type { AnyCallStep } from '../kubernetes/call-steps.js';
import type { WebhookExchange } from '../kubernetes/webhook-call.js';
import { bodyFields } from '../reports/body-fields.js';
import { roundedToMicros } from '../reports/rounded-ms.js';
import { curlStart } from '../reports/single-parts.js';
import { subjectOfReport } from '../reports/text.js';
import type { CaseCall } from '../suites/results.js';
import type {
  TextIndex,
  TraceCall,
  TraceData,
  TraceEntry,
  TraceExchange,
  TracePolicy,
  TracePredicate,
  TraceStep,
  TraceWebhook,
} from './trace-model.js';

/** A call without its secrets, and the explained selection of its webhooks, where that is known. */
export interface TracedCall extends CaseCall {
  readonly selection?: ((entry: WebhookReport, index: number) => readonly TracePredicate[]) | undefined;
}

/** An entry before its long texts are collected. */
export type TracedEntry = Omit<TraceEntry, 'calls'> & { readonly calls: readonly TracedCall[] };

/** Returns the content of a page for entries, in their order. */
export function traceData(entries: readonly TracedEntry[], { title, toolVersion }: Pick<TraceData, 'title' | 'toolVersion'>): TraceData {
  const texts = new Map<string, TextIndex>();
  const keep = (text: string): TextIndex => {
    const known = texts.get(text) ?? texts.size;
    texts.set(text, known);
    return known;
  };
  const written = entries.map(entry => ({ ...entry, calls: entry.calls.map(call => callOf(call, keep)) }));
  return { title, toolVersion, entries: written, texts: [...texts.keys()] };
}

/** Returns the content of a page as JSON: times to the microsecond, as in reports. */
export function traceJson(data: TraceData): string {
  return JSON.stringify(data, (key, value: unknown) => (typeof value === 'number' && key.endsWith('Ms') ? roundedToMicros(value) : value));
}

type Keep = (text: string) => TextIndex;

/** Returns the entry of a call that belongs to no suite. */
export function entryOfCall(call: TracedCall): TracedEntry {
  const { webhooks, decision, call: made } = call.report;
  const facts = `${decision.code}, by ${made.user.username}`;
  const name = subjectOfReport(webhooks[0], made, undefined);
  return { name, outcome: decision.allowed ? 'allowed' : 'refused', facts, failures: [], notes: [], calls: [call] };
}

function callOf({ report, kubectl, exchanges, findings = [], selection }: TracedCall, keep: Keep): TraceCall {
  const { call, decision, answer, timing } = report;
  const unused = [...exchanges];
  return {
    method: call.method,
    path: call.path,
    user: call.user.username,
    version: report.kubernetesVersion,
    allowed: decision.allowed,
    code: decision.code,
    kubectl: keep(kubectl.join('\n')),
    answer: keep(answer.body),
    contentType: answer.contentType ?? '',
    warnings: decision.warnings,
    auditAnnotations: decision.auditAnnotations,
    notes: report.notes,
    findings: findings.map(({ check, webhook, message }) => `${check}: ${webhook} ${message}`),
    durationMs: timing?.durationMs,
    steps: (timing?.steps ?? []).map(step => stepOf(step, keep)),
    webhooks: report.webhooks.map((entry, index) =>
      webhookOf(entry, { exchange: takeExchange(entry, unused), selection: selection?.(entry, index) ?? [], keep }),
    ),
    policies: (report.policies ?? []).map(policyOf),
  };
}

/** Returns the exchange of an entry: entries and exchanges of a webhook have the same order. */
function takeExchange(
  { exchange, outcome, webhook, configuration, phase }: WebhookReport,
  unused: WebhookExchange[],
): WebhookExchange | undefined {
  if (outcome === 'skipped') return undefined;
  const at = unused.findIndex(({ call }) => call.webhook === webhook && call.configuration === configuration && call.phase === phase);
  return at < 0 ? exchange : unused.splice(at, 1)[0];
}

function stepOf({ error, before, after, ...step }: AnyCallStep, keep: Keep): TraceStep {
  return {
    ...step,
    ...(error === undefined ? {} : { error: keep(error) }),
    ...(before === undefined ? {} : { before: keep(before) }),
    ...(after === undefined ? {} : { after: keep(after) }),
  };
}

function webhookOf(
  entry: WebhookReport,
  {
    exchange,
    selection,
    keep,
  }: { readonly exchange: WebhookExchange | undefined; readonly selection: readonly TracePredicate[]; readonly keep: Keep },
): TraceWebhook {
  const { phase, round, configuration, webhook, outcome, failurePolicy, durationMs, skipReason, status, failure } = entry;
  return {
    ...{ phase, round, configuration, webhook, outcome, failurePolicy, durationMs },
    reason: skipReason === undefined ? undefined : `${skipReason.predicate}: ${skipReason.detail}`,
    message: failure?.message ?? (outcome === 'denied' ? status?.message : undefined),
    advice: failure === undefined ? undefined : [failure.why, failure.try].filter(text => text !== '').join(' '),
    warnings: entry.warnings,
    auditAnnotations: entry.auditAnnotations,
    selection,
    exchange: exchange === undefined ? undefined : exchangeOf(exchange, keep),
  };
}

function exchangeOf(exchange: WebhookExchange, keep: Keep): TraceExchange {
  const { call, answer } = exchange;
  const isAnswered = answer.outcome === 'answered';
  const sent = {
    url: call.url,
    address: `${call.address.host}:${call.address.port}`,
    serverName: call.serverName,
    request: keep(call.body),
    curl: curlStart(exchange),
  };
  if (!isAnswered) return { ...sent, headers: [], response: keep(answer.message) };
  const fields = bodyFields(answer.body);
  const body = 'body' in fields ? fields.body : fields.bodyBase64;
  return { ...sent, statusCode: answer.statusCode, headers: answer.headers, response: keep(body) };
}

function policyOf({ phase, policy, binding, outcome, skipReason, message, validations, mutations }: PolicyReport): TracePolicy {
  return {
    ...{ phase, policy, outcome, message },
    binding: binding ?? '',
    reason: skipReason === undefined ? undefined : `${skipReason.predicate}: ${skipReason.detail}`,
    expressions: [...validations, ...mutations].map(one => ({
      expression: one.expression,
      outcome: one.outcome,
      message: one.message,
    })),
  };
}
