import type { PolicyReport } from '../apiserver/admission/policy-report.js';
import type { WebhookReport } from '../apiserver/admission/webhook-report.js';
import { joinHostPort } from '../go/net/host-port.js';
import type { AnyCallStep } from '../kubernetes/call-steps.js';
import { counted } from '../kubernetes/counted.js';
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
  /** The exchanges have answers that no webhook gave. */
  readonly isUnsent?: boolean | undefined;
  readonly selection?: ((entry: WebhookReport, index: number) => readonly TracePredicate[]) | undefined;
}

/** An entry before its long texts are collected. */
export type TracedEntry = Omit<TraceEntry, 'calls'> & { readonly calls: readonly TracedCall[] };

/** Returns the content of a page for entries, in their order. */
export function traceData(entries: readonly TracedEntry[], about: Omit<TraceData, 'entries' | 'texts'>): TraceData {
  const texts = new Map<string, TextIndex>();
  const keep = (text: string): TextIndex => {
    const known = texts.get(text) ?? texts.size;
    texts.set(text, known);
    return known;
  };
  const written = entries.map(entry => ({ ...entry, calls: entry.calls.map(call => callOf(call, keep)) }));
  return { ...about, entries: written, texts: [...texts.keys()] };
}

/** Returns the content of a page as JSON: times to the microsecond, as in reports. */
export function traceJson(data: TraceData): string {
  return JSON.stringify(data, (key, value: unknown) => (typeof value === 'number' && key.endsWith('Ms') ? roundedToMicros(value) : value));
}

type Keep = (text: string) => TextIndex;

/** Returns the entry of a call that belongs to no suite. */
export function entryOfCall(call: TracedCall): TracedEntry {
  const { webhooks, decision, call: made } = call.report;
  const facts = call.isUnsent === true ? reachedWords([call.report]) : `${decision.code}, by ${made.user.username}`;
  const name = subjectOfReport(webhooks[0], made, undefined);
  return { name, outcome: decision.allowed ? 'allowed' : 'refused', facts, failures: [], notes: [], calls: [call] };
}

/** `1 of 2 webhooks would be called` */
export function reachedWords(reports: readonly TracedCall['report'][]): string {
  const first = reports.flatMap(({ webhooks }) => webhooks.filter(({ round }) => round === 1));
  const called = first.filter(({ outcome }) => outcome !== 'skipped').length;
  return `${called} of ${counted(first.length, 'webhook')} would be called`;
}

function callOf({ report, kubectl, exchanges, findings = [], selection, isUnsent = false }: TracedCall, keep: Keep): TraceCall {
  const { call, decision, answer, timing } = report;
  const unused = [...exchanges];
  const write = (exchange: WebhookExchange | undefined): TraceExchange | undefined =>
    exchange === undefined ? undefined : exchangeOf(exchange, isUnsent, keep);
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
    steps: withSkipped(timing?.steps ?? [], report.webhooks).map(step => {
      const change = step.webhook === undefined || step.after === undefined ? undefined : report.webhooks[step.webhook]?.change;
      return stepOf(step, { exchange: write(takeConversion(step, unused)), patched: change?.patched }, keep);
    }),
    webhooks: report.webhooks.map((entry, index) => webhookOf(entry, write(takeExchange(entry, unused)), selection?.(entry, index) ?? [])),
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

type StepOrSkipped = Omit<AnyCallStep, 'kind'> & Pick<TraceStep, 'kind'>;

/** Returns the steps with one for each webhook that was not called, after the selection of its phase. That a second round needs no call is normal, and omitted. */
function withSkipped(steps: readonly AnyCallStep[], webhooks: readonly WebhookReport[]): StepOrSkipped[] {
  const firstOf = (phase: string): AnyCallStep | undefined => steps.find(step => step.kind === 'selection' && step.phase === phase);
  return steps.flatMap(step => {
    if (step !== firstOf(step.phase)) return [step];
    const { phase, round, startMs } = step;
    const skipped = webhooks.flatMap((entry, webhook): StepOrSkipped[] => {
      const isOne = entry.phase === phase && entry.outcome === 'skipped' && entry.round === 1;
      return isOne ? [{ kind: 'skipped', phase, round, startMs, durationMs: 0, name: entry.webhook, webhook }] : [];
    });
    return [step, ...skipped];
  });
}

/** Returns the exchange of a conversion: steps and exchanges have the same order. */
function takeConversion({ kind, name }: StepOrSkipped, unused: WebhookExchange[]): WebhookExchange | undefined {
  const at = kind === 'conversion' ? unused.findIndex(({ call }) => call.phase === 'conversion' && call.configuration === name) : -1;
  return at < 0 ? undefined : unused.splice(at, 1)[0];
}

interface StepFacts {
  readonly exchange: TraceExchange | undefined;
  readonly patched: string | undefined;
}

function stepOf({ error, before, after, ...step }: StepOrSkipped, { exchange, patched }: StepFacts, keep: Keep): TraceStep {
  return {
    ...step,
    ...(exchange === undefined ? {} : { exchange }),
    ...(error === undefined ? {} : { error: keep(error) }),
    ...(before === undefined ? {} : { before: keep(before) }),
    ...(patched === undefined ? {} : { patched: keep(patched) }),
    ...(after === undefined ? {} : { after: keep(after) }),
  };
}

function webhookOf(entry: WebhookReport, exchange: TraceExchange | undefined, selection: readonly TracePredicate[]): TraceWebhook {
  const { phase, round, configuration, webhook, outcome, failurePolicy, durationMs, skipReason, status, failure } = entry;
  return {
    ...{ phase, round, configuration, webhook, outcome, failurePolicy, durationMs },
    reason: skipReason === undefined ? undefined : `${skipReason.predicate}: ${skipReason.detail}`,
    skippedBy: skipReason?.predicate,
    message: failure?.message ?? (outcome === 'denied' ? status?.message : undefined),
    advice: failure === undefined ? [] : [failure.why, failure.try].filter(text => text !== ''),
    warnings: entry.warnings,
    auditAnnotations: entry.auditAnnotations,
    selection,
    exchange,
  };
}

function exchangeOf(exchange: WebhookExchange, isUnsent: boolean, keep: Keep): TraceExchange {
  const { call, answer } = exchange;
  const isAnswered = answer.outcome === 'answered';
  const sent = {
    url: call.url,
    address: joinHostPort(call.address.host, call.address.port),
    serverName: call.serverName,
    request: keep(call.body),
    curl: curlStart(exchange),
  };
  if (isUnsent) return { ...sent, headers: [] };
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
