import { serverOptions } from '../../kubernetes/server-options.js';
import type { Status } from '../../kubernetes/status.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import type { FailureClass, WebhookAnswer, WebhookCall } from '../../kubernetes/webhook-call.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import type { ApiObject } from '../objects/api-object.js';
import { annotate } from './audit.js';
import { serviceResolver, targetOf } from './client-config.js';
import { judgeResponse } from './response.js';
import { type ReviewVersion, reviewVersionOf, writeReview } from './review.js';
import type { Invocation } from './select.js';

/** What came of calling one webhook. A failure's reason is what follows `failed calling webhook "NAME": `. */
export type Invoked = Exchange &
  (
    | { readonly outcome: 'allowed'; readonly patch: string | undefined; readonly patchType: string | undefined }
    | { readonly outcome: 'denied'; readonly status: Status }
    | { readonly outcome: 'failed'; readonly class: FailureClass; readonly reason: string }
  );

/** What was sent and heard on the way. */
export interface Exchange {
  readonly requestBody: string | undefined;
  readonly durationMs: number | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** The objects as the webhook is to get them: in the version its rule matched. */
export interface VersionedObjects {
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

const nothingSent: Exchange = { requestBody: undefined, durationMs: undefined, warnings: [], auditAnnotations: {} };

/**
 * Calls one selected webhook and judges its answer; records its warnings and audit annotations. Throws only what no
 * failure policy lets pass. Source: apiserver mutating/dispatcher.go, validating/dispatcher.go.
 */
export async function invokeWebhook(
  invocation: Invocation,
  objects: VersionedObjects,
  attributes: Attributes,
  context: AdmissionContext,
): Promise<Invoked> {
  const { webhook } = invocation;
  const refusal = dryRunRefusal(invocation, attributes);
  if (refusal !== undefined) return failure(nothingSent, 'review', refusal);
  const version = reviewVersionOf(webhook.reviewVersions);
  if (version === undefined) {
    return failure(
      nothingSent,
      'review',
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  }
  const uid = context.effects.uid();
  const body = writeReview(attributes, { uid, version, invocation, ...objects });
  const answer = await send(invocation, body, context);
  if (typeof answer === 'string') return failure({ ...nothingSent, requestBody: body }, 'tls', `could not get REST client: ${answer}`);
  if (answer.outcome === 'noClient')
    return failure({ ...nothingSent, requestBody: body }, 'tls', `could not get REST client: ${answer.message}`);
  const exchange = { ...nothingSent, requestBody: body, durationMs: answer.durationMs };
  for (const [key, value] of Object.entries(answer.auditAnnotations ?? {})) annotate(context.record, key, value);
  if (answer.outcome === 'failed') return failure(exchange, answer.class, `failed to call webhook: ${answer.message}`);
  return judged(invocation, { uid, version, answer, exchange }, context);
}

function failure(exchange: Exchange, failureClass: FailureClass, reason: string): Invoked {
  return { ...exchange, outcome: 'failed', class: failureClass, reason };
}

/** A dry run never reaches a webhook that may have side effects. */
function dryRunRefusal({ webhook }: Invocation, attributes: Attributes): string | undefined {
  if (!attributes.dryRun) return undefined;
  if (webhook.sideEffects === undefined) return 'Webhook SideEffects is nil';
  if (webhook.sideEffects === 'None' || webhook.sideEffects === 'NoneOnDryRun') return undefined;
  throw badRequest(`admission webhook "${webhook.name}" does not support dry run`);
}

/** A string is the reason why there is no client to send with. */
async function send({ webhook }: Invocation, body: string, context: AdmissionContext): Promise<WebhookAnswer | string> {
  const deadlineMs = Math.min(webhook.timeoutSeconds * 1000, context.remainingMs());
  const { routesToEndpoints } = serverOptions(context.state.flags);
  const target = targetOf(webhook, serviceResolver(context.storage, routesToEndpoints));
  if (typeof target === 'string') return target;
  const timeoutSeconds = Math.max(1, Math.ceil(deadlineMs / 1000));
  const url = `${target.url}?timeout=${timeoutSeconds}s`;
  if (deadlineMs <= 0) return { outcome: 'failed', class: 'time', message: 'context deadline exceeded', durationMs: 0 };
  const { phase, configuration, name } = webhook;
  const call: Omit<WebhookCall, 'address'> = {
    phase,
    configuration,
    webhook: name,
    url,
    serverName: target.serverName,
    caBundle: webhook.clientConfig.caBundle === '' ? undefined : webhook.clientConfig.caBundle,
    timeoutSeconds,
    deadlineMs,
    body,
  };
  const address = context.effects.serviceAddress?.(webhook.clientConfig.service) ?? target.address;
  if ('unresolvable' in address)
    return { outcome: 'failed', class: 'dns', message: `Post "${url}": ${address.unresolvable}`, durationMs: 0 };
  return context.effects.callWebhook({ ...call, address });
}

interface Heard {
  readonly uid: string;
  readonly version: ReviewVersion;
  readonly answer: Extract<WebhookAnswer, { outcome: 'answered' }>;
  readonly exchange: Exchange;
}

function judged({ webhook }: Invocation, { uid, version, answer, exchange }: Heard, { record }: AdmissionContext): Invoked {
  const judgement = judgeResponse({
    phase: webhook.phase,
    reviewVersion: version,
    uid,
    webhook: webhook.name,
    response: { status: answer.statusCode, headers: answer.headers, body: answer.body },
  });
  if (judgement.outcome === 'callError') return failure(exchange, judgement.class, `failed to call webhook: ${judgement.message}`);
  if (judgement.outcome === 'verifyError') return failure(exchange, 'review', `received invalid webhook response: ${judgement.message}`);
  const { warnings, auditAnnotations } = judgement;
  for (const [key, value] of Object.entries(auditAnnotations)) annotate(record, `${webhook.name}/${key}`, value);
  record.warnings.push(...warnings);
  const heard = { ...exchange, warnings, auditAnnotations };
  if (judgement.denial !== undefined) return { ...heard, outcome: 'denied', status: judgement.denial };
  return { ...heard, outcome: 'allowed', patch: judgement.patch, patchType: judgement.patchType };
}
