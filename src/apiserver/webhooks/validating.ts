import { StatusError } from '../../kubernetes/status.js';
import { internalError, timeout } from '../../kubernetes/status-errors.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../admission/chain.js';
import type { WebhookReport } from '../admission/webhook-report.js';
import { annotateFailOpen } from './audit.js';
import { checkMatchConditions } from './conditions.js';
import { type Invoked, invokeWebhook } from './invoke.js';
import { type WebhookInvocation, webhookSelector } from './select.js';
import { type VersionedObjects, versionedObjects } from './versioned-request.js';
import { webhooksOf } from './webhook.js';
import { invokedEntry, skippedEntry } from './webhook-entry.js';

/**
 * Returns the plugin that calls validating webhooks: all are selected first, then called concurrently; the first refusal to arrive is the
 * answer. Source: apiserver plugin/webhook/validating/{plugin,dispatcher}.go.
 */
export function validatingWebhooks(): AdmissionPlugin {
  return { name: 'ValidatingAdmissionWebhook', operations: ['CONNECT', 'CREATE', 'DELETE', 'UPDATE'], validate: dispatchValidating };
}

interface Selected {
  readonly invocation: WebhookInvocation;
  readonly objects: VersionedObjects;
  /** Index of its entry in the report. */
  readonly at: number;
}

async function dispatchValidating(attributes: Attributes, context: AdmissionContext): Promise<void> {
  const { steps } = context.effects;
  if (webhooksOf(context.storage, 'validating').length > 0) steps?.enter({ kind: 'selection', phase: 'validating' });
  const selected = await selectAll(attributes, context);
  if (selected.length === 0) return;
  if (context.remainingMs() <= 0) throw timeout('request did not complete within requested timeout', 0);
  steps?.enter(undefined);
  const refusals: { readonly at: number | undefined; readonly error: Error }[] = [];
  await Promise.all(
    selected.map(async (one, index) => {
      const refusal = await callHook(one, index, attributes, context);
      if (refusal !== undefined) refusals.push(refusal);
    }),
  );
  steps?.enter({ kind: 'plugin', phase: 'validating', name: 'ValidatingAdmissionWebhook' });
  const [first] = refusals;
  if (first === undefined) return;
  context.record.decidedBy = first.at;
  throw first.error;
}

async function selectAll(attributes: Attributes, context: AdmissionContext): Promise<Selected[]> {
  const selected: Selected[] = [];
  const { webhooks: entries } = context.record;
  const objectsIn = versionedObjects(attributes, context);
  const select = webhookSelector(attributes, context);
  for (const webhook of webhooksOf(context.storage, 'validating')) {
    const selection = select(webhook);
    if (selection.outcome === 'skipped') {
      entries.push(skippedEntry(webhook, attributes, { round: 0, reason: selection.reason }));
      continue;
    }
    const { invocation } = selection;
    const objects = await objectsIn(invocation.kind);
    const conditions = await checkMatchConditions(invocation, objects, attributes, context);
    if (conditions !== undefined) entries.push(skippedEntry(webhook, attributes, { round: 0, reason: conditions }));
    else selected.push({ invocation, objects, at: entries.push(placeholder(invocation, attributes)) - 1 });
  }
  return selected;
}

/** Reserves the webhook's place in the report until its response arrives. */
function placeholder(invocation: WebhookInvocation, attributes: Attributes): WebhookReport {
  return skippedEntry(invocation.webhook, attributes, {
    round: 0,
    reason: { predicate: 'exempt', detail: 'not called: the request ended before' },
  });
}

/** Calls one webhook; returns the error that refuses the request, with its entry's index when the webhook itself refuses. */
async function callHook(
  { invocation, objects, at }: Selected,
  index: number,
  attributes: Attributes,
  context: AdmissionContext,
): Promise<{ readonly at: number | undefined; readonly error: Error } | undefined> {
  const { webhook } = invocation;
  const step = context.effects.steps?.beside({
    kind: 'webhook',
    phase: 'validating',
    name: webhook.name,
    timeoutMs: webhook.timeoutSeconds * 1000,
  });
  let invoked: Invoked;
  try {
    invoked = await invokeWebhook(invocation, objects, attributes, { ...context, onStage: step?.stage });
  } catch (error) {
    step?.end(at);
    return { at: undefined, error: error instanceof Error ? error : new Error(String(error)) };
  }
  step?.end(at);
  context.record.webhooks[at] = invokedEntry(invocation, attributes, { round: 0, invoked });
  if (invoked.outcome === 'denied') return { at, error: new StatusError(invoked.status) };
  if (invoked.outcome !== 'failed') return undefined;
  if (webhook.failurePolicy === 'Fail') return { at, error: internalError(`failed calling webhook "${webhook.name}": ${invoked.reason}`) };
  annotateFailOpen(context.record, webhook, { round: 0, index });
  return undefined;
}
