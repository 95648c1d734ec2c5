import type { PolicyReport } from '../apiserver/admission/policy-report.js';
import type { ObjectChange, WebhookReport } from '../apiserver/admission/webhook-report.js';
import { isPresumedNamespace } from '../apiserver/endpoints/presumed-namespace.js';
import type { Answer, Decision } from '../apiserver/report/report.js';
import { parseFieldPath } from '../client/field-path.js';
import { sharedGetters } from '../go/shared-getters.js';
import { isList, isMap, stringAt, type Value, type ValueMap } from '../go/value.js';
import type { CallSteps } from '../kubernetes/call-steps.js';
import type { ClientActivity } from '../kubernetes/client-activity.js';
import { lazy, memoizeStrings } from '../kubernetes/memoize.js';
import type { WebhookAnswer, WebhookCall, WebhookExchange } from '../kubernetes/webhook-call.js';
import type { HideKnown } from '../redaction/known-secrets.js';
import { redacted } from '../redaction/marker.js';
import { withTexts } from '../redaction/replaced.js';
import { isAboutSecret, withPatch } from '../redaction/review-secrets.js';
import { isSecretName } from '../redaction/secret-names.js';
import {
  headerWithoutSecrets,
  type JsonSearch,
  jsonWithoutSecrets,
  jsonWithoutSecretsOf,
  patchWithoutSecrets,
  searchOfTexts,
  withoutSecrets,
} from '../redaction/secrets.js';
import { textWithoutSecrets } from '../redaction/text-secrets.js';
import type { ConversionFinding } from './conversions/checks.js';
import type { ReportedConversion } from './conversions/conversion-run.js';
import type { CaseCall, CaseConversion, CaseOutput, CaseResult, TestFailure } from './results.js';
import { knownSecretsOf } from './secrets-in-output.js';

/**
 * Returns the result with every secret redacted as in snapshots, in objects, patches, requests, answers and messages: reports are shown to
 * others, in a pull request or an artifact. A result without secrets is unchanged, to the byte.
 */
export function caseWithoutSecrets({ conversion, ...result }: CaseResult): CaseResult {
  const cleaner = cleanerOf(() => knownSecretsOf({ calls: result.calls, conversion }));
  const { text } = cleaner;
  return {
    ...result,
    ...(conversion === undefined ? {} : { conversion: cleanConversion(conversion, cleaner) }),
    failures: result.failures.map(failure => cleanFailure(failure, cleaner)),
    notes: result.notes.map(text),
    ...(result.webhookOutput === undefined ? {} : { webhookOutput: result.webhookOutput.map(text) }),
    calls: result.calls.map(call => cleanCall(call, cleaner)),
  };
}

/** Returns the calls of a case and its failures without their secrets. */
export function caseOutputWithoutSecrets(
  output: CaseOutput,
  failures: readonly TestFailure[],
): { readonly calls: readonly CaseCall[]; readonly failures: readonly TestFailure[] } {
  const cleaner = cleanerOf(() => knownSecretsOf(output));
  return { calls: output.calls.map(call => cleanCall(call, cleaner)), failures: failures.map(failure => cleanFailure(failure, cleaner)) };
}

/** Returns the report of a single call without its secrets; `body` is what the call sends. */
export function callWithoutSecrets<Call extends CaseCall>(call: Call, body: string): Call {
  const search = searchOfTexts();
  const cleaner = cleanerOf(() => knownSecretsOf({ calls: [call] }, { more: [body], search }), search);
  // Spreading them would read what formats may not show.
  return Object.defineProperties({} as Call, {
    ...Object.getOwnPropertyDescriptors(call),
    ...Object.getOwnPropertyDescriptors(cleanCall(call, cleaner)),
  });
}

/** Redacts what is known to be a secret, and what shows that it is one. */
interface Cleaner {
  readonly text: (text: string) => string;
  readonly json: (text: string) => string;
  readonly value: (value: Value) => Value;
  readonly hide: HideKnown;
}

/** The known secrets are found on first use: a call that is allowed without a word may quote none. */
function cleanerOf(find: () => HideKnown, search?: JsonSearch): Cleaner {
  const known = lazy(find);
  const hide: HideKnown = text => known()(text);
  return {
    hide,
    text: text => hide(textWithoutSecrets(text)),
    json: text => hide(jsonWithoutSecrets(text, undefined, search)),
    value: value => withTexts(withoutSecrets(value), hide),
  };
}

function cleanFailure(failure: TestFailure, { text }: Cleaner): TestFailure {
  const { message, expected, actual, diff } = failure;
  return {
    ...failure,
    message: text(message),
    ...(expected === undefined ? {} : { expected: text(expected) }),
    ...(actual === undefined ? {} : { actual: text(actual) }),
    ...(diff === undefined ? {} : { diff: text(diff) }),
  };
}

/** Most formats show only some of it: what takes time is redacted when it is read. */
function cleanCall(call: CaseCall, cleaner: Cleaner): CaseCall {
  const { report, exchanges, step, findings = [] } = call;
  const { text } = cleaner;
  const { decision, answer } = report;
  const shown = {
    report: {
      ...report,
      notes: report.notes.map(note => (isPresumedNamespace(note) ? note : text(note))),
      webhooks: report.webhooks.map(entry => cleanEntry(entry, cleaner)),
      ...(report.policies === undefined ? {} : { policies: report.policies.map(entry => cleanPolicy(entry, cleaner)) }),
      answer: cleanClientAnswer(answer, cleaner),
      decision: cleanDecision(decision, cleaner),
      ...(report.timing === undefined ? {} : { timing: cleanTiming(report.timing, cleaner) }),
      ...(report.clientActivity === undefined ? {} : { clientActivity: cleanActivity(report.clientActivity, cleaner) }),
    },
    exchanges: exchanges.map(exchange => cleanExchange(exchange, cleaner)),
    ...(step === undefined ? {} : { step }),
    ...(findings.length === 0 ? {} : { findings: findings.map(finding => ({ ...finding, message: text(finding.message) })) }),
  };
  return withKubectl(shown, { kubectl: lazy(() => call.kubectl.map(line => (namesOnly.test(line) ? line : text(line)))) });
}

const withKubectl = sharedGetters<Pick<CaseCall, 'kubectl'>>('kubectl');

function cleanClientAnswer(answer: Answer, cleaner: Cleaner): Answer {
  const { status, headers } = answer;
  const head = { status, headers, warnings: answer.warnings.map(cleaner.text) };
  const body = lazy(() => cleaner.json(answer.body));
  return withBody(head, { contentType: () => answer.contentType, body, bytes: () => answer.bytes });
}

function cleanDecision(decision: Decision, cleaner: Cleaner): Decision {
  const { allowed, code, decidedBy } = decision;
  const head = { allowed, code, decidedBy, status: cleanMap(decision.status, cleaner), warnings: decision.warnings.map(cleaner.text) };
  const auditAnnotations = lazy(() => cleanAnnotations(decision.auditAnnotations, cleaner));
  return withDecided(head, { auditAnnotations, object: lazy(() => cleanMap(decision.object, cleaner)) });
}

const withBody = sharedGetters<Pick<Answer, 'contentType' | 'body' | 'bytes'>>('contentType', 'body', 'bytes');
const withDecided = sharedGetters<Pick<Decision, 'auditAnnotations' | 'object'>>('auditAnnotations', 'object');

/** `deployment.apps/web created (server dry run)` */
const namesOnly = /^[\w.:-]+\/[\w.:-]+ (?:created|replaced|patched|serverside-applied|scaled|evicted|approved)(?: \(server dry run\))?$/;

function cleanTiming({ steps, durationMs }: CallSteps, { text, json }: Cleaner): CallSteps {
  // The object after a step is the one before the next step that changes it.
  const object = memoizeStrings(steps.length + 1, json);
  return {
    durationMs,
    steps: steps.map(step => ({
      ...step,
      ...(step.error === undefined ? {} : { error: text(step.error) }),
      ...(step.before === undefined ? {} : { before: object(step.before) }),
      ...(step.after === undefined ? {} : { after: object(step.after) }),
    })),
  };
}

function cleanActivity({ reads, writes }: ClientActivity, cleaner: Cleaner): ClientActivity {
  return { reads, writes: writes.map(write => ({ ...write, object: cleanMap(write.object, cleaner) ?? write.object })) };
}

function cleanConversion({ conversions, findings, notes, exchanges }: CaseConversion, cleaner: Cleaner): CaseConversion {
  return {
    conversions: conversions.map(made => cleanReported(made, cleaner)),
    ...(findings === undefined ? {} : { findings: findings.map(finding => cleanFinding(finding, cleaner)) }),
    notes: notes.map(cleaner.text),
    exchanges: exchanges.map(exchange => cleanExchange(exchange, cleaner)),
  };
}

function cleanReported(made: ReportedConversion, cleaner: Cleaner): ReportedConversion {
  const stored = cleanMap(made.stored, cleaner) ?? made.stored;
  if (made.outcome === 'failed') return { ...made, stored, message: cleaner.text(made.message) };
  return { ...made, stored, converted: cleanMap(made.converted, cleaner) ?? made.converted };
}

function cleanFinding({ message, fields, before, after, ...finding }: ConversionFinding, cleaner: Cleaner): ConversionFinding {
  return {
    ...finding,
    message: cleaner.text(message),
    fields: fields.map(field => ({
      ...field,
      before: cleanShown(field.field, field.before, cleaner),
      after: cleanShown(field.field, field.after, cleaner),
    })),
    before: cleanMap(before, cleaner),
    after: cleanMap(after, cleaner),
  };
}

/** A field's value in findings: JSON. A truncated structure cannot be searched. */
function cleanShown(field: string, json: string | null, cleaner: Cleaner): string | null {
  if (json === null) return null;
  const path = parseFieldPath(field);
  const name = 'error' in path ? '' : String(path.at(-1));
  const isCut = /^[[{]/.test(json) && jsonWithoutSecretsOf(json) === undefined;
  return isSecretName(name) || isCut ? redacted(json) : cleaner.json(json);
}

/** Memoized: for some webhooks of a call, a review is both in the webhook's report and among the exchanges. */
const reviewWithoutSecrets = memoizeStrings(8, review => jsonWithoutSecrets(review));

function cleanReview(review: string, { hide }: Cleaner): () => string {
  return lazy(() => hide(reviewWithoutSecrets(review)));
}

function cleanExchange({ call, answer }: WebhookExchange, cleaner: Cleaner): WebhookExchange {
  const { body, ...rest } = call;
  return { call: withReview(rest, { body: cleanReview(body, cleaner) }), answer: cleanAnswer(answer, body, cleaner) };
}

const withReview = sharedGetters<Pick<WebhookCall, 'body'>>('body');

function cleanEntry(entry: WebhookReport, cleaner: Cleaner): WebhookReport {
  const { text } = cleaner;
  const { change, requestBody, patch, ...rest } = entry;
  const { attributes, status, failure, exchange, warnings, auditAnnotations } = rest;
  const ofSecret = attributes.kind.group === '' && attributes.kind.kind === 'Secret';
  const shown = {
    ...rest,
    status: status?.message === undefined ? status : { ...status, message: text(status.message) },
    failure: failure === undefined ? undefined : { ...failure, message: text(failure.message) },
    exchange: exchange === undefined ? undefined : cleanExchange(exchange, cleaner),
    warnings: warnings.map(text),
    auditAnnotations: cleanAnnotations(auditAnnotations, cleaner),
  };
  return withTraffic(shown, {
    requestBody: requestBody === undefined ? () => undefined : cleanReview(requestBody, cleaner),
    patch: lazy(() => patchWithoutSecrets(patch, ofSecret).map(operation => withTexts(operation, cleaner.hide))),
    change: lazy(() => change && cleanChange(change, cleaner)),
  });
}

function cleanChange({ before, patched, after }: ObjectChange, { json }: Cleaner): ObjectChange {
  return { before: json(before), ...(patched === undefined ? {} : { patched: json(patched) }), after: json(after) };
}

const withTraffic = sharedGetters<Pick<WebhookReport, 'requestBody' | 'patch' | 'change'>>('requestBody', 'patch', 'change');

function cleanMap(map: ValueMap | undefined, { value }: Cleaner): ValueMap | undefined {
  const clean = map === undefined ? undefined : value(map);
  return isMap(clean) ? clean : undefined;
}

function cleanAnswer(answer: WebhookAnswer, asked: string, cleaner: Cleaner): WebhookAnswer {
  if (answer.outcome !== 'answered') return { ...answer, message: cleaner.text(answer.message) };
  const cleanPatch = (patch: Value[]): Value[] =>
    patchWithoutSecrets(patch, isAboutSecret(jsonWithoutSecretsOf(asked))).map(operation => withTexts(operation, cleaner.hide));
  const body = lazy(() => {
    const text = Buffer.from(answer.body).toString('utf8');
    const clean = cleaner.hide(jsonWithoutSecrets(text, review => withPatch(review, cleanPatch)));
    return clean === text ? answer.body : new Uint8Array(Buffer.from(clean));
  });
  const { body: _, ...rest } = answer;
  const headers = answer.headers.map(([name, value]) => [name, cleanHeader(name, value, cleaner)] as const);
  return withAnswered({ ...rest, headers }, { body });
}

const withAnswered = sharedGetters<Pick<Extract<WebhookAnswer, { outcome: 'answered' }>, 'body'>>('body');

function cleanHeader(name: string, value: string, { hide }: Cleaner): string {
  return everydayHeader.test(value) ? value : hide(headerWithoutSecrets(name, value));
}

/** What Go's and other servers send with every answer, which quotes nothing. */
const everydayHeader =
  /^(?:application\/json(?:; ?charset=utf-8)?|\d{1,5}|keep-alive|timeout=\d{1,3}|chunked|close|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/i;

/** The API server's mutation annotation contains the patch, which cannot be separated from it. */
function cleanAnnotations(annotations: Readonly<Record<string, string>>, cleaner: Cleaner): Record<string, string> {
  return Object.fromEntries(
    Object.entries(annotations).map(([key, text]) => {
      if (!key.startsWith('patch.webhook.admission.k8s.io/')) return [key, cleaner.text(text)];
      return [key, cleaner.hide(jsonWithoutSecrets(text, withCleanOperations))];
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

function cleanPolicy(entry: PolicyReport, cleaner: Cleaner): PolicyReport {
  const { text, json } = cleaner;
  return {
    ...entry,
    ...(entry.message === undefined ? {} : { message: text(entry.message) }),
    validations: entry.validations.map(one => (one.message === undefined ? one : { ...one, message: text(one.message) })),
    mutations: entry.mutations.map(one => (one.message === undefined ? one : { ...one, message: text(one.message) })),
    auditAnnotations: cleanAnnotations(entry.auditAnnotations, cleaner),
    ...(entry.change === undefined ? {} : { change: { before: json(entry.change.before), after: json(entry.change.after) } }),
  };
}
