import type { ValueMap } from '../go/value.js';
import type { ApiCall, ClusterState } from '../kubernetes/api-call.js';
import type { Effects } from '../kubernetes/effects.js';
import { PlainError } from '../kubernetes/status.js';
import { internalError } from '../kubernetes/status-errors.js';
import { storageOf } from '../kubernetes/storage.js';
import type { CallRecord } from './admission/call-record.js';
import { type AdmissionContext, admissionChain } from './admission/chain.js';
import type { CallContext, Serving } from './call/call-context.js';
import { codecFor } from './call/codec-for.js';
import { type CustomVersions, convertForWebhook, convertToRequestVersion } from './call/convert-object.js';
import { queryOfRequest, type ResourceRequest } from './call/request-info.js';
import type { Served, ServedEndpoint } from './call/served-resources.js';
import { converterOf } from './conversion/converter.js';
import { type ConversionPlace, conversionWorldOf } from './endpoints/custom-versions.js';
import { type Deadlines, overdue } from './filters/deadlines.js';
import { userInfoOf } from './filters/user.js';
import { withClock } from './objects/codec-with-clock.js';
import { storedVersionIn } from './storage/stored-version.js';
import { mutatingWebhooks } from './webhooks/mutating.js';
import { validatingWebhooks } from './webhooks/validating.js';

/** A call at its endpoint. */
export interface CallTarget {
  readonly call: ApiCall;
  readonly info: ResourceRequest;
  readonly endpoint: ServedEndpoint;
  readonly served: Served;
  /** Definition of a custom resource. */
  readonly definition: ValueMap | undefined;
}

/** Side effects, records and limits of a call. */
export interface CallWorld {
  readonly effects: Effects;
  readonly record: CallRecord;
  readonly serving: Serving | undefined;
  readonly deadlines: Deadlines;
}

/** Returns what the steps of a call share. */
export function callContextAt(
  { call, info, endpoint, served, definition }: CallTarget,
  state: ClusterState,
  world: CallWorld,
): CallContext {
  const { server } = state;
  const { effects, record, deadlines } = world;
  const limitMs = Math.min(deadlines.requestMs, deadlines.handlerMs);
  const storage = storageOf(state);
  const custom = customVersionsOf(definition, state, {
    storage,
    effects,
    options: state.options,
    isOverdue: () => overdue(effects.elapsedMs(), deadlines) !== undefined,
  });
  const codec = withClock(codecFor(state.server, endpoint.subresource?.kind ?? endpoint.resource.kind, definition), effects.now);
  const admission: AdmissionContext = {
    server,
    state,
    storage,
    resources: served.resources,
    effects,
    record,
    convert: (object, to) => rejectAsInternalError(convertForWebhook(object, to, custom)),
    toRequestVersion: (object, own) => convertToRequestVersion(object, own, custom),
    reinvocation: { isReinvoke: false, shouldReinvoke: false },
    remainingMs: () => limitMs - effects.elapsedMs(),
  };
  const newChain = () => {
    const webhooks = { mutating: mutatingWebhooks(), validating: validatingWebhooks() };
    return admissionChain(handled => server.plugins(server, state.options, webhooks, handled), admission);
  };
  const context: CallContext = {
    server,
    call,
    info,
    query: queryOfRequest(call.path),
    endpoint,
    codec,
    definition,
    custom,
    user: userInfoOf(call.user),
    state,
    storage,
    served,
    effects,
    record,
    serving: world.serving,
    chain: newChain(),
    admission,
    again: () => ({ ...context, chain: newChain(), again: undefined }),
  };
  return context;
}

/** Runs a conversion during admission, whose failure is an internal error. Source: apiserver plugin/webhook/generic/conversion.go. */
async function rejectAsInternalError<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw error instanceof PlainError ? internalError(error.message) : error;
  }
}

function customVersionsOf(definition: ValueMap | undefined, state: ClusterState, place: ConversionPlace): CustomVersions | undefined {
  if (definition === undefined) return undefined;
  const convert = converterOf(place.storage.server, definition, conversionWorldOf(definition, place));
  return { definition, convert, storedVersion: storedVersionIn(definition, state, place.storage) };
}
