import { copyOf, listAt, type ValueMap } from '../../go/value.js';
import { AbortedConnection, StatusError } from '../../kubernetes/status.js';
import { internalError, timeout } from '../../kubernetes/status-errors.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../admission/chain.js';
import type { SkipReason, WebhookReport } from '../admission/webhook-report.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { encodedObject } from '../objects/encoded-object.js';
import { semanticallyEqual } from '../objects/semantic-equality.js';
import { havePreciseTime } from '../patches/managed-fields/entries.js';
import { applyPatch, type Patched } from './apply-patch.js';
import { annotateFailOpen, annotateMutation, annotatePatch, type CallPosition } from './audit.js';
import { checkMatchConditions } from './conditions.js';
import { reasonOf } from './failures/cause.js';
import { type Invoked, invokeWebhook } from './invoke.js';
import { type WebhookInvocation, type WebhookSelection, webhookSelector } from './select.js';
import { type VersionedObjects, type VersionedRequest, versionedRequest } from './versioned-request.js';
import { type Webhook, webhooksOf } from './webhook.js';
import { callFailure, invokedEntry, skippedEntry } from './webhook-entry.js';

/** State that the plugin keeps from its first pass. */
interface Memory {
  previouslyInvoked: Set<string>;
  reinvoke: Set<string>;
  lastOutput: ValueMap | undefined;
  /** Whether the object was decoded from a patch's result before. */
  readAgain: boolean;
}

/**
 * Returns the plugin that calls mutating webhooks: one after another, each selected against the object as patched so far. One webhook's call
 * is in invoke.ts, its patch in apply-patch.ts. Source: apiserver plugin/webhook/mutating/{plugin,dispatcher,reinvocationcontext}.go.
 */
export function mutatingWebhooks(): AdmissionPlugin {
  const memory: Memory = { previouslyInvoked: new Set(), reinvoke: new Set(), lastOutput: undefined, readAgain: false };
  return {
    name: 'MutatingAdmissionWebhook',
    operations: ['CONNECT', 'CREATE', 'DELETE', 'UPDATE'],
    admit: (attributes, context) => dispatchMutating(attributes, context, memory),
  };
}

/** Context of one webhook's turn. */
interface Turn {
  readonly place: CallPosition;
  readonly attributes: Attributes;
  readonly context: AdmissionContext;
  readonly memory: Memory;
  readonly versioned: VersionedRequest;
}

async function dispatchMutating(attributes: Attributes, context: AdmissionContext, memory: Memory): Promise<void> {
  const webhooks = webhooksOf(context.storage, 'mutating');
  const round = context.reinvocation.isReinvoke ? 1 : 0;
  const { object } = attributes;
  if (webhooks.length > 0) enterSelection(attributes, context);
  if (round === 1 && object !== undefined && !isLastOutput(object, memory)) reinvokeAll(memory);
  const versioned = versionedRequest(attributes, context);
  let select: ((webhook: Webhook) => WebhookSelection) | undefined;
  try {
    let index = -1;
    for (const webhook of webhooks) {
      index += 1;
      select ??= webhookSelector(versioned.attributes(), context);
      const selection = select(webhook);
      // Most are skipped, and none of them waits.
      if (selection.outcome === 'skipped') {
        context.record.webhooks.push(skippedEntry(webhook, attributes, { round, reason: selection.reason }));
        continue;
      }
      await dispatchToWebhook(selection.invocation, { place: { round, index }, attributes, context, memory, versioned });
      select = undefined;
    }
    await versioned.finish();
  } finally {
    // Only a second pass needs the output of the first one.
    memory.lastOutput = object !== undefined && context.reinvocation.shouldReinvoke ? copyOf(object.value) : undefined;
  }
}

/** Reports whether no other plugin changed the object since the first pass. */
function isLastOutput({ value, codec }: ApiObject, { lastOutput }: Memory): boolean {
  return lastOutput !== undefined && semanticallyEqual(codec.server, lastOutput, value, codec);
}

function enterSelection({ object }: Attributes, { effects, reinvocation }: AdmissionContext): void {
  effects.steps?.enter({ kind: 'selection', phase: 'mutating', round: reinvocation.isReinvoke ? 2 : 1 }, encodedObject(object));
}

function skip(webhook: Webhook, reason: SkipReason, { place, attributes, context }: Turn): void {
  context.record.webhooks.push(skippedEntry(webhook, attributes, { round: place.round, reason }));
}

/** Calls a selected webhook, unless its conditions or the rules of the second pass skip it. */
async function dispatchToWebhook(invocation: WebhookInvocation, turn: Turn): Promise<void> {
  const { place, attributes, context, memory } = turn;
  const { webhook } = invocation;
  if (webhook.matchConditions.length > 0) {
    const objects = await convertForMutating(invocation, turn.versioned);
    const conditions = await checkMatchConditions(invocation, objects, attributes, context);
    if (conditions !== undefined) return skip(webhook, conditions, turn);
  }
  if (place.round === 1 && !memory.reinvoke.has(webhook.identity))
    return skip(webhook, { predicate: 'reinvocation', detail: 'nothing changed after its first call that asks for another' }, turn);
  context.effects.steps?.enter({
    kind: 'webhook',
    phase: 'mutating',
    name: webhook.name,
    round: place.round + 1,
    timeoutMs: webhook.timeoutSeconds * 1000,
  });
  const at = context.record.webhooks.length;
  try {
    await callAndAnnotate(invocation, turn);
  } finally {
    if (context.record.webhooks.length > at) context.effects.steps?.called(at);
  }
  enterSelection(turn.versioned.attributes(), context);
}

/** Converts the objects; in this phase a failed conversion is wrapped once more. Source: apiserver mutating/dispatcher.go. */
async function convertForMutating({ kind }: WebhookInvocation, versioned: VersionedRequest): Promise<VersionedObjects> {
  try {
    return await versioned.objectsIn(kind);
  } catch (error) {
    throw error instanceof StatusError && error.status.reason === 'InternalError' ? internalError(error.message) : error;
  }
}

/** Calls the webhook, and notes whether it changed the object, and what that means for a second pass. */
async function callAndAnnotate(invocation: WebhookInvocation, turn: Turn): Promise<void> {
  const { place, context, memory } = turn;
  const { webhook } = invocation;
  let changed = false;
  let isPanic = false;
  try {
    changed = await callAttrMutatingHook(invocation, turn);
  } catch (error) {
    isPanic = error instanceof AbortedConnection;
    throw error;
  } finally {
    if (!isPanic) annotateMutation(context.record, webhook, place, changed);
    if (changed) {
      reinvokeAll(memory);
      context.reinvocation.shouldReinvoke = true;
    }
    if (webhook.reinvocationPolicy === 'IfNeeded') memory.previouslyInvoked.add(webhook.identity);
  }
}

function reinvokeAll(memory: Memory): void {
  for (const identity of memory.previouslyInvoked) memory.reinvoke.add(identity);
  memory.previouslyInvoked.clear();
}

/** Sends the review and handles the response. Throws what refuses the request. */
async function callAttrMutatingHook(invocation: WebhookInvocation, turn: Turn): Promise<boolean> {
  const { place, attributes, context, versioned } = turn;
  const objects = await convertForMutating(invocation, versioned);
  const invoked = await invokeWebhook(invocation, objects, attributes, { ...context, onStage: context.effects.steps?.stage });
  const entry = invokedEntry(invocation, attributes, { round: place.round, invoked });
  if (invoked.outcome === 'failed') return settleFailure(invocation, invoked, turn);
  if (invoked.outcome === 'denied') throw decidedBy(entry, new StatusError(invoked.status), context);
  const text = invoked.patch ?? '';
  const patched: Patched =
    text === '' ? { outcome: 'empty' } : applyPatch(invocation.webhook, objects.object, { text, type: invoked.patchType });
  if (patched.outcome === 'failed') return settleFailure(invocation, { ...invoked, ...patched, reason: reasonOf(patched) }, turn);
  if (patched.outcome === 'refused') {
    const failure = callFailure('patch', patched.text, patched);
    throw decidedBy({ ...entry, outcome: 'internalError', patch: patched.patch, failure }, patched.error, context);
  }
  if (patched.outcome === 'empty') {
    context.record.webhooks.push(entry);
    return false;
  }
  context.record.webhooks.push({ ...entry, patch: patched.patch, change: patched.change, ...droppedBy(patched) });
  annotatePatch(context.record, invocation.webhook, place, patched.annotation);
  return takePatchedObject(patched, objects.object, turn);
}

function droppedBy({ droppedFields }: Extract<Patched, { outcome: 'patched' }>): Pick<WebhookReport, 'droppedFields'> {
  return droppedFields.length === 0 ? {} : { droppedFields };
}

/** Adds the entry that decides the request; returns the error to throw. */
function decidedBy(entry: WebhookReport, error: unknown, { record }: AdmissionContext): unknown {
  record.decidedBy = record.webhooks.push(entry) - 1;
  return error;
}

/** Handles a failed call: with Ignore it passes without a change, unless the request's own time is over. */
function settleFailure(invocation: WebhookInvocation, invoked: Extract<Invoked, { outcome: 'failed' }>, turn: Turn): false {
  const { place, attributes, context } = turn;
  const { webhook } = invocation;
  const entry = invokedEntry(invocation, attributes, { round: place.round, invoked });
  if (webhook.failurePolicy === 'Fail')
    throw decidedBy(entry, internalError(`failed calling webhook "${webhook.name}": ${invoked.reason}`), context);
  context.record.webhooks.push(entry);
  annotateFailOpen(context.record, webhook, place);
  if (context.remainingMs() <= 0) throw timeout('request did not complete within requested timeout', 0);
  return false;
}

/** Replaces the object by the patched one; returns whether that counts as a change. */
function takePatchedObject(
  patched: Extract<Patched, { outcome: 'patched' }>,
  before: ApiObject | undefined,
  { memory, versioned }: Turn,
): boolean {
  const isFirstReading = !memory.readAgain;
  versioned.replace(patched.object);
  memory.readAgain = true;
  return patched.changed || (isFirstReading && hasPreciseTime(before));
}

/** Reports whether reading what Go writes changes a time. Custom resources hold times as text. */
function hasPreciseTime(object: ApiObject | undefined): boolean {
  return object !== undefined && !isCustomCodec(object.codec) && havePreciseTime(listAt(object.value, 'metadata', 'managedFields'));
}
