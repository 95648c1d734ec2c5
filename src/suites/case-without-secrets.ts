import type { WebhookReport } from '../apiserver/admission/webhook-report.js';
import { isList, isMap, stringAt, type Value, type ValueMap } from '../go/value.js';
import type { ClientActivity } from '../kubernetes/client-activity.js';
import { memoizeStrings } from '../kubernetes/memoize.js';
import type { Exchange, WebhookAnswer } from '../kubernetes/webhook-call.js';

import type { ConversionFinding } from './conversions/checks.js';
import type { ReportedConversion } from './conversions/conversion-run.js';
import { parseFieldPath } from './field-path.js';
import type { CaseCall, CaseConversion, CaseResult, TestFailure } from './results.js';
import { isAboutSecret, withPatch } from './snapshots/review-secrets.js';
import {
  headerWithoutSecrets,
  isSecretName,
  jsonOf,
  jsonWithoutSecrets,
  patchWithoutSecrets,
  redacted,
  textWithoutSecrets,
  withoutSecrets,
} from './snapshots/secrets.js';

/**
 * Returns the result with every secret redacted as in snapshots, in objects, patches, requests, answers and messages: reports are shown to
 * others, in a pull request or an artifact. A result without secrets is unchanged, to the byte.
 */
export function caseWithoutSecrets({ conversion, ...result }: CaseResult): CaseResult {
  return {
    ...result,
    ...(conversion === undefined ? {} : { conversion: cleanConversion(conversion) }),
    failures: result.failures.map(cleanFailure),
    notes: result.notes.map(textWithoutSecrets),
    ...(result.webhookOutput === undefined ? {} : { webhookOutput: result.webhookOutput.map(textWithoutSecrets) }),
    calls: result.calls.map(cleanCall),
  };
}

function cleanFailure(failure: TestFailure): TestFailure {
  const { message, expected, actual, diff } = failure;
  return {
    ...failure,
    message: textWithoutSecrets(message),
    ...(expected === undefined ? {} : { expected: textWithoutSecrets(expected) }),
    ...(actual === undefined ? {} : { actual: textWithoutSecrets(actual) }),
    ...(diff === undefined ? {} : { diff: textWithoutSecrets(diff) }),
  };
}

function cleanCall({ report, kubectl, exchanges, findings = [] }: CaseCall): CaseCall {
  const { decision, answer } = report;
  return {
    report: {
      ...report,
      webhooks: report.webhooks.map(cleanEntry),
      answer: { ...answer, warnings: answer.warnings.map(textWithoutSecrets), body: jsonWithoutSecrets(answer.body) },
      decision: {
        ...decision,
        status: cleanMap(decision.status),
        warnings: decision.warnings.map(textWithoutSecrets),
        auditAnnotations: cleanAnnotations(decision.auditAnnotations),
        object: cleanMap(decision.object),
      },
      ...(report.clientActivity === undefined ? {} : { clientActivity: cleanActivity(report.clientActivity) }),
    },
    kubectl: kubectl.map(textWithoutSecrets),
    exchanges: exchanges.map(cleanExchange),
    ...(findings.length === 0 ? {} : { findings: findings.map(finding => ({ ...finding, message: textWithoutSecrets(finding.message) })) }),
  };
}

function cleanActivity({ reads, writes }: ClientActivity): ClientActivity {
  return { reads, writes: writes.map(write => ({ ...write, object: cleanMap(write.object) ?? write.object })) };
}

function cleanConversion({ conversions, findings, notes, exchanges }: CaseConversion): CaseConversion {
  return {
    conversions: conversions.map(cleanReported),
    ...(findings === undefined ? {} : { findings: findings.map(cleanFinding) }),
    notes: notes.map(textWithoutSecrets),
    exchanges: exchanges.map(cleanExchange),
  };
}

function cleanReported(made: ReportedConversion): ReportedConversion {
  const stored = cleanMap(made.stored) ?? made.stored;
  if (made.outcome === 'failed') return { ...made, stored, message: textWithoutSecrets(made.message) };
  return { ...made, stored, converted: cleanMap(made.converted) ?? made.converted };
}

function cleanFinding({ message, fields, before, after, ...finding }: ConversionFinding): ConversionFinding {
  return {
    ...finding,
    message: textWithoutSecrets(message),
    fields: fields.map(field => ({ ...field, before: cleanShown(field.field, field.before), after: cleanShown(field.field, field.after) })),
    before: cleanMap(before),
    after: cleanMap(after),
  };
}

/** A field's value in findings: JSON. A truncated structure cannot be searched. */
function cleanShown(field: string, json: string | null): string | null {
  if (json === null) return null;
  const path = parseFieldPath(field);
  const name = 'error' in path ? '' : String(path.at(-1));
  const isCut = /^[[{]/.test(json) && jsonOf(json) === undefined;
  return isSecretName(name) || isCut ? redacted(json) : jsonWithoutSecrets(json);
}

/** Memoized: for some webhooks of a call, a review is both in the webhook's report and among the exchanges. */
const reviewWithoutSecrets = memoizeStrings(8, review => jsonWithoutSecrets(review));

function cleanExchange({ call, answer }: Exchange): Exchange {
  return { call: { ...call, body: reviewWithoutSecrets(call.body) }, answer: cleanAnswer(answer, call.body) };
}

function cleanEntry(entry: WebhookReport): WebhookReport {
  const { attributes, patch, change, status, failure, requestBody, exchange, warnings, auditAnnotations } = entry;
  const ofSecret = attributes.kind.group === '' && attributes.kind.kind === 'Secret';
  return {
    ...entry,
    patch: patchWithoutSecrets(patch, ofSecret),
    change: change === undefined ? undefined : { before: jsonWithoutSecrets(change.before), after: jsonWithoutSecrets(change.after) },
    status: status?.message === undefined ? status : { ...status, message: textWithoutSecrets(status.message) },
    failure: failure === undefined ? undefined : { ...failure, message: textWithoutSecrets(failure.message) },
    requestBody: requestBody === undefined ? undefined : reviewWithoutSecrets(requestBody),
    exchange: exchange === undefined ? undefined : cleanExchange(exchange),
    warnings: warnings.map(textWithoutSecrets),
    auditAnnotations: cleanAnnotations(auditAnnotations),
  };
}

function cleanMap(map: ValueMap | undefined): ValueMap | undefined {
  const clean = map === undefined ? undefined : withoutSecrets(map);
  return isMap(clean) ? clean : undefined;
}

function cleanAnswer(answer: WebhookAnswer, asked: string): WebhookAnswer {
  if (answer.outcome !== 'answered') return { ...answer, message: textWithoutSecrets(answer.message) };
  const text = Buffer.from(answer.body).toString('utf8');
  const clean = jsonWithoutSecrets(text, review => withPatch(review, patch => patchWithoutSecrets(patch, isAboutSecret(jsonOf(asked)))));
  return {
    ...answer,
    headers: answer.headers.map(([name, value]) => [name, headerWithoutSecrets(name, value)]),
    body: clean === text ? answer.body : new Uint8Array(Buffer.from(clean)),
  };
}

/** The API server's mutation annotation contains the patch, which cannot be separated from it. */
function cleanAnnotations(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(annotations).map(([key, text]) => {
      if (!key.startsWith('patch.webhook.admission.k8s.io/')) return [key, textWithoutSecrets(text)];
      return [key, jsonWithoutSecrets(text, withCleanOperations)];
    }),
  );
}

function withCleanOperations(noted: Value): Value {
  const patch = isMap(noted) ? noted.get('patch') : undefined;
  return isMap(noted) && isList(patch) ? new Map([...noted, ['patch', patchWithoutSecrets(patch, mayBeOfSecret(patch))]]) : noted;
}

/** The annotation does not tell the kind of the patched object: only Secrets and ConfigMaps have data at the top level. */
function mayBeOfSecret(patch: readonly Value[]): boolean {
  return patch.some(operation => /^\/(data|stringData)(\/|$)/.test(stringAt(operation, 'path')));
}
