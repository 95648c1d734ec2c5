import { servedBy } from '../apiserver/call/served-resources.js';
import type { CapturedReview } from '../apiserver/replay-review.js';
import type { Report } from '../apiserver/report/report.js';
import { ConcurrentWrite } from '../apiserver/storage/commit.js';
import { CliError } from '../client/cli-error.js';
import { stateAfter } from '../client/run/state-after.js';
import { writeValue } from '../go/json/write.js';
import { isMap, type ValueMap } from '../go/value.js';
import type { ApiCall, ClusterState } from '../kubernetes/api-call.js';
import { lazy } from '../kubernetes/memoize.js';
import { PlainError, StatusError } from '../kubernetes/status.js';
import { storageOf } from '../kubernetes/storage.js';
import type { WebhookExchange } from '../kubernetes/webhook-call.js';
import type { CallResult, EqualCalls, MadeResult } from './equal-calls.js';
import { normalizedMessage } from './essential-text.js';
import { valueIn } from './json-spans.js';
import type { KnownObjects } from './known-objects.js';
import { callOfLogged, type StoredBy } from './logged-call.js';
import type { LoggedEvent } from './logged-event.js';
import { activeOutages, type Disturbances } from './outages.js';
import { callOutcomeOf, isFromAdmission, type OutcomeChange, type ReplayedAnswer } from './outcome.js';
import { leavesManagedFieldsUnseen } from './shown-managed-fields.js';
import { answersWithAnother, collectionIn, showsCollection, withIdentityOf } from './shown-objects.js';

/** A call of the log, made again. */
export interface MadeAgain {
  readonly report: Report;
  /** Reviews as they were sent, and the answers. */
  readonly exchanges: readonly WebhookExchange[];
  /** What two webhooks answered differently, with `--compare`. */
  readonly compared: readonly OutcomeChange[];
  /** Milliseconds that it waited for webhooks, and reviews that were sent. */
  readonly waitedMs: number;
  readonly sent: number;
  /** Were only webhooks without side effects called? */
  readonly isRepeatable: boolean;
  /** Namespace whose labels decide about a webhook or policy. */
  readonly neededLabels: string | undefined;
  /** Returns what the call would have stored if the validating phase had not refused it; undefined if that did not refuse it. */
  readonly proceed?: (() => Promise<ValueMap | undefined>) | undefined;
}

/**
 * Makes a call in a state, as of the time at which the API server received it; of a captured review, only the webhooks and policies that it reaches. Throws
 * CliError for behavior that is not reproduced.
 */
export type MakeAgain = (
  call: ApiCall,
  state: ClusterState,
  at: { readonly ms: number | undefined; readonly auditId: string; readonly captured?: CapturedReview | undefined },
) => Promise<MadeAgain>;

/** What results depend on besides the event. */
export interface ResultOptions {
  readonly makeAgain: MakeAgain;
  readonly storedBy: StoredBy;
  readonly known: KnownObjects;
  readonly equal: EqualCalls;
  readonly disturbances: Disturbances;
  /** Could a webhook or policy see managed fields? */
  readonly showsManagedFields: boolean;
  /** Returns what removes the secrets of a call's objects from texts of the log or of a webhook, which may quote them. */
  readonly hidingSecretsOf: (event: LoggedEvent) => (text: string) => string;
}

/** Makes the call of an event again in the state that the log shows before it, or returns the result of an equal call. */
export async function makeOrReuseResult(
  event: LoggedEvent,
  options: ResultOptions,
): Promise<{ readonly result: CallResult; readonly isReused: boolean }> {
  const { known, equal, disturbances } = options;
  const { objectRef: reference, verb } = event;
  const stored = known.textOf(reference);
  const needsObject = verb !== 'create' && verb !== 'deletecollection' ? true : reference.subresource !== '' && reference.name !== '';
  if (needsObject && (stored === undefined || stored === null || stored === '') && !isApply(event))
    return { result: { unknown: 'the object before the call is not in the log or the state' }, isReused: false };
  if (event.requestText === '' && ['create', 'update', 'patch'].includes(verb))
    return {
      result: { unknown: `the event of level ${event.level || 'Metadata'} does not contain the object of the request` },
      isReused: false,
    };
  // What a replay stored has the identity of the replay: the client's is the one that the call was made with.
  if (event.responseText === '' && typeof stored === 'string' && stored !== '')
    known.learn({ reference, text: withIdentityOf(stored, event.requestText) });
  // The log says that it did not exist.
  const isNew = verb === 'create' && reference.subresource === '' && event.code < 300;
  if (isNew && reference.name !== '') known.learn({ reference, text: null });
  if (verb === 'deletecollection')
    // The answer has the objects as they were deleted: what an earlier event shows is closer to what webhooks were sent.
    for (const one of collectionIn(event)) if (typeof known.textOf(one.reference) !== 'string') known.learn(one);
  // Later events may change what is known before this call is made.
  const leavesManagedFields = !options.showsManagedFields && leavesManagedFieldsUnseen(event);
  const state = { ...known.stateFor(reference, verb === 'deletecollection'), leavesManagedFields };
  const make = (): Promise<MadeResult> => makeEventAgain(event, state, options);
  // Equal deletions of a collection concern other objects.
  if (verb === 'deletecollection') return { result: await make(), isReused: false };
  const epoch = [known.epochOf(reference.namespace), activeOutages(disturbances, event.atMs)];
  return equal.of(event, { stored: isNew || typeof stored !== 'string' ? '' : stored, epoch: epoch.join('/') }, make);
}

/** Returns what is shown of an answer without the secrets of the call's objects. */
export function hidden(answered: ReplayedAnswer, event: LoggedEvent, hidingSecretsOf: ResultOptions['hidingSecretsOf']): ReplayedAnswer {
  const { code, message, annotations, refusals } = answered;
  if (message === '') return answered;
  const hide = hidingSecretsOf(event);
  return { code, message: hide(message), annotations, ...(refusals === undefined ? {} : { refusals: refusals.map(hide) }) };
}

/** A server-side apply creates an object that does not exist. */
function isApply({ verb, requestUri, code }: LoggedEvent): boolean {
  return verb === 'patch' && code === 201 && requestUri.includes('fieldManager=');
}

async function makeEventAgain(
  event: LoggedEvent,
  state: ClusterState,
  { makeAgain, storedBy, hidingSecretsOf }: ResultOptions,
): Promise<MadeResult> {
  const hiding = lazy(() => hidingSecretsOf(event));
  try {
    const call = await callOfLogged(event, state, storedBy);
    if ('unknown' in call) return call;
    const made = await makeAgain(call, state, { ms: event.atMs, auditId: event.auditId });
    const unknown = whyUnknown(event, made);
    if (unknown !== undefined) return { unknown, isRepeatable: made.isRepeatable };
    const { decision } = made.report;
    const message = String(decision.status?.get('message') ?? '');
    const refusals = made.report.webhooks.flatMap(({ outcome, status }) => (outcome === 'denied' ? [status?.message ?? ''] : []));
    return {
      outcome: callOutcomeOf(
        hidden({ code: decision.code, message, annotations: decision.auditAnnotations, refusals }, event, hiding),
        event.objectRef,
      ),
      compared: made.compared.map(change => ({ ...change, message: hiding()(change.message) })),
      waitedMs: made.waitedMs,
      sent: made.sent,
      stored: await findStoredText(event, { call, made, state, storedBy }),
      isRepeatable: made.isRepeatable,
    };
  } catch (error) {
    if (error instanceof CliError) return { unknown: normalizedMessage(error.message, event.objectRef) };
    throw error;
  }
}

/** The object that the call has stored, as far as later events do not show it. */
async function findStoredText(
  event: LoggedEvent,
  {
    call,
    made,
    state,
    storedBy,
  }: { readonly call: ApiCall; readonly made: MadeAgain; readonly state: ClusterState; readonly storedBy: StoredBy },
): Promise<string | undefined> {
  const { report } = made;
  if (!answersWithAnother(event)) {
    if (event.responseText !== '') return undefined;
    const { allowed, object } = report.decision;
    // In the log, what refuses it now did not exist.
    const isNew = !allowed && event.code < 300 && event.verb !== 'deletecollection' && !isMutated(event, report);
    const stored = isNew ? ((await proceedToStored(made)) ?? (await storedBy(call, state))) : object;
    return isMap(stored) ? objectText(stored) : undefined;
  }
  const after = stateAfter(state, call, report);
  const { group, resource, namespace, name } = event.objectRef;
  const kind = servedBy(state).resources.find(served => served.group === group && served.resource === resource)?.kind;
  return kind === undefined || !report.decision.allowed ? undefined : objectText(storageOf(after).find(kind, namespace, name));
}

/** What the call would have stored; undefined if that is not known without making it again, as for a refusal of the mutating phase. */
async function proceedToStored({ report, proceed }: MadeAgain): Promise<ValueMap | undefined> {
  if (proceed === undefined || !isFromAdmission(String(report.decision.status?.get('message') ?? ''))) return undefined;
  try {
    return await proceed();
  } catch (error) {
    if (error instanceof StatusError || error instanceof PlainError || error instanceof ConcurrentWrite) return undefined;
    throw error;
  }
}

/** Has a webhook or a policy changed the object, in the log or in the replay? */
function isMutated({ annotations }: LoggedEvent, { webhooks, policies = [] }: Report): boolean {
  return (
    Object.values(annotations).some(value => value.includes('"mutated":true')) ||
    [...webhooks, ...policies].some(({ change }) => change !== undefined)
  );
}

function objectText(object: ValueMap | undefined): string | undefined {
  return object === undefined ? undefined : writeValue(object, 'kept');
}

/** Why nothing is known about a call for which webhooks are selected by labels. */
export const unknownLabels = 'the labels of the namespace at that time are not in the log or the state';

/** Why nothing is known about a deletion that is allowed for the objects that the log has shown so far. */
const unknownCollection = 'the log does not show which objects the deletion of a collection concerns';

/** Why the answer says nothing about the webhooks: something that the call needs is not in the log. */
function whyUnknown(event: LoggedEvent, { report, neededLabels }: MadeAgain): string | undefined {
  const { verb, code, requestText, responseText } = event;
  if (neededLabels !== undefined) return unknownLabels;
  const { decision } = report;
  const message = String(decision.status?.get('message') ?? '');
  const isSame = (): boolean => normalizedMessage(message, event.objectRef) === normalizedMessage(event.message, event.objectRef);
  // A refusal of one known object is certain; which of several refusals decides is not.
  if (verb === 'deletecollection' && !showsCollection(event) && (decision.allowed || (code > 299 && !isSame()))) return unknownCollection;
  if (decision.allowed || isFromAdmission(message)) return undefined;
  const isUpdate = verb !== 'create';
  // Objects that only the replay has stored have other uids and times.
  if (decision.code === code && (responseText !== '' || !isUpdate || isSame())) return undefined;
  if (decision.code === 400 && requestText !== '' && valueIn(requestText) === undefined) return 'the event is not valid JSON';
  if (decision.code === 404 || decision.code === 409)
    return `the replay ends with ${decision.code}: something that the call needs is not in the log or the state`;
  if (responseText === '' && (code < 300 || isUpdate))
    return 'the API server refuses it because of the stored object, of which the log shows only requests';
  return /not found|no \w+ with name/i.test(message)
    ? 'an object that an admission plugin looks up is not in the log or the state'
    : undefined;
}
