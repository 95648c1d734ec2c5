import { memoizeInside } from '../../kubernetes/memoize.js';
import type { FailureClass, WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { Attributes } from '../admission/attributes.js';
import type { CallFailure, SkipReason, WebhookReport } from '../admission/webhook-report.js';
import type { FailedStage } from './failures/cause.js';
import { explainFailure } from './failures/cause-of.js';
import type { Invoked } from './invoke.js';
import type { WebhookInvocation } from './select.js';
import type { Webhook } from './webhook.js';

/** Returns the report's entry for a webhook that was not called. */
export function skippedEntry(
  webhook: Webhook,
  attributes: Attributes,
  at: { readonly round: 0 | 1; readonly reason: SkipReason },
): WebhookReport {
  return blankEntry(webhook, attributes, { round: at.round, outcome: 'skipped', skipReason: at.reason });
}

/** Returns the report's entry for a webhook whose selection failed, which refuses the request. */
export function refusingEntry(
  webhook: Webhook,
  attributes: Attributes,
  at: { readonly round: 0 | 1; readonly reason: SkipReason },
): WebhookReport {
  return { ...skippedEntry(webhook, attributes, at), outcome: 'internalError' };
}

/** Returns the report's entry for a webhook that was called (or should have been). The caller adds the effect of its patch. */
export function invokedEntry(
  invocation: WebhookInvocation,
  attributes: Attributes,
  at: { readonly round: 0 | 1; readonly invoked: Invoked },
): WebhookReport {
  const { invoked } = at;
  const { kind, resource, subresource } = invocation;
  return {
    ...blankEntry(invocation.webhook, attributes, {
      round: at.round,
      outcome: invoked.outcome === 'failed' ? 'callFailed' : invoked.outcome,
      skipReason: undefined,
    }),
    sent: invoked.requestBody === undefined ? undefined : { kind, resource, subResource: subresource },
    warnings: invoked.warnings,
    auditAnnotations: invoked.auditAnnotations,
    status: invoked.outcome === 'denied' ? invoked.status : undefined,
    failure: invoked.outcome === 'failed' ? callFailure(invoked.class, invoked.reason, invoked) : undefined,
    durationMs: invoked.durationMs,
    requestBody: invoked.requestBody,
    exchange: invoked.exchange,
  };
}

/** Returns a failure with its explanation: the API server's message, the reason, and what to do. */
export function callFailure(
  failureClass: FailureClass,
  message: string,
  failed: FailedStage & { readonly exchange?: WebhookExchange | undefined },
): CallFailure {
  const hasBundle = failed.exchange === undefined || failed.exchange.call.caBundle !== undefined;
  const { fault, why, try: attempt } = explainFailure(failureClass, failed, hasBundle);
  return { class: failureClass, message, fault, why, try: attempt };
}

/** Shared by all entries: a call may have thousands. */
const nothing = { warnings: [], auditAnnotations: {}, patch: [] } as const;

function blankEntry(
  webhook: Webhook,
  attributes: Attributes,
  { round, outcome, skipReason }: Pick<WebhookReport, 'outcome' | 'skipReason'> & { readonly round: 0 | 1 },
): WebhookReport {
  return {
    phase: webhook.phase,
    round: round + 1,
    configuration: webhook.configuration,
    webhook: webhook.name,
    attributes: reportedAttributes(attributes),
    outcome,
    skipReason,
    sent: undefined,
    warnings: nothing.warnings,
    auditAnnotations: nothing.auditAnnotations,
    patch: nothing.patch,
    change: undefined,
    status: undefined,
    failure: undefined,
    failurePolicy: webhook.failurePolicy,
    durationMs: undefined,
    requestBody: undefined,
  };
}

/** Shared by all entries of a request. */
const reportedAttributes = memoizeInside(
  ({ operation, kind, resource, subresource, name, namespace, dryRun }: Attributes): WebhookReport['attributes'] => {
    return { operation, kind, resource, subResource: subresource, name, namespace, dryRun };
  },
);
