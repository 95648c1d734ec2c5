import { queryOfRequest, requestInfoOf } from '../apiserver/call/request-info.js';
import { resourceNamed, servedBy } from '../apiserver/call/served-resources.js';
import { handleCall } from '../apiserver/handle-call.js';
import { writeValue } from '../go/json/write.js';
import { isMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { apiVersionOf } from '../kubernetes/group-version.js';
import type { Resource } from '../kubernetes/resource-table.js';
import { parseSelectorText } from '../kubernetes/selector-text.js';
import type { CaseEffects } from './case-effects.js';
import type { CaseFile } from './case-file.js';
import { type RecordedCase, recordedCase } from './recorded-case.js';
import { scriptedReplies } from './scripted-replies.js';

/** Line of `match --case` for a case with expressions: the answer to posting them, and their result under both failure policies. */
export interface ExpressionLine {
  readonly name: string;
  readonly configuration: { readonly status: number; readonly message?: string; readonly causes?: readonly unknown[] };
  readonly Ignore?: Decided;
  readonly Fail?: Decided;
}

export interface Decided {
  readonly outcome: 'called' | 'skipped' | 'refused';
  /** The answer to the client, when the call is refused. */
  readonly answer?: { readonly status: number; readonly body: string };
}

/** Reports whether the case is about expressions. */
export function hasExpressions(entry: Value): boolean {
  return valueAt(entry, 'expression') !== undefined || valueAt(entry, 'expressions') !== undefined;
}

/** Results of a case's expressions. */
export interface ExpressionOutcomes {
  /** The answer to posting a webhook with the conditions. */
  readonly posted: () => Promise<ExpressionLine['configuration']>;
  /** The result of the case's call with that webhook. */
  readonly decided: (failurePolicy: FailurePolicy) => Promise<Decided>;
}

type FailurePolicy = 'Ignore' | 'Fail';

/** Posts a webhook with the conditions, then makes the case's call with it, once with each failure policy. */
export async function makeExpressionLine(entry: Value, file: CaseFile, effects: CaseEffects): Promise<ExpressionLine> {
  const name = stringAt(entry, 'name');
  const { posted, decided } = expressionOutcomes(entry, file, effects);
  const configuration = await posted();
  if (configuration.status >= 300) return { name, configuration };
  const Ignore = await decided('Ignore');
  return { name, configuration, Ignore, Fail: await decided('Fail') };
}

/** Returns what makeExpressionLine does, step by step: an expression at the limit of its cost takes long. Throws if the case names no known call. */
export function expressionOutcomes(entry: Value, file: CaseFile, effects: CaseEffects): ExpressionOutcomes {
  const name = stringAt(entry, 'name');
  const target = mapAt(file.document, 'calls', stringAt(entry, 'call'));
  if (target === undefined) throw new Error('unknown call');
  const inputs: ValueMap = new Map([
    ['name', name],
    ['apiserver', valueAt(entry, 'apiserver') ?? null],
    ['call', target.get('call') ?? null],
    ['stored', target.get('stored') ?? null],
  ]);
  const recorded = completed(recordedCase(inputs, file, effects(scriptedReplies([]).callWebhook).uid));
  const rule = target.get('rule') ?? null;
  const configure = (failurePolicy: FailurePolicy) => configurationWith(expressionsOf(entry), { failurePolicy, rule });
  return {
    posted: () => postConfiguration(configure('Fail'), recorded, effects),
    decided: failurePolicy => decideWithPolicies(configure(failurePolicy), recorded, effects),
  };
}

/** Adds the objects without which the call fails before its webhooks are considered. */
function completed(recorded: RecordedCase): RecordedCase {
  const { state } = recorded;
  return { ...recorded, state: { ...state, objects: [...state.objects, ...standIns(recorded)] } };
}

function expressionsOf(entry: Value): readonly string[] {
  const several = valueAt(entry, 'expressions');
  return several === undefined ? [stringAt(entry, 'expression')] : listAt(entry, 'expressions').map(String);
}

function configurationWith(expressions: readonly string[], webhook: { failurePolicy: string; rule: Value }): Value {
  return toValue({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'try' },
    webhooks: [
      {
        name: 'w1.example.com',
        clientConfig: { url: 'https://127.0.0.1:8443/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        failurePolicy: webhook.failurePolicy,
        rules: [webhook.rule],
        matchConditions: expressions.map((expression, i) => ({ name: i === 0 ? 'c' : `c${i}`, expression })),
      },
    ],
  });
}

async function postConfiguration(
  configuration: Value,
  { state }: RecordedCase,
  effects: CaseEffects,
): Promise<ExpressionLine['configuration']> {
  const call = {
    method: 'POST',
    path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    contentType: 'application/json',
    body: Buffer.from(writeValue(configuration, 'kept')),
  };
  const { decision } = await handleCall(call, state, effects(scriptedReplies([]).callWebhook));
  if (decision.code < 300) return { status: decision.code };
  const causes = listAt(decision.status, 'details', 'causes');
  return { status: decision.code, message: stringAt(decision.status, 'message'), causes: causes.map(plain) };
}

async function decideWithPolicies(configuration: Value, { call, state }: RecordedCase, effects: CaseEffects): Promise<Decided> {
  const { callWebhook, calls } = scriptedReplies([]);
  const objects = isMap(configuration) ? [...state.objects, configuration] : state.objects;
  const { answer, webhooks } = await handleCall(call, { ...state, objects }, effects(callWebhook));
  if (calls.length > 0) return { outcome: 'called' };
  // The call may fail after its webhooks were skipped: the pod of a connection may not exist.
  if (webhooks.some(({ outcome, skipReason }) => outcome === 'skipped' && skipReason?.predicate === 'matchConditions'))
    return { outcome: 'skipped' };
  return { outcome: 'refused', answer: { status: answer.status, body: answer.body } };
}

function plain(cause: Value): unknown {
  return isMap(cause) ? Object.fromEntries(cause) : cause;
}

/**
 * Returns objects that a call needs and its case omits: the workload of the stored Scale, and one object of a collection that is deleted.
 */
function standIns({ call, state }: RecordedCase): readonly ValueMap[] {
  const info = requestInfoOf(call.path);
  if (info.type === 'other') return [];
  const { namespace, name } = info;
  const resource = resourceNamed(servedBy(state), info);
  if (resource === undefined) return [];
  const { kind } = resource.kind;
  if (state.objects.some(object => stringAt(object, 'kind') === kind)) return [];
  const scale = state.objects.find(object => stringAt(object, 'kind') === 'Scale' && stringAt(object, 'metadata', 'name') === name);
  if (info.subresource === 'scale' && scale !== undefined) return [workloadOf(state.server, scale, resource)];
  if (call.method !== 'DELETE' || name !== '') return [];
  const [selector = ''] = queryOfRequest(call.path).get('labelSelector') ?? [];
  return [objectOf(resource, { name: 'one', namespace, labels: labelsFor(state.server, selector) }, {})];
}

function workloadOf(server: ApiServer, scale: ValueMap, resource: Resource): ValueMap {
  const labels = labelsFor(server, stringAt(scale, 'status', 'selector'));
  const replicas = valueAt(scale, 'spec', 'replicas') ?? null;
  const container = { name: 'app', image: 'app' };
  const spec = { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } };
  const current = valueAt(scale, 'status', 'replicas') ?? null;
  return objectOf(resource, mapAt(scale, 'metadata') ?? new Map(), { spec, status: { replicas: current } });
}

/** Returns labels that match a selector in text form. */
function labelsFor(server: ApiServer, selector: string): Record<string, string> {
  return Object.fromEntries(parseSelectorText(server, selector).map(({ key, values }) => [key, values[0] ?? '']));
}

function objectOf({ group, version, kind }: Resource, metadata: unknown, rest: object): ValueMap {
  const value: Value = toValue({ apiVersion: apiVersionOf({ group, version }), kind: kind.kind, metadata, ...rest });
  if (!isMap(value)) throw new Error('an object becomes a map');
  return value;
}
