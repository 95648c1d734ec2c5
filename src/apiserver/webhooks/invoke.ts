import { decodeGoBase64 } from '../../go/base64.js';
import { quote } from '../../go/quote.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { CallStage } from '../../kubernetes/call-steps.js';
import { type GroupVersionKind, parseApiVersion, printKind } from '../../kubernetes/group-version.js';
import type { Status } from '../../kubernetes/status.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import type { FailureClass, Phase, WebhookAnswer, WebhookCall, WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import { annotate } from './audit.js';
import { addressOf, serviceResolver, targetOfWebhook, unusableBundle } from './client-config.js';
import { type FailedStage, reasonOf } from './failures/cause.js';
import { type ReviewResponse, readReview, type UnreadAnswer } from './read-review.js';
import { type ReviewVersion, reviewVersionOf, writeReview } from './review.js';
import type { WebhookInvocation } from './select.js';
import { statusOfResult } from './status-of.js';
import type { VersionedObjects } from './versioned-request.js';

/** Result of calling one webhook. A failure's reason is the text after `failed calling webhook "NAME": `. */
export type Invoked = Sent &
  (
    | { readonly outcome: 'allowed'; readonly patch: string | undefined; readonly patchType: string | undefined }
    | { readonly outcome: 'denied'; readonly status: Status }
    | ({ readonly outcome: 'failed'; readonly class: FailureClass; readonly reason: string } & FailedStage)
  );

/** Request sent, and the content of the response. */
interface Sent {
  readonly requestBody: string | undefined;
  /** Undefined when nothing was sent. */
  readonly exchange: WebhookExchange | undefined;
  readonly durationMs: number | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** `onStage` is called when a stage of the call begins. */
export type InvocationContext = AdmissionContext & { readonly onStage?: ((stage: CallStage) => void) | undefined };

const nothingSent: Sent = { requestBody: undefined, exchange: undefined, durationMs: undefined, warnings: [], auditAnnotations: {} };

/**
 * Calls one selected webhook and evaluates its response; records its warnings and audit annotations. Throws only errors that ignore the
 * failure policy. Source: apiserver mutating/dispatcher.go, validating/dispatcher.go.
 */
export async function invokeWebhook(
  invocation: WebhookInvocation,
  objects: VersionedObjects,
  attributes: Attributes,
  context: InvocationContext,
): Promise<Invoked> {
  const { webhook } = invocation;
  context.onStage?.('review');
  const refusal = dryRunRefusal(invocation, attributes);
  if (refusal !== undefined) return failure(nothingSent, 'review', { stage: undefined, message: refusal });
  const version = reviewVersionOf(webhook.reviewVersions);
  if (version === undefined) {
    const detail = 'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    return failure(nothingSent, 'review', { stage: undefined, message: detail });
  }
  const uid = context.effects.uid();
  const body = writeReview(attributes, { uid, version, invocation, objects });
  const { answer, exchange } = await sendReview(invocation, { apiVersion: `admission.k8s.io/${version}`, uid, body }, context);
  if (answer.outcome === 'noClient')
    return failure({ ...nothingSent, requestBody: body, exchange }, 'tls', { stage: 'client', message: answer.message });
  context.onStage?.('answer');
  const sent = { ...nothingSent, requestBody: body, exchange, durationMs: answer.durationMs };
  for (const [key, value] of Object.entries(answer.auditAnnotations ?? {})) annotate(context.record, key, value);
  if (answer.outcome === 'failed') {
    const { message, reason } = answer;
    const stage = reason === undefined ? 'answer' : 'request';
    return { ...failure(sent, answer.class, { stage, message: reason ?? message }), reason: `failed to call webhook: ${message}` };
  }
  return evaluateAnswer(invocation, { uid, version, answer, sent }, context);
}

type Failed = Extract<Invoked, { outcome: 'failed' }>;

function failure(sent: Sent, failureClass: FailureClass, { stage, message }: FailedStage): Failed {
  return { ...sent, outcome: 'failed', class: failureClass, stage, message, reason: reasonOf({ stage, message }) };
}

/** Returns the refusal of a dry run, which never calls a webhook that may have side effects. */
function dryRunRefusal({ webhook }: WebhookInvocation, attributes: Attributes): string | undefined {
  if (!attributes.dryRun) return undefined;
  if (webhook.sideEffects === undefined) return 'Webhook SideEffects is nil';
  if (webhook.sideEffects === 'None' || webhook.sideEffects === 'NoneOnDryRun') return undefined;
  throw badRequest(`admission webhook "${webhook.name}" does not support dry run`);
}

type Review = Pick<WebhookCall, 'apiVersion' | 'uid' | 'body'>;

interface AnsweredReview {
  readonly answer: WebhookAnswer;
  /** Undefined when nothing was sent. */
  readonly exchange?: WebhookExchange;
}

async function sendReview({ webhook }: WebhookInvocation, review: Review, context: InvocationContext): Promise<AnsweredReview> {
  const deadlineMs = Math.min(webhook.timeoutSeconds * 1000, context.remainingMs());
  const { routesToEndpoints } = context.state.options;
  const target = targetOfWebhook(webhook, serviceResolver(context.storage, routesToEndpoints, context.effects.random));
  if (typeof target === 'string') return { answer: { outcome: 'noClient', message: target } };
  const timeoutSeconds = Math.max(1, Math.ceil(deadlineMs / 1000));
  const url = `${target.url}?timeout=${timeoutSeconds}s`;
  const unsent = { outcome: 'failed', durationMs: 0 } as const;
  if (deadlineMs <= 0) return { answer: { ...unsent, class: 'time', message: 'context deadline exceeded' } };
  const { phase, configuration, name } = webhook;
  const call: Omit<WebhookCall, 'address'> = {
    phase,
    configuration,
    webhook: name,
    url,
    serverName: target.serverName,
    caBundle: webhook.clientConfig.caBundle.length === 0 ? undefined : webhook.clientConfig.caBundle,
    timeoutSeconds,
    deadlineMs,
    ...review,
  };
  const address = addressOf(target, webhook.clientConfig.service, context.effects);
  if ('unresolvable' in address) {
    // A client reads the bundle when it is made, and resolves the service when it connects.
    const unusable = unusableBundle(call.caBundle);
    if (unusable !== undefined) return { answer: { outcome: 'noClient', message: unusable } };
    const reason = address.unresolvable;
    return { answer: { ...unsent, class: 'dns', message: `Post "${url}": ${reason}`, reason } };
  }
  const sent = { ...call, address };
  const answer = await context.effects.callWebhook(sent, context.onStage);
  return { answer, exchange: { call: sent, answer } };
}

interface VerifiedExchange {
  readonly uid: string;
  readonly version: ReviewVersion;
  readonly answer: Extract<WebhookAnswer, { outcome: 'answered' }>;
  readonly sent: Sent;
}

function evaluateAnswer(
  { webhook }: WebhookInvocation,
  { uid, version, answer, sent }: VerifiedExchange,
  { server, record }: AdmissionContext,
): Invoked {
  const evaluation = evaluateResponse({
    server,
    phase: webhook.phase,
    reviewVersion: version,
    uid,
    webhook: webhook.name,
    response: { status: answer.statusCode, headers: answer.headers, body: answer.body },
  });
  if (evaluation.outcome === 'callError') return failure(sent, evaluation.class, { stage: 'answer', message: evaluation.message });
  if (evaluation.outcome === 'verifyError') return failure(sent, 'review', { stage: 'review', message: evaluation.message });
  const { warnings, auditAnnotations } = evaluation;
  for (const [key, value] of Object.entries(auditAnnotations)) annotate(record, `${webhook.name}/${key}`, value);
  record.warnings.push(...warnings);
  const accepted = { ...sent, warnings, auditAnnotations };
  if (evaluation.denial !== undefined) return { ...accepted, outcome: 'denied', status: evaluation.denial };
  return { ...accepted, outcome: 'allowed', patch: evaluation.patch, patchType: evaluation.patchType };
}

/** Response to a review, and the request that it must match. */
export interface ReviewAnswer {
  readonly server: ApiServer;
  readonly phase: Phase;
  readonly reviewVersion: ReviewVersion;
  /** UID of the request. */
  readonly uid: string;
  readonly webhook: string;
  readonly response: ReviewResponse;
}

/** Result of evaluating a response. */
export type ResponseEvaluation =
  /** The message follows `failed calling webhook "NAME": failed to call webhook: `; the Status is set when Go's error is one. */
  | ({ readonly outcome: 'callError' } & UnreadAnswer)
  /** The message follows `failed calling webhook "NAME": received invalid webhook response: `. */
  | { readonly outcome: 'verifyError'; readonly message: string }
  | ({ readonly outcome: 'verified' } & VerifiedResponse);

/** Valid response. */
interface VerifiedResponse {
  readonly allowed: boolean;
  /** Status for the client when the request is not allowed. */
  readonly denial: Status | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The undecoded patch; invalid UTF-8 as lone surrogates (see decodeUtf8Bytes). */
  readonly patch: string | undefined;
  readonly patchType: string | undefined;
}

/**
 * Evaluates a webhook's response as the API server's REST client and admission plugins do together: status, media type, decoding,
 * verification, and the Status of a refusal. Source: client-go rest/request.go, apiserver webhook/request/admissionreview.go.
 */
export function evaluateResponse(answer: ReviewAnswer): ResponseEvaluation {
  const kind = { group: 'admission.k8s.io', version: answer.reviewVersion, kind: 'AdmissionReview' };
  const read = readReview(answer.server, answer.response, kind);
  if ('message' in read) return { outcome: 'callError', ...read };
  const verified = verifyAdmissionResponse(read.review, answer);
  return typeof verified === 'string' ? { outcome: 'verifyError', message: verified } : { outcome: 'verified', ...verified };
}

/**
 * Verifies the response of a review, before `allowed` is used: a refusal with a wrong uid is not a refusal. Source: apiserver
 * webhook/request/admissionreview.go VerifyAdmissionResponse.
 */
function verifyAdmissionResponse(review: ValueMap, sent: ReviewAnswer): VerifiedResponse | string {
  const response = mapAt(review, 'response');
  if (response === undefined) return 'webhook response was absent';
  // A v1beta1 patch of a validating webhook is dropped, a v1 one is refused.
  const encoded = sent.phase === 'mutating' ? stringAt(response, 'patch') : '';
  const patch = encoded === '' ? undefined : decodeUtf8Bytes(decodeGoBase64(encoded));
  const refusal = sent.reviewVersion === 'v1' ? wrongV1(review, response, sent) : undefined;
  if (refusal !== undefined) return refusal;
  const allowed = response.get('allowed') === true;
  return {
    allowed,
    denial: allowed ? undefined : denialOf(sent.webhook, mapAt(response, 'status')),
    warnings: listAt(response, 'warnings').map(String),
    auditAnnotations: Object.fromEntries([...(mapAt(response, 'auditAnnotations') ?? [])].map(([key, value]) => [key, String(value)])),
    patch,
    // v1beta1 has only one type, regardless of the response.
    patchType: patch === undefined ? undefined : sent.reviewVersion === 'v1' ? stringAt(response, 'patchType') : 'JSONPatch',
  };
}

/** Returns the error in a v1 response; undefined when it is valid. */
function wrongV1(review: ValueMap, response: ValueMap, { uid, phase }: ReviewAnswer): string | undefined {
  const answered = stringAt(response, 'uid');
  if (answered !== uid) return `expected response.uid=${quote(uid)}, got ${quote(answered)}`;
  const kind = printKind(kindOf(review));
  if (kind !== expectedKind) return `expected webhook response of ${expectedKind}, got ${kind}`;
  const hasPatch = stringAt(response, 'patch') !== '';
  const patchType = response.get('patchType');
  if (phase === 'validating') {
    if (hasPatch) return 'validating webhook may not return response.patch';
    return patchType === undefined ? undefined : 'validating webhook may not return response.patchType';
  }
  if (hasPatch && patchType === undefined) return 'webhook returned response.patch but not response.patchType';
  if (!hasPatch && patchType !== undefined) return 'webhook returned response.patchType but not response.patch';
  return patchType === '' ? 'webhook returned invalid response.patchType of ""' : undefined;
}

const expectedKind = 'admission.k8s.io/v1, Kind=AdmissionReview';

function kindOf(review: ValueMap): GroupVersionKind {
  return { ...(parseApiVersion(stringAt(review, 'apiVersion')) ?? { group: '', version: '' }), kind: stringAt(review, 'kind') };
}

/**
 * Returns the Status of a refusal: always a failure that names the webhook. Source: apiserver webhook/errors/statuserror.go ToStatusErr.
 */
function denialOf(webhook: string, result: ValueMap | undefined): Status {
  const given = statusOfResult(result ?? new Map());
  const refused = `admission webhook ${quote(webhook)} denied the request`;
  const why = given.message ?? given.reason;
  return {
    ...given,
    status: given.status === '' || given.status === 'Success' ? 'Failure' : given.status,
    message: why === undefined ? `${refused} without explanation` : `${refused}: ${why}`,
    code: Math.max(given.code ?? 0, 400),
  };
}
