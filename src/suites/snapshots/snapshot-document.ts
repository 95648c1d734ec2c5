import { structuredPatch } from 'diff';
import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import { isList, isMap, isRawJson, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../kubernetes/value.js';
import type { CaseCall } from '../results.js';
import type { Redaction, SuiteCase } from '../suite.js';
import { redactObject, redactPatch, redactText } from './redact.js';
import { patchWithoutSecrets, withoutSecrets } from './secrets.js';
import { type Mask, maskOf, type Period } from './volatile.js';

/**
 * What a case led to, as its snapshot says it: for every call what the client got, and what each webhook said and changed. What differs from run
 * to run is masked, secrets are redacted, what is empty is left out.
 */
export function snapshotDocument(
  { name, redactions }: Pick<SuiteCase, 'name' | 'redactions'>,
  calls: readonly CaseCall[],
  period: Period,
): ValueMap {
  const cleaning = { redactions, mask: maskOf(calls, period) };
  return new Map<string, Value>([
    ['case', name],
    ['calls', calls.map(call => callDocument(call, cleaning))],
  ]);
}

interface Cleaning {
  readonly redactions: readonly Redaction[];
  readonly mask: Mask;
}

function callDocument({ report }: CaseCall, cleaning: Cleaning): Value {
  const { allowed, code, status, warnings, auditAnnotations } = report.decision;
  const document = toValue({
    request: `${report.call.method} ${report.call.path}`,
    user: report.call.user.username,
    decision: withoutEmpty({ allowed, code, status, warnings, auditAnnotations: newsInAnnotations(auditAnnotations) }),
  });
  const said = stringAt(status, 'message');
  const webhooks = report.webhooks.filter(isNews).map(entry => entryDocument(entry, said, cleaning));
  const cleaned = cleanTexts(withoutSecrets(document), cleaning);
  return isMap(cleaned) ? new Map([...cleaned, ['webhooks', webhooks]]) : cleaned;
}

/** Without what the API server notes of every mutation: the patch stands below, where it can be read and redacted. */
function newsInAnnotations(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !/^(?:mutation|patch)\.webhook\.admission\.k8s\.io\//.test(key)));
}

/** A second round that calls nobody is the rule, and no news. */
function isNews({ outcome, skipReason }: WebhookReport): boolean {
  return outcome !== 'skipped' || skipReason?.predicate !== 'reinvocation';
}

/** `said` is what the client is told: a webhook's own words stand beside it where they are others. */
function entryDocument(entry: WebhookReport, said: string, cleaning: Cleaning): Value {
  const { phase, round, configuration, webhook, outcome, skipReason, warnings, auditAnnotations, failure, status } = entry;
  const document = toValue({
    ...{ phase, configuration, webhook, outcome },
    ...withoutEmpty({
      round: round === 1 ? undefined : round,
      skipped: skipReason?.predicate,
      message: outcome === 'denied' && status?.message !== said ? status?.message : undefined,
      failure: failure === undefined ? undefined : { class: failure.class, message: failure.message },
      warnings,
      auditAnnotations,
    }),
  });
  const patch = entry.patch.length === 0 ? [] : [['patch', cleanPatch(entry, cleaning)] as const];
  const changed = entry.change === undefined ? '' : changeDiff(entry.change, cleaning);
  const diff = changed === '' ? [] : [['diff', changed] as const];
  const cleaned = cleanTexts(withoutSecrets(document), cleaning);
  return isMap(cleaned) ? new Map<string, Value>([...cleaned, ...patch, ...diff]) : cleaned;
}

function cleanPatch({ patch, attributes }: WebhookReport, cleaning: Cleaning): Value {
  const { group, kind } = attributes.kind;
  const redactedPatch = redactPatch(patch, cleaning.redactions);
  return cleanTexts(patchWithoutSecrets(redactedPatch, group === '' && kind === 'Secret'), cleaning);
}

/** The object's change as a person reads it: the YAML's lines, three unchanged ones around each change. */
function changeDiff({ before, after }: { readonly before: string; readonly after: string }, cleaning: Cleaning): string {
  const { hunks } = structuredPatch('', '', yamlOf(before, cleaning), yamlOf(after, cleaning), '', '', { context: 3 });
  return hunks.flatMap(({ lines }) => ['...', ...lines.map(line => line.trimEnd())]).join('\n');
}

/** Without managedFields, which kubectl does not show either. */
function yamlOf(json: string, cleaning: Cleaning): string {
  const object = readUnstructured(json);
  mapAt(object, 'metadata')?.delete('managedFields');
  return writeYaml(cleanTexts(withoutSecrets(redactObject(object, cleaning.redactions)), cleaning));
}

/** Every text masked, keys aside. */
function cleanTexts(value: Value, cleaning: Cleaning): Value {
  if (typeof value === 'string') return cleaning.mask(redactText(value, cleaning.redactions));
  if (isRawJson(value)) return cleanTexts(readUnstructured(value.rawJson), cleaning);
  if (isList(value)) return value.map(item => cleanTexts(item, cleaning));
  return isMap(value) ? new Map([...value].map(([key, member]) => [key, cleanTexts(member, cleaning)])) : value;
}

function withoutEmpty(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined && !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && !(value instanceof Map) && Object.keys(value).length === 0;
}
