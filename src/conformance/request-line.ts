import { handleCall } from '../apiserver/handle-call.js';
import type { Answer } from '../apiserver/report.js';
import { readUnstructured } from '../encoding/unstructured.js';
import { writeValue } from '../go/json/write.js';
import { isMap, mapAt, stringAt, type ValueMap } from '../go/value.js';
import { printWarningHeader } from '../kubernetes/warning-header.js';
import type { WebhookCall } from '../kubernetes/webhook-call.js';
import type { CaseEffects } from './case-effects.js';
import { parentOfScale } from './parent-of-scale.js';
import { presumedTarget } from './presumed-target.js';
import type { RecordedCase } from './recorded-case.js';
import { scriptedReplies } from './scripted-replies.js';

/** Line of `request --case`: the bodies in the order sent, and the answer to the client. */
export interface RequestLine {
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
export interface MatchLine extends RequestLine {
  readonly called: readonly Record<string, unknown>[];
}

/** Runs a case without sending anything. */
export async function requestLine(recorded: RecordedCase, effects: CaseEffects): Promise<RequestLine> {
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
  const stored = before === undefined ? [] : [await posted(before, recorded, effects)];
  const { callWebhook } = scriptedReplies([]);
  const report = await handleCall(call, { ...state, objects: [...state.objects, ...stored] }, effects(callWebhook));
  return { name: recorded.name, answer: withWarningHeaders(report.answer) };
}

/** Recordings of selection and lint have the whole headers: `299 - "..."`. */
function withWarningHeaders(answer: Answer): Answer {
  return { ...answer, warnings: answer.warnings.map(text => printWarningHeader({ code: 299, agent: '', text })) };
}

/** Returns the configuration as the API server stores it when this client posts it. */
async function posted(configuration: ValueMap, { call, state }: RecordedCase, effects: CaseEffects): Promise<ValueMap> {
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

function reviewOf(call: WebhookCall): RequestLine['reviews'][number] {
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

function calledOf({ phase, configuration, webhook, body }: RequestLine['reviews'][number]): Record<string, unknown> {
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
