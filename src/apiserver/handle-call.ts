import type { ApiCall, ClusterState } from '../kubernetes/api-call.js';
import type { Effects } from '../kubernetes/effects.js';
import { StatusError } from '../kubernetes/status.js';
import { type CallRecord, newCallRecord } from './admission/call-record.js';
import { NotReproduced } from './admission/not-reproduced.js';
import { whenAnswered } from './admission/pending-answer.js';
import type { CallContext, Serving, VerbAnswer } from './call/call-context.js';
import { definitionOf } from './call/definitions.js';
import { type ResourceRequest, requestInfoOf } from './call/request-info.js';
import { endpointFor, resourceNamed, type Served, servedBy } from './call/served-resources.js';
import { callContextAt } from './call-context-at.js';
import { checkServing } from './endpoints/check-serving.js';
import { deprecationWarning } from './endpoints/deprecation.js';
import { errorRestrictions, type Negotiated, negotiate, plainForm } from './endpoints/negotiation.js';
import { notePresumedNamespace } from './endpoints/presumed-namespace.js';
import { requestLimitMs } from './endpoints/request-limit.js';
import { type Deadlines, handlerLimitMs, noDeadlines, overdue } from './filters/deadlines.js';
import { errorAnswer, statusAnswer } from './filters/error-answer.js';
import { type AnsweredCall, reportOf, timedReport } from './filters/report-of.js';
import { checkImpersonation, impersonatedIn } from './filters/user.js';
import { sentWarnings } from './filters/warnings.js';
import { lazyAnswer } from './filters/write-answer.js';
import { acceptedForm, checkAcceptableForm, transformResponseObject } from './handlers/accepted-form.js';
import { connect } from './handlers/connect.js';
import { create } from './handlers/create.js';
import { deleteCollection } from './handlers/delete-collection.js';
import { deleteObject } from './handlers/delete-object.js';
import { answerOtherPath } from './handlers/other-path.js';
import { checkPatchType, patch } from './handlers/patch.js';
import { get, list } from './handlers/read.js';
import { partStorageOf } from './handlers/rest-storage.js';
import { update } from './handlers/update.js';
import type { Report } from './report/report.js';
import type { ServedCall } from './report/serving.js';
import { ConcurrentWrite } from './storage/commit.js';

/**
 * Handles one API call from its request line to its answer. Calls webhooks through the effects; throws NotReproduced where the API server's
 * behavior is not implemented.
 */
export async function handleCall(call: ApiCall, state: ClusterState, effects: Effects): Promise<Report> {
  const made = withImpersonation(call);
  const { answered, record } = await answerCall(made, state, { effects, serving: undefined });
  return timedReport(reportOf(state.server, made, answered, record), effects);
}

/** Handles a call for a server: returns the report, and the values for other forms of the answer. */
export async function serveCall(
  call: ApiCall,
  state: ClusterState,
  world: { readonly effects: Effects; readonly serving: Serving },
): Promise<ServedCall> {
  const made = withImpersonation(call);
  const { answered, record } = await answerCall(made, state, world);
  const report = timedReport(reportOf(state.server, made, answered, record), world.effects);
  return { report, shown: answered.shown, stream: answered.stream, proxiedTo: answered.proxiedTo };
}

function withImpersonation(call: ApiCall): ApiCall {
  const user = call.user ?? impersonatedIn(call.headers);
  return user === call.user ? call : { ...call, user };
}

async function answerCall(
  call: ApiCall,
  state: ClusterState,
  { effects, serving }: { readonly effects: Effects; readonly serving: Serving | undefined },
): Promise<{ readonly answered: AnsweredCall; readonly record: CallRecord }> {
  const record = newCallRecord();
  const answered = await answerOf(call, state, { effects, record, deadlines: noDeadlines, serving });
  return { answered: call.method === 'HEAD' ? { answer: { ...answered.answer, body: '' } } : answered, record };
}

interface World {
  readonly effects: Effects;
  readonly record: CallRecord;
  readonly serving: Serving | undefined;
  /** Known as soon as the endpoint is. */
  deadlines: Deadlines;
}

/** Returns the answer, or its replacement when it is too late. */
async function answerOf(call: ApiCall, state: ClusterState, world: World): Promise<AnsweredCall> {
  const answered = await answerInTime(call, state, world);
  const late = overdue(world.effects.elapsedMs(), world.deadlines);
  if (late === undefined) return answered;
  return late instanceof StatusError ? statusAnswer(late.status, [], errorForm(call, world)) : { answer: late };
}

async function answerInTime(call: ApiCall, state: ClusterState, world: World): Promise<AnsweredCall> {
  try {
    const requestMs = requestLimitMs(call);
    checkImpersonation(state.server, call);
    const info = requestInfoOf(call.path);
    if (info.type === 'other') return { answer: await answerOtherPath(call, info.parts, state) };
    const context = contextOf({ call, info, requestMs }, state, world);
    if (!context.endpoint.resource.custom) checkRoute(context);
    const warning = deprecationWarning(state.server, context.endpoint.resource, context.definition);
    if (warning !== undefined) world.record.warnings.push(warning);
    if (context.endpoint.resource.custom) checkRoute(context);
    const form = formOf(context);
    const given = await answerRetrying(context);
    const converted = form.convert === undefined ? undefined : await transformResponseObject(given, form.convert, context);
    return answerWith(given, { form, json: () => converted ?? given.body }, context);
  } catch (error) {
    world.effects.steps?.fail(error instanceof Error ? error.message : String(error));
    return errorAnswer(state.server, error, errorForm(call, world), world.record);
  }
}

/** Throws the 415 or 406 of the router. Handlers of custom resources check the types themselves, and only then those of patches. */
function checkRoute(context: CallContext): void {
  if (context.endpoint.verb === 'patch') checkPatchType(context);
  if (context.serving === undefined) checkAcceptableForm(context);
}

/** Returns the form of the answer. Throws a 406. A live server negotiates and encodes its answers itself. */
function formOf(context: CallContext): Negotiated {
  if (context.serving === undefined) return acceptedForm(context);
  context.serving.negotiate(context.call, context.endpoint);
  return plainForm;
}

/** Returns the answer with a verb's document in the requested form, encoded lazily. */
function answerWith(
  given: VerbAnswer,
  { form, json }: { readonly form: Negotiated; readonly json: () => string },
  context: CallContext,
): AnsweredCall {
  const head = { status: given.code, warnings: sentWarnings(context.record.warnings), headers: {} };
  const answer = lazyAnswer(head, json, form);
  const isShown = form.convert === undefined;
  const { shown, stream, proxiedTo } = given;
  return { answer, shown, stream, proxiedTo, isObject: given.isObject === true, object: () => (isShown ? given.object : undefined), json };
}

/** Throws the 500 of a resource that a server cannot serve, whatever is asked of it. */
function checkResource(info: ResourceRequest, served: Served, state: ClusterState): void {
  const resource = resourceNamed(served, info);
  if (resource?.custom !== true) return;
  const isInScope = resource.namespaced === info.inNamespace || (resource.namespaced && info.name === '');
  const definition = isInScope ? definitionOf(resource, state) : undefined;
  if (definition !== undefined) checkServing(definition);
}

/** Finds the endpoint and collects what the steps share. */
function contextOf(
  { call, info, requestMs }: { readonly call: ApiCall; readonly info: ResourceRequest; readonly requestMs: number },
  state: ClusterState,
  world: World,
): CallContext {
  const served = servedBy(state);
  if (state.live !== undefined) checkResource(info, served, state);
  const endpoint = endpointFor(call.method, info, served);
  world.deadlines = endpoint.verb === 'connect' ? noDeadlines : { requestMs, handlerMs: handlerLimitMs };
  const definition = definitionOf(endpoint.resource, state);
  const context = callContextAt({ call, info, endpoint, served, definition }, state, world);
  if (endpoint.resource.namespaced) notePresumedNamespace(info.namespace, context);
  return context;
}

/** Retries a write that lost a race against another call, as the API server's storage does. */
async function answerRetrying(context: CallContext): Promise<VerbAnswer> {
  for (let at = context; ; at = { ...(context.again?.() ?? context), again: context.again }) {
    try {
      return await whenAnswered(() => answerVerb(at));
    } catch (error) {
      if (!(error instanceof ConcurrentWrite)) throw error;
    }
  }
}

/** Not an async function: awaiting the promise of another one in it would take three turns of the queue. Throws what the verb refuses at once. */
function answerVerb(context: CallContext): Promise<VerbAnswer> {
  const { verb, subresource } = context.endpoint;
  if (verb === 'create') return create(context);
  if (verb === 'update') return partStorageOf(context)?.update(context) ?? update(context);
  if (verb === 'patch') return patch(context);
  if (verb === 'delete') return deleteObject(context);
  if (verb === 'deletecollection') return deleteCollection(context);
  if (verb === 'connect') return connect(context);
  if (verb === 'get') return get(context);
  if (verb === 'list') return list(context);
  throw new NotReproduced(`${verb}${subresource === undefined ? '' : ` of ${subresource.name}`} is not reproduced yet`);
}

/** Returns the form of an error. */
function errorForm(call: ApiCall, { serving }: World): Negotiated | undefined {
  return serving === undefined ? negotiate(call, errorRestrictions) : plainForm;
}
