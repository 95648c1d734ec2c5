import { handleCall } from '../../apiserver/handle-call.js';
import type { Answer } from '../../apiserver/report.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import { serverOf } from '../../kubernetes/api-call.js';
import { asServer } from '../../kubernetes/as-server.js';
import { printWarningHeader } from '../../kubernetes/warning-header.js';
import type { WebhookCall } from '../../kubernetes/webhook-call.js';
import { effectsFor } from '../effects.js';
import { parentOfScale } from './parent-of-scale.js';
import { presumedTarget } from './presumed-target.js';
import type { RecordedCase } from './recorded-case.js';
import { scriptedReplies } from './scripted-replies.js';

/** A line of `request --case`: the bodies in the order sent, and what the client gets. */
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

/** A line of `match --case`: the same with whole Warning headers, and who was called in the review's own words. */
export interface MatchLine extends RequestLine {
  readonly called: readonly Record<string, unknown>[];
}

/** Runs a case without sending anything. */
export async function requestLine(recorded: RecordedCase): Promise<RequestLine> {
  const { callWebhook, calls } = scriptedReplies(recorded.replies);
  const report = await handleCall(recorded.call, recorded.state, effectsFor(callWebhook));
  return { name: recorded.name, reviews: calls.map(reviewOf), answer: report.answer };
}

/** Runs a case and tells who was called. */
export function matchLine(recorded: RecordedCase): Promise<MatchLine> {
  return asServer(serverOf(recorded.state), () => matched(recorded));
}

async function matched(recorded: RecordedCase): Promise<MatchLine> {
  const { call, state } = recorded;
  const given = state.objects.map(object => parentOfScale(object, call.path, state.objects) ?? object);
  const target = presumedTarget(call, { ...state, objects: given });
  const objects = target === undefined ? given : [...given, target];
  const line = await requestLine({ ...recorded, state: { ...state, objects } });
  return { ...line, answer: withWarningHeaders(line.answer), called: line.reviews.map(calledOf) };
}

/** A line of `lint --case`: what posting or changing this webhook configuration is answered, with whole Warning headers. */
export interface LintLine {
  readonly name: string;
  readonly answer: Answer;
}

/** Posts or changes a webhook configuration; no webhook is called for one. */
export async function lintLine(recorded: RecordedCase): Promise<LintLine> {
  const { before, call, state } = recorded;
  const stored = before === undefined ? [] : [await posted(before, recorded)];
  const { callWebhook } = scriptedReplies([]);
  const report = await handleCall(call, { ...state, objects: [...state.objects, ...stored] }, effectsFor(callWebhook));
  return { name: recorded.name, answer: withWarningHeaders(report.answer) };
}

/** Recordings of what is matched and linted hold the headers as they came: `299 - "..."`. */
function withWarningHeaders(answer: Answer): Answer {
  return { ...answer, warnings: answer.warnings.map(text => printWarningHeader({ code: 299, agent: '', text })) };
}

/** The configuration as the API server keeps it once this client has posted it. */
async function posted(configuration: ValueMap, { call, state }: RecordedCase): Promise<ValueMap> {
  const { callWebhook } = scriptedReplies([]);
  const collection = call.path.replace(/\?.*$/, '').replace(/\/[^/]*$/, '');
  const post = {
    ...call,
    method: 'POST',
    path: collection,
    contentType: 'application/json',
    body: Buffer.from(writeValue(configuration, 'kept')),
  };
  const report = await handleCall(post, state, effectsFor(callWebhook));
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

const reviewWords = [
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
  const words = reviewWords.flatMap(word => {
    const value = request?.get(word);
    return value === undefined ? [] : [[word, isMap(value) ? plain(value) : value]];
  });
  return { phase, configuration, webhook, apiVersion: stringAt(review, 'apiVersion'), ...Object.fromEntries(words) };
}

function plain(map: ValueMap): Record<string, unknown> {
  return Object.fromEntries(map);
}
