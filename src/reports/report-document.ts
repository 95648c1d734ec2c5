import type { PolicyReport } from '../apiserver/admission/policy-report.js';
import type { ObjectChange, WebhookReport } from '../apiserver/admission/webhook-report.js';
import type { CallReport } from '../client/run/call-report.js';
import { jsonPatchBetween } from '../encoding/patches-between.js';
import { readUnstructured } from '../encoding/unstructured.js';
import { joinHostPort } from '../go/net/host-port.js';
import { toValue, type Value, type ValueMap } from '../go/value.js';
import type { WebhookExchange } from '../kubernetes/webhook-call.js';
import { bodyFields } from './body-fields.js';
import { roundedMs } from './rounded-ms.js';
import { stepsDocument } from './steps-document.js';

/** API version of the documents. */
export const apiVersion = 'webhook-cli.dev/v1alpha1';

export interface DocumentOptions {
  /** Each entry includes its request and answer. */
  readonly withExchange: boolean;
  /** Documents include the measured steps. */
  readonly withSteps?: boolean;
}

/** The documents of `-o json`: a Report, or a ReportList of several. Scripts rely on the format: change it only intentionally. */
export function reportsDocument(reports: readonly CallReport[], options: DocumentOptions): Value {
  const items = reports.map(report => reportDocument(report, options));
  const [only] = items;
  return items.length === 1 && only !== undefined
    ? only
    : new Map<string, Value>([
        ['apiVersion', apiVersion],
        ['kind', 'ReportList'],
        ['items', items],
      ]);
}

/** The Report document of one call. */
export function reportDocument({ report, kubectl, findings }: CallReport, { withExchange, withSteps = false }: DocumentOptions): ValueMap {
  const { allowed, code, status, warnings, auditAnnotations, object } = report.decision;
  return new Map<string, Value>([
    ['apiVersion', apiVersion],
    ['kind', 'Report'],
    ['kubernetesVersion', report.kubernetesVersion],
    ['call', toValue({ method: report.call.method, path: report.call.path, user: { username: report.call.user.username } })],
    ['webhooks', report.webhooks.map(entry => webhookDocument(entry, withExchange ? entry.exchange : undefined))],
    ...(report.policies === undefined ? [] : ([['policies', report.policies.map(policyDocument)]] as const)),
    ['decision', toValue({ allowed, code, status: status ?? null, warnings, auditAnnotations, object: object ?? null })],
    ['kubectl', kubectl.join('\n')],
    ['findings', toValue(findings)],
    ['notes', toValue(report.notes)],
    ...(withSteps && report.timing !== undefined ? stepsDocument(report.timing) : []),
  ]);
}

function webhookDocument(entry: WebhookReport, exchange: WebhookExchange | undefined): Value {
  return toValue({
    phase: entry.phase,
    round: entry.round,
    configuration: entry.configuration,
    webhook: entry.webhook,
    attributes: entry.attributes,
    outcome: entry.outcome,
    skipReason: entry.skipReason === undefined ? null : { predicate: entry.skipReason.predicate, detail: entry.skipReason.detail },
    sent: entry.sent ?? null,
    warnings: entry.warnings,
    auditAnnotations: entry.auditAnnotations,
    patch: entry.patch,
    serverPatch: serverPatchOf(entry.change),
    status: entry.status ?? null,
    failure: entry.failure ?? null,
    failurePolicy: entry.failurePolicy,
    durationMs: entry.durationMs === undefined ? null : roundedMs(entry.durationMs),
    ...(exchange === undefined ? {} : { exchange: exchangeDocument(exchange) }),
  });
}

/** Returns what the API server changed of a patch's result, as operations of a JSON patch: defaults, unknown fields, other forms of values. */
function serverPatchOf(change: ObjectChange | undefined): Value[] {
  if (change?.patched === undefined) return [];
  return jsonPatchBetween(readUnstructured(change.patched), readUnstructured(change.after));
}

function exchangeDocument({ call, answer }: WebhookExchange): object {
  const sent = { url: call.url, serverName: call.serverName, address: joinHostPort(call.address.host, call.address.port), body: call.body };
  if (answer.outcome !== 'answered') return { request: sent, response: null };
  return {
    request: sent,
    response: {
      statusCode: answer.statusCode,
      headers: answer.headers.map(([name, value]) => ({ name, value })),
      ...bodyFields(answer.body),
    },
  };
}

/** One entry of `policies` in the Report document. */
function policyDocument(entry: PolicyReport): Value {
  return toValue({
    phase: entry.phase,
    round: entry.round,
    policy: entry.policy,
    binding: entry.binding ?? null,
    param: entry.param ?? null,
    attributes: entry.attributes,
    outcome: entry.outcome,
    skipReason: entry.skipReason ?? null,
    failurePolicy: entry.failurePolicy,
    validationActions: entry.validationActions,
    validations: entry.validations.map(validation => ({
      ...validation,
      message: validation.message ?? null,
      reason: validation.reason ?? null,
    })),
    mutations: entry.mutations.map(mutation => ({ ...mutation, message: mutation.message ?? null })),
    auditAnnotations: entry.auditAnnotations,
    message: entry.message ?? null,
  });
}
