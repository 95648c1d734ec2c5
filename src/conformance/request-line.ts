import { queryOfRequest, requestInfoOf } from '../apiserver/call/request-info.js';
import { resourceNamed, servedBy } from '../apiserver/call/served-resources.js';
import { handleCall } from '../apiserver/handle-call.js';
import type { Answer } from '../apiserver/report/report.js';
import { readUnstructured } from '../encoding/unstructured.js';
import { writeValue } from '../go/json/write.js';
import { isMap, mapAt, stringAt, toValue, type ValueMap, valueAt } from '../go/value.js';
import type { ApiCall, ClusterState } from '../kubernetes/api-call.js';
import { isDefinition } from '../kubernetes/definition-resources.js';
import { apiVersionOf } from '../kubernetes/group-version.js';
import { builtInResources } from '../kubernetes/resource-table.js';
import { printWarningHeader } from '../kubernetes/warning-header.js';
import type { WebhookCall } from '../kubernetes/webhook-call.js';
import type { CaseEffects } from './case-effects.js';
import type { RecordedCase } from './recorded-case.js';
import { scriptedReplies } from './scripted-replies.js';

/** Line of `request --case`: the bodies in the order sent, and the answer to the client. */
export interface CaseRequestLine {
  readonly name: string;
  readonly reviews: readonly {
    readonly phase: string;
    readonly configuration: string;
    readonly webhook: string;
    readonly timeout: string;
    readonly body: string;
  }[];
  readonly answer: Answer;
}

/** Line of `match --case`: in addition whole Warning headers, and the webhooks called, with fields of their reviews. */
export interface MatchLine extends CaseRequestLine {
  readonly called: readonly Record<string, unknown>[];
}

/** Runs a case without sending anything. */
export async function requestLine(recorded: RecordedCase, effects: CaseEffects): Promise<CaseRequestLine> {
  const { callWebhook, calls } = scriptedReplies(recorded.replies);
  const report = await handleCall(recorded.call, recorded.state, effects(callWebhook));
  return { name: recorded.name, reviews: calls.map(reviewOf), answer: report.answer };
}

/** Runs a case without sending anything, and lists the webhooks called. */
export async function matchLine(recorded: RecordedCase, effects: CaseEffects): Promise<MatchLine> {
  const { call, state } = recorded;
  const given = state.objects.map(object => parentOfScale(object, call.path, state) ?? object);
  const target = presumedTarget(call, { ...state, objects: given }, effects(scriptedReplies([]).callWebhook).uid);
  const objects = target === undefined ? given : [...given, target];
  const line = await requestLine({ ...recorded, state: { ...state, objects } }, effects);
  return { ...line, answer: withWarningHeaders(line.answer), called: line.reviews.map(calledOf) };
}

/** Line of `lint --case`: the answer to posting or changing a webhook configuration, with whole Warning headers. */
export interface LintLine {
  readonly name: string;
  readonly answer: Answer;
}

/** Posts or changes a webhook configuration; webhooks are not called for configurations. */
export async function lintLine(recorded: RecordedCase, effects: CaseEffects): Promise<LintLine> {
  const { before, call, state } = recorded;
  const stored = before === undefined ? [] : [await postAsClient(before, recorded, effects)];
  const { callWebhook } = scriptedReplies([]);
  const report = await handleCall(call, { ...state, objects: [...state.objects, ...stored] }, effects(callWebhook));
  return { name: recorded.name, answer: withWarningHeaders(report.answer) };
}

/** Recordings of selection and lint have the whole headers: `299 - "..."`. */
function withWarningHeaders(answer: Answer): Answer {
  return { ...answer, warnings: answer.warnings.map(text => printWarningHeader({ code: 299, agent: '', text })) };
}

/** Returns the configuration as the API server stores it when this client posts it. */
async function postAsClient(configuration: ValueMap, { call, state }: RecordedCase, effects: CaseEffects): Promise<ValueMap> {
  const { callWebhook } = scriptedReplies([]);
  const collection = call.path.replace(/\?.*$/, '').replace(/\/[^/]*$/, '');
  const post = {
    ...call,
    method: 'POST',
    path: collection,
    contentType: 'application/json',
    body: Buffer.from(writeValue(configuration, 'kept')),
  };
  const report = await handleCall(post, state, effects(callWebhook));
  return report.decision.object ?? configuration;
}

function reviewOf(call: WebhookCall): CaseRequestLine['reviews'][number] {
  return {
    phase: call.phase,
    configuration: call.configuration,
    webhook: call.webhook,
    timeout: `${call.timeoutSeconds}s`,
    body: call.body,
  };
}

const reviewFields = [
  'kind',
  'resource',
  'subResource',
  'requestKind',
  'requestResource',
  'requestSubResource',
  'name',
  'namespace',
  'operation',
];

function calledOf({ phase, configuration, webhook, body }: CaseRequestLine['reviews'][number]): Record<string, unknown> {
  const review = readUnstructured(body);
  const request = mapAt(review, 'request');
  const fields = reviewFields.flatMap(field => {
    const value = request?.get(field);
    return value === undefined ? [] : [[field, isMap(value) ? plain(value) : value]];
  });
  return { phase, configuration, webhook, apiVersion: stringAt(review, 'apiVersion'), ...Object.fromEntries(fields) };
}

function plain(map: ValueMap): Record<string, unknown> {
  return Object.fromEntries(map);
}

const scalePath = /^\/(?:api\/|apis\/([^/]+)\/)([^/]+)\/namespaces\/[^/]+\/([^/]+)\/[^/]+\/scale(?:\?|$)/;

/**
 * Returns the object of a stored Scale, as kubectl would have posted it: cases contain the result of a GET of the subresource. Undefined
 * when the path is not that of a Scale.
 */
function parentOfScale(scale: ValueMap, path: string, { server, objects }: Pick<ClusterState, 'server' | 'objects'>): ValueMap | undefined {
  const [, group = '', version = '', resource = ''] = scalePath.exec(path) ?? [];
  const kind = kindOf({ group, version, resource }, { server, objects });
  if (stringAt(scale, 'kind') !== 'Scale' || kind === undefined) return undefined;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const labels = labelsIn(stringAt(scale, 'status', 'selector'));
  const owner = {
    manager: 'kubectl',
    operation: 'Update',
    apiVersion,
    time: stringAt(scale, 'metadata', 'creationTimestamp'),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
  };
  const metadata = new Map([...(mapAt(scale, 'metadata') ?? []), ['managedFields', toValue([owner])] as const]);
  const replicas = valueAt(scale, 'spec', 'replicas') ?? 0n;
  const spec = labels.size === 0 ? { replicas } : { replicas, ...workload(labels, group) };
  const parent = toValue({ kind, apiVersion, spec });
  return isMap(parent) ? parent.set('metadata', metadata) : undefined;
}

function kindOf(
  at: { group: string; version: string; resource: string },
  { server, objects }: Pick<ClusterState, 'server' | 'objects'>,
): string | undefined {
  const definition = objects.find(
    o => isDefinition(o) && stringAt(o, 'spec', 'group') === at.group && stringAt(o, 'spec', 'names', 'plural') === at.resource,
  );
  if (definition !== undefined) return stringAt(definition, 'spec', 'names', 'kind');
  return resourceNamed(builtInResources(server, 'all'), at)?.kind.kind;
}

function labelsIn(selector: string): Map<string, string> {
  const pairs = selector.split(',').map(text => text.split('='));
  return new Map(pairs.flatMap(([key, value]) => (key === undefined || value === undefined ? [] : [[key, value] as const])));
}

/** Selectors of the core group are plain labels. */
function workload(labels: ReadonlyMap<string, string>, group: string): Record<string, unknown> {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  return { selector: group === '' ? labels : { matchLabels: labels }, template };
}

/** Subresources of pods, nodes and service accounts whose reviews do not contain the object. */
const unseen: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy', 'eviction', 'binding', 'token', 'log']);

/**
 * Returns the object that a call needs and no review contains: the object of a read, the pod, node or service account of a connection,
 * eviction, binding or token. Cases about selection omit it. Undefined for other calls, and when the state contains it.
 */
export function presumedTarget({ method, path }: ApiCall, state: ClusterState, uid: () => string): ValueMap | undefined {
  const info = requestInfoOf(path);
  if (info.type === 'other' || info.name === '') return undefined;
  const { group, version, name, subresource } = info;
  const isRead = (method === 'GET' || method === 'HEAD') && subresource === '';
  if (!isRead && !(unseen.has(subresource) && info.resource !== 'services')) return undefined;
  const resource = resourceNamed(servedBy(state), info);
  if (resource === undefined) return undefined;
  const { kind } = resource.kind;
  const namespace = resource.namespaced ? info.namespace : '';
  const isThere = state.objects.some(
    o => stringAt(o, 'kind') === kind && stringAt(o, 'metadata', 'name') === name && stringAt(o, 'metadata', 'namespace') === namespace,
  );
  if (isThere) return undefined;
  const metadata = { name, ...(namespace === '' ? {} : { namespace }), uid: uid() };
  const spec = kind === 'Pod' ? { spec: { containers: [{ name: containerIn(path) }] } } : {};
  return toValue({ kind, apiVersion: apiVersionOf({ group, version }), metadata, ...spec }) as ValueMap;
}

/** Returns the container of a stream. */
function containerIn(path: string): string {
  return queryOfRequest(path).get('container')?.[0] ?? 'app';
}
