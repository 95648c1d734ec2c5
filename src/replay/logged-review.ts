import { type CapturedReview, callOfReview } from '../apiserver/replay-review.js';
import type { ReviewResponse } from '../apiserver/webhooks/read-review.js';
import { CliError } from '../client/cli-error.js';
import { writeValue } from '../go/json/write.js';
import { isMap, mapAt, stringAt, type ValueMap } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { hidden, type MadeAgain, type ResultOptions, unknownLabels } from './call-result.js';
import type { CallResult, MadeResult } from './equal-calls.js';
import { normalizedMessage } from './essential-text.js';
import type { EventPlace, LoggedEvent } from './logged-event.js';
import { activeOutages } from './outages.js';
import { callOutcomeOf, type OutcomeChange } from './outcome.js';

/** A review that an API server has sent, and how it was answered, if that is known. */
export interface LoggedReview {
  /** The review as groups count it. Its audit ID is the uid of the review; its texts are the objects. */
  readonly event: LoggedEvent;
  readonly captured: CapturedReview;
  readonly recorded: ReviewResponse | undefined;
}

export interface LoggedReviewOptions {
  /** Is a review without its answer of no use? */
  readonly needsAnswers: boolean;
  /** Returns what differs from the recorded answer, with whole messages; why that is not known. */
  readonly changesOfReview: (
    review: LoggedReview & { readonly recorded: ReviewResponse },
    made: MadeAgain,
    server: ApiServer,
  ) => readonly OutcomeChange[] | { readonly unknown: string };
}

/** Returns a captured review with the answer that was recorded. `at`: when it was sent, RFC 3339; empty if unknown. */
export function loggedReview(
  captured: CapturedReview,
  recorded: ReviewResponse | undefined,
  { place, at }: { readonly place: EventPlace; readonly at: string },
): LoggedReview {
  const { request } = captured;
  const time = Date.parse(at);
  const user = mapAt(request, 'userInfo');
  return {
    event: {
      place,
      auditId: stringAt(request, 'uid'),
      ...{ level: '', stage: '', requestUri: '', code: 0, message: '', annotations: {}, userAgent: '' },
      verb: stringAt(request, 'operation'),
      username: stringAt(user, 'username'),
      userText: user === undefined ? '' : writeValue(user, 'kept'),
      atMs: Number.isNaN(time) ? undefined : time,
      objectRef: {
        group: stringAt(request, 'resource', 'group'),
        resource: stringAt(request, 'resource', 'resource'),
        subresource: stringAt(request, 'subResource'),
        namespace: stringAt(request, 'namespace'),
        name: stringAt(request, 'name') || stringAt(request, 'object', 'metadata', 'name'),
        generateName: stringAt(request, 'object', 'metadata', 'generateName'),
      },
      requestText: objectText(request, 'object'),
      responseText: objectText(request, 'oldObject'),
    },
    captured,
    recorded,
  };
}

function objectText(request: ValueMap, name: string): string {
  const object = request.get(name);
  return isMap(object) ? writeValue(object, 'kept') : '';
}

/** Sends a review again, or returns the result of an equal one with an equal recorded answer. */
export async function sendOrReuseReview(
  review: LoggedReview,
  options: ResultOptions & LoggedReviewOptions,
): Promise<{ readonly result: CallResult; readonly isReused: boolean }> {
  const { known, equal, disturbances } = options;
  const { event, captured, recorded } = review;
  const answered = recorded === undefined ? '' : `${recorded.status} ${Buffer.from(recorded.body).toString('utf8')}`;
  const epoch = [known.epochOf(event.objectRef.namespace), activeOutages(disturbances, event.atMs), captured.path ?? ''];
  const state = known.stateFor(event.objectRef, false);
  const make = async (): Promise<MadeResult> => {
    try {
      const call = callOfReview(state.server, captured);
      const made = await options.makeAgain(call, state, { ms: event.atMs, auditId: event.auditId, captured });
      return resultIn(review, made, { ...options, server: state.server });
    } catch (error) {
      if (error instanceof CliError) return { unknown: normalizedMessage(error.message, event.objectRef) };
      throw error;
    }
  };
  return equal.of({ ...event, requestText: captured.body }, { stored: answered, epoch: epoch.join('/') }, make);
}

function resultIn(
  review: LoggedReview,
  made: MadeAgain,
  { server, hidingSecretsOf, changesOfReview }: ResultOptions & LoggedReviewOptions & { readonly server: ApiServer },
): MadeResult {
  const { event, recorded } = review;
  const { isRepeatable, waitedMs, sent, compared } = made;
  if (made.neededLabels !== undefined) return { unknown: unknownLabels, isRepeatable };
  const changes = recorded === undefined ? [] : changesOfReview({ ...review, recorded }, made, server);
  if ('unknown' in changes) return { unknown: changes.unknown, isRepeatable };
  const hide = changes.length + compared.length === 0 ? (text: string) => text : hidingSecretsOf(event);
  const { decision } = made.report;
  const answer = { code: decision.code, message: String(decision.status?.get('message') ?? ''), annotations: decision.auditAnnotations };
  return {
    outcome: callOutcomeOf(hidden(answer, event, hidingSecretsOf), event.objectRef),
    compared: [...changes, ...compared].map(change => ({ ...change, message: normalizedMessage(hide(change.message), event.objectRef) })),
    ...{ waitedMs, sent, isRepeatable, stored: undefined },
  };
}
