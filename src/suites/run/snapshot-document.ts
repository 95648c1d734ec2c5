import { structuredPatch } from 'diff/lib/patch/create.js';
import type { PolicyReport } from '../../apiserver/admission/policy-report.js';
import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { Report } from '../../apiserver/report/report.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import { isMap, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import type { ClientActivity, ClientWrite } from '../../kubernetes/client-activity.js';
import { lazy } from '../../kubernetes/memoize.js';
import { patchWithoutSecrets, withoutSecrets } from '../../redaction/secrets.js';
import type { ConversionRun, ReportedConversion } from '../conversions/conversion-run.js';
import { findingText } from '../expectations/conversion-expectations.js';
import type { CaseCall, CaseOutput } from '../results.js';
import { knownSecretsOf } from '../secrets-in-output.js';
import { type Cleaning, cleanObject, cleanTexts } from '../snapshots/cleaning.js';
import { redactPatch } from '../snapshots/redact.js';
import { maskOf, type Period } from '../snapshots/volatile.js';
import type { SuiteCase } from '../suite.js';

/**
 * Snapshot document of a case: for every call the client's answer, and each webhook's answer and changes; for a conversion case the
 * converted objects. Volatile values are masked, secrets redacted, and empty values omitted.
 */
export function snapshotDocument(
  { name, redactions }: Pick<SuiteCase, 'name' | 'redactions'>,
  output: CaseOutput,
  period: Period,
): ValueMap {
  const { calls, conversion } = output;
  const mask = maskOf(output, period);
  // Found on first use: most webhooks say nothing in which a secret could be quoted.
  const hide = lazy(() => knownSecretsOf(output, { mayQuote: quotesObject }));
  const cleaning = { redactions, mask: (text: string) => mask(hide()(text)), names: { redactions, mask } };
  if (conversion !== undefined) return new Map<string, Value>([['case', name], ...conversionDocument(conversion, cleaning)]);
  return new Map<string, Value>([
    ['case', name],
    ['calls', calls.map(call => callDocument(call, cleaning))],
  ]);
}

interface SnapshotCleaning extends Cleaning {
  /** For the names of what is called, which quote nothing. */
  readonly names: Cleaning;
}

/** Texts of webhooks that change nothing can only quote their requests; the object of the answer is encoded for this alone. */
function quotesObject({ decision: { warnings, auditAnnotations }, webhooks, policies = [], clientActivity }: Report): boolean {
  if (webhooks.some(({ patch }) => patch.length > 0)) return true;
  return warnings.length > 0 || policies.length > 0 || clientActivity !== undefined || Object.keys(auditAnnotations).length > 0;
}

function callDocument({ report, step }: CaseCall, cleaning: SnapshotCleaning): Value {
  const { allowed, code, status, warnings, auditAnnotations } = report.decision;
  const named = {
    ...(step === undefined ? {} : { step: step.name }),
    request: `${report.call.method} ${report.call.path}`,
    user: report.call.user.username,
  };
  const decision = withoutEmpty({ allowed, code, status, warnings, auditAnnotations: newsInAnnotations(auditAnnotations) });
  const said = stringAt(status, 'message');
  const webhooks = report.webhooks.filter(isNews).map(entry => entryDocument(entry, said, cleaning));
  const cleaned = cleanMembers([named, cleaning.names], [{ decision }, cleaning]);
  const policies = (report.policies ?? []).filter(isNews).map(entry => policySnapshot(entry, said, cleaning));
  const ofPolicies = policies.length === 0 ? [] : [['policies', policies] as const];
  const activity = report.clientActivity === undefined ? undefined : activityDocument(report.clientActivity, cleaning);
  const ofClients = activity === undefined ? [] : [['clientActivity', activity] as const];
  return new Map<string, Value>([...cleaned, ...ofPolicies, ['webhooks', webhooks], ...ofClients]);
}

/** The members of a document, each part cleaned in its own way. */
function cleanMembers(...parts: readonly (readonly [Readonly<Record<string, unknown>>, Cleaning])[]): (readonly [string, Value])[] {
  return parts.flatMap(([members, cleaning]) => {
    const cleaned = cleanTexts(withoutSecrets(toValue(members)), cleaning);
    return isMap(cleaned) ? [...cleaned] : [];
  });
}

/** Without the API server's mutation annotations: the patch is already in the document, where it is readable and redacted. */
function newsInAnnotations(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !/^(?:mutation|patch)\.webhook\.admission\.k8s\.io\//.test(key)));
}

/** A second round without calls is normal, and omitted. */
function isNews({ outcome, skipReason }: Pick<WebhookReport, 'skipReason'> & { readonly outcome: string }): boolean {
  return outcome !== 'skipped' || skipReason?.predicate !== 'reinvocation';
}

/** `said` is the message to the client: the webhook's own message is added if it differs. */
function entryDocument(entry: WebhookReport, said: string, cleaning: SnapshotCleaning): Value {
  const { phase, round, configuration, webhook, outcome, skipReason, warnings, auditAnnotations, failure, status } = entry;
  const skipped = withoutEmpty({ round: round === 1 ? undefined : round, skipped: skipReason?.predicate });
  const answered = withoutEmpty({
    message: outcome === 'denied' && status?.message !== said ? status?.message : undefined,
    failure: failure === undefined ? undefined : { class: failure.class, message: failure.message },
    warnings,
    auditAnnotations,
  });
  const patch = entry.patch.length === 0 ? [] : [['patch', cleanPatch(entry, cleaning)] as const];
  const changed = entry.change === undefined ? '' : changeDiff(entry.change, cleaning);
  const diff = changed === '' ? [] : [['diff', changed] as const];
  const cleaned = cleanMembers([{ phase, configuration, webhook, outcome, ...skipped }, cleaning.names], [answered, cleaning]);
  return new Map<string, Value>([...cleaned, ...patch, ...diff]);
}

function policySnapshot(entry: PolicyReport, said: string, cleaning: Cleaning): Value {
  const { phase, policy, binding, param, outcome, round, skipReason, validations, mutations, auditAnnotations, message } = entry;
  const unlessSaid = (text: string | undefined): string | undefined =>
    text === undefined || said.endsWith(`: ${text}`) ? undefined : text;
  const failureEntry = (one: { readonly index: number; readonly outcome: string; readonly message: string | undefined }) =>
    withoutEmpty({ index: one.index, outcome: one.outcome, message: unlessSaid(one.message) });
  const document = toValue({
    ...{ phase, policy, outcome },
    ...withoutEmpty({
      binding,
      param,
      round: round === 1 ? undefined : round,
      skipped: skipReason?.predicate,
      message: unlessSaid(message),
      validations: validations.filter(one => one.outcome !== 'true').map(failureEntry),
      mutations: mutations.filter(one => one.outcome !== 'applied').map(failureEntry),
      auditAnnotations,
    }),
  });
  const changed = entry.change === undefined ? '' : changeDiff(entry.change, cleaning);
  const diff = changed === '' ? [] : [['diff', changed] as const];
  const cleaned = cleanTexts(withoutSecrets(document), cleaning);
  return isMap(cleaned) ? new Map<string, Value>([...cleaned, ...diff]) : cleaned;
}

function cleanPatch({ patch, attributes }: WebhookReport, cleaning: Cleaning): Value {
  const { group, kind } = attributes.kind;
  const redactedPatch = redactPatch(patch, cleaning.redactions);
  return cleanTexts(patchWithoutSecrets(redactedPatch, group === '' && kind === 'Secret'), cleaning);
}

/** The object's change in readable form: lines of YAML, with three lines of context. */
function changeDiff({ before, after }: { readonly before: string; readonly after: string }, cleaning: Cleaning): string {
  const { hunks } = structuredPatch('', '', yamlOf(before, cleaning), yamlOf(after, cleaning), '', '', { context: 3 });
  return hunks.flatMap(({ lines }) => ['...', ...lines.map(line => line.trimEnd())]).join('\n');
}

/** Without managedFields, which kubectl does not show either. */
function yamlOf(json: string, cleaning: Cleaning): string {
  const object = readUnstructured(json);
  mapAt(object, 'metadata')?.delete('managedFields');
  return writeYaml(cleanObject(object, cleaning));
}

function withoutEmpty(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined && !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && !(value instanceof Map) && Object.keys(value).length === 0;
}

/** Snapshot of what clients of webhooks did during a call; undefined when they did nothing. */
function activityDocument({ reads, writes }: ClientActivity, cleaning: Cleaning): Value | undefined {
  if (reads.length === 0 && writes.length === 0) return undefined;
  return new Map<string, Value>([
    ...(reads.length === 0 ? [] : [['reads', cleanTexts([...reads], cleaning)] as const]),
    ...(writes.length === 0 ? [] : [['writes', writes.map(write => writeDocument(write, cleaning))] as const]),
  ]);
}

function writeDocument({ request, operation, object }: ClientWrite, cleaning: Cleaning): Value {
  return new Map<string, Value>([
    ['request', cleanTexts(request, cleaning)],
    ['operation', operation],
    ['object', cleanObject(withoutVolatileMetadata(object), cleaning)],
  ]);
}

/** Metadata that the API server generates for every write. */
const generated = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields']);

function withoutVolatileMetadata(object: ValueMap): ValueMap {
  const metadata = mapAt(object, 'metadata');
  if (!isMap(metadata)) return object;
  const stem = stringAt(metadata, 'generateName');
  const kept = new Map([...metadata].filter(([key]) => !generated.has(key)));
  if (stem !== '' && stringAt(metadata, 'name').startsWith(stem)) kept.set('name', `${stem}<suffix>`);
  return new Map<string, Value>([...object, ['metadata', kept]]);
}

/**
 * Snapshot document of conversions: every object in each version, or the API server's message for a failure; and the findings of the round
 * trips, if requested.
 */
function conversionDocument({ conversions, findings }: ConversionRun, cleaning: Cleaning): ValueMap {
  const found = (findings ?? []).map(findingText);
  return new Map<string, Value>([
    ['conversions', objectsOf(conversions).map(object => objectDocument(object, cleaning))],
    ...(found.length === 0 ? [] : [['findings', found.map(text => cleanTexts(withoutSecrets(text), cleaning))] as const]),
  ]);
}

/** The conversions of each object. Repeated objects are kept apart, even with the same name. */
function objectsOf(conversions: readonly ReportedConversion[]): ReportedConversion[][] {
  const objects: ReportedConversion[][] = [];
  for (const conversion of conversions) {
    const { object, from, to } = conversion;
    const own = objects.find(
      ([first, ...more]) => first?.object === object && first.from === from && ![first, ...more].some(made => made.to === to),
    );
    if (own === undefined) objects.push([conversion]);
    else own.push(conversion);
  }
  return objects;
}

function objectDocument(conversions: readonly ReportedConversion[], cleaning: Cleaning): Value {
  const [first] = conversions;
  return new Map<string, Value>([
    ['object', cleanTexts(first?.object ?? '', cleaning)],
    ['from', first?.from ?? ''],
    ['to', new Map(conversions.map(conversion => [conversion.to, outcomeDocument(conversion, cleaning)]))],
  ]);
}

function outcomeDocument(conversion: ReportedConversion, cleaning: Cleaning): Value {
  if (conversion.outcome === 'converted') return cleanObject(withoutServerMetadata(conversion.converted), cleaning);
  const { message, failure } = conversion;
  return cleanTexts(
    withoutSecrets(toValue({ failed: message, ...(failure?.class === undefined ? {} : { class: failure.class }) })),
    cleaning,
  );
}

/** Metadata that the API server sets itself, which no webhook can change. */
const serverMetadata: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'selfLink',
]);

function withoutServerMetadata(object: ValueMap): ValueMap {
  const metadata = mapAt(object, 'metadata');
  if (!isMap(metadata)) return object;
  return new Map([...object, ['metadata', new Map([...metadata].filter(([key]) => !serverMetadata.has(key)))]]);
}
