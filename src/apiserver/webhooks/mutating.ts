import { copyOf, listAt, type ValueMap } from '../../go/value.js';
import { AbortedConnection, StatusError } from '../../kubernetes/status.js';
import { internalError, timeout } from '../../kubernetes/status-errors.js';
import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../admission/chain.js';
import type { SkipReason } from '../admission/webhook-report.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom/custom-codec.js';
import { encodedObject } from '../objects/encoded-object.js';
import { semanticallyEqual } from '../objects/semantic-equality.js';
import { havePreciseTime } from '../patches/managed-fields/entries.js';
import { applyPatch, operationsOf, type Patched } from './apply-patch.js';
import { annotateFailOpen, annotateMutation, annotatePatch, type CallPosition } from './audit.js';
import { conditionsAllow } from './conditions.js';
import { isExemptFromWebhooks } from './exemptions.js';
import { type FailedStage, reasonOf } from './failures/failed-stage.js';
import { type Invoked, invokeWebhook, type VersionedObjects } from './invoke.js';
import { type Invocation, type Selection, webhookSelector } from './select.js';
import { type VersionedRequest, versionedRequest } from './versioned-request.js';
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
 * Returns the plugin that calls mutating webhooks: one after another, each selected against the object as patched so far. Source: apiserver
 * plugin/webhook/mutating/{plugin,dispatcher,reinvocationcontext}.go.
 */
export function mutatingWebhooks(): AdmissionPlugin {
  const memory: Memory = { previouslyInvoked: new Set(), reinvoke: new Set(), lastOutput: undefined, readAgain: false };
  return {
    name: 'MutatingAdmissionWebhook',
    operations: ['CONNECT', 'CREATE', 'DELETE', 'UPDATE'],
    admit: (attributes, context) => dispatch(attributes, context, memory),
  };
}

async function dispatch(attributes: Attributes, context: AdmissionContext, memory: Memory): Promise<void> {
  const webhooks = webhooksOf(context.storage, 'mutating');
  const round = context.reinvocation.isReinvoke ? 1 : 0;
  const { object } = attributes;
  if (webhooks.length > 0) enterSelection(attributes, context);
  if (
    round === 1 &&
    object !== undefined &&
    !(memory.lastOutput !== undefined && semanticallyEqual(context.server, memory.lastOutput, object.value, object.codec))
  )
    reinvokeAll(memory);
  const versioned = versionedRequest(attributes, context);
  let select: ((webhook: Webhook) => Selection) | undefined;
  try {
    for (const [index, webhook] of webhooks.entries()) {
      select ??= webhookSelector(versioned.attributes(), context);
      const selection = selectOrSkip(webhook, { round, select, attributes, context });
      if (selection === undefined) continue;
      await visit(selection, { place: { round, index }, attributes, context, memory, versioned });
      select = undefined;
    }
    await versioned.finish();
  } finally {
    // Only a second pass needs the output of the first one.
    memory.lastOutput = object !== undefined && context.reinvocation.shouldReinvoke ? copyOf(object.value) : undefined;
  }
}

/** Context of one webhook's turn. */
interface Turn {
  readonly place: CallPosition;
  readonly attributes: Attributes;
  readonly context: AdmissionContext;
  readonly memory: Memory;
  readonly versioned: VersionedRequest;
}

/** Selects one webhook, or records why it is skipped: most are, and none of them waits. */
function selectOrSkip(
  webhook: Webhook,
  {
    round,
    select,
    attributes,
    context,
  }: Pick<Turn, 'attributes' | 'context'> & { readonly round: 0 | 1; readonly select: (webhook: Webhook) => Selection },
): Invocation | undefined {
  const skip = (reason: SkipReason): undefined => {
    context.record.webhooks.push(skippedEntry(webhook, attributes, { round, reason }));
  };
  if (isExemptFromWebhooks(context.server, attributes))
    return skip({ predicate: 'exempt', detail: `webhooks are never called for ${attributes.kind.kind}` });
  const selection = select(webhook);
  return selection.outcome === 'skipped' ? skip(selection.reason) : selection.invocation;
}

async function visit(invocation: Invocation, turn: Turn): Promise<void> {
  const { place, attributes, context, memory } = turn;
  const { webhook } = invocation;
  const skip = (reason: SkipReason): void => {
    context.record.webhooks.push(skippedEntry(webhook, attributes, { round: place.round, reason }));
  };
  if (webhook.matchConditions.length > 0) {
    const objects = await objectsFor(invocation, turn.versioned);
    const conditions = await conditionsAllow(invocation, objects, attributes, context);
    if (conditions !== undefined) return skip(conditions);
  }
  if (place.round === 1 && !memory.reinvoke.has(webhook.identity))
    return skip({ predicate: 'reinvocation', detail: 'nothing changed after its first call that asks for another' });
  context.effects.steps?.enter({
    kind: 'webhook',
    phase: 'mutating',
    name: webhook.name,
    round: place.round + 1,
    timeoutMs: webhook.timeoutSeconds * 1000,
  });
  const at = context.record.webhooks.length;
  try {
    await call(invocation, turn);
  } finally {
    if (context.record.webhooks.length > at) context.effects.steps?.called(at);
  }
  enterSelection(turn.versioned.attributes(), context);
}

function enterSelection({ object }: Attributes, { effects, reinvocation }: AdmissionContext): void {
  effects.steps?.enter({ kind: 'selection', phase: 'mutating', round: reinvocation.isReinvoke ? 2 : 1 }, encodedObject(object));
}

/** Converts the objects; in this phase a failed conversion is wrapped once more. Source: apiserver mutating/dispatcher.go. */
async function objectsFor({ kind }: Invocation, versioned: VersionedRequest): Promise<VersionedObjects> {
  try {
    return await versioned.objectsIn(kind);
  } catch (error) {
    throw error instanceof StatusError && error.status.reason === 'InternalError' ? internalError(error.message) : error;
  }
}

async function call(invocation: Invocation, turn: Turn): Promise<void> {
  const { place, attributes, context, memory, versioned } = turn;
  const { webhook } = invocation;
  let changed = false;
  let isPanic = false;
  try {
    const objects = await objectsFor(invocation, versioned);
    const invoked = await invokeWebhook(invocation, objects, attributes, { ...context, onStage: context.effects.steps?.stage });
    const entry = invokedEntry(invocation, attributes, { round: place.round, invoked });
    const failed = (reason: Invoked): void => {
      const at = context.record.webhooks.push(invokedEntry(invocation, attributes, { round: place.round, invoked: reason })) - 1;
      settleFailure(webhook, { at, invoked: reason }, turn);
    };
    if (invoked.outcome === 'failed') return failed(invoked);
    if (invoked.outcome === 'denied') {
      context.record.decidedBy = context.record.webhooks.push(entry) - 1;
      throw new StatusError(invoked.status);
    }
    const patched = patchedBy(invocation, invoked, turn, objects.object);
    if (patched.outcome === 'failed') return failed({ ...invoked, ...patched, reason: reasonOf(patched) });
    const change = patched.outcome === 'patched' ? { before: patched.before, after: patched.after } : undefined;
    context.record.webhooks.push({ ...entry, patch: operationsOf(invoked.patch ?? ''), change });
    if (patched.outcome === 'patched') {
      annotatePatch(context.record, webhook, place, patched.operations);
      changed = patched.changed || (!memory.readAgain && hasPreciseTime(objects.object));
      versioned.replace(patched.object);
      memory.readAgain = true;
    }
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

/** Reports whether reading what Go writes changes a time. Custom resources hold times as text. */
function hasPreciseTime(object: ApiObject | undefined): boolean {
  return object !== undefined && !isCustomCodec(object.codec) && havePreciseTime(listAt(object.value, 'metadata', 'managedFields'));
}

function patchedBy(
  invocation: Invocation,
  invoked: Extract<Invoked, { outcome: 'allowed' }>,
  turn: Turn,
  object: ApiObject | undefined,
): Patched {
  if (invoked.patch === undefined || invoked.patch === '') return { outcome: 'empty' };
  try {
    return applyPatch(invocation.webhook, object, { text: invoked.patch, type: invoked.patchType });
  } catch (error) {
    const entry = invokedEntry(invocation, turn.attributes, { round: turn.place.round, invoked });
    const message = error instanceof Error ? error.message : String(error);
    const { record } = turn.context;
    const failure = callFailure('patch', message, stageOf(error, message));
    record.decidedBy = record.webhooks.push({ ...entry, outcome: 'internalError', patch: operationsOf(invoked.patch), failure }) - 1;
    throw error;
  }
}

/** Returns the stage of an error; an internal error has its original message as its cause. */
function stageOf(error: unknown, message: string): FailedStage {
  const cause = error instanceof StatusError && error.status.reason === 'InternalError' ? error.status.details?.causes?.[0] : undefined;
  return cause?.message === undefined ? { stage: undefined, message } : { stage: 'apply', message: cause.message };
}

/** Handles a failed call: with Ignore it passes, unless the request's own time is over. */
function settleFailure(
  webhook: Webhook,
  { at, invoked }: { readonly at: number; readonly invoked: Invoked },
  { place, context }: Turn,
): void {
  if (invoked.outcome !== 'failed') return;
  if (webhook.failurePolicy === 'Fail') {
    context.record.decidedBy = at;
    throw internalError(`failed calling webhook "${webhook.name}": ${invoked.reason}`);
  }
  annotateFailOpen(context.record, webhook, place);
  if (context.remainingMs() <= 0) throw timeout('request did not complete within requested timeout', 0);
}

function reinvokeAll(memory: Memory): void {
  for (const identity of memory.previouslyInvoked) memory.reinvoke.add(identity);
  memory.previouslyInvoked.clear();
}
