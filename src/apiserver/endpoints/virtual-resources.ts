import { ensureMap, listAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import { addNote } from '../../kubernetes/call-notes.js';
import { badRequest, invalid } from '../../kubernetes/status-errors.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import type { Attributes } from '../admission/attributes.js';
import { accessStatus, rulesStatus } from '../handlers/access-answers.js';
import { attributesToValidate } from '../handlers/attributes-to-validate.js';
import type { CallContext, VerbAnswer } from '../handlers/call-context.js';
import { objectAnswer } from '../handlers/object-answer.js';
import type { ApiObject } from '../objects/api-object.js';

import { type Place, placeOf } from '../registry/validation/place.js';
import { validationOf } from '../registry/validation-of.js';

/** Runs the validating phase and returns the review's answer. Access is always granted: the cluster's authorizer is not known. */
export async function answerQuestion(object: ApiObject, admitted: Attributes, context: CallContext): Promise<VerbAnswer> {
  const { errors } = checkedQuestion(object, context);
  // The internal type has no kind.
  if (errors.length > 0) throw invalid({ group: object.codec.kind.group, kind: '' }, '', errors);
  const { kind } = object.codec.kind;
  if (kind === 'TokenReview' && stringAt(object.value, 'spec', 'token') === '')
    throw badRequest('token is required for TokenReview in authentication');
  await context.chain.validate(attributesToValidate(object, admitted));
  const answer = answerTo(object.value, kind, context);
  return objectAnswer(201, () => ({ codec: object.codec, value: answer }));
}

function checkedQuestion({ value }: ApiObject, { endpoint, server }: CallContext): Place {
  const place = placeOf(server, value);
  validationOf(server, endpoint.resource)?.create(place);
  return place;
}

function answerTo(question: ValueMap, kind: string, context: CallContext): ValueMap {
  if (kind === 'SelfSubjectReview') {
    // The answer is a new object, without the request's metadata.
    const metadata = { creationTimestamp: timestampOf(context.effects.now()) };
    const members = Object.entries({ metadata: toValue(metadata), status: toValue({ userInfo: userInfo(context) }) });
    return new Map([...question].filter(([key]) => key === 'kind' || key === 'apiVersion').concat(members));
  }
  if (kind === 'TokenReview') {
    answerTokenReview(question, context);
  } else if (kind.endsWith('AccessReview')) question.set('status', accessStatus(question, kind, context));
  else if (context.state.live !== undefined) question.set('status', rulesStatus(question, context));
  return question;
}

/** Sets the result; other fields of the status are kept as sent. */
function answerTokenReview(question: ValueMap, { record, serving }: CallContext): void {
  const audiences = listAt(question, 'spec', 'audiences').map(String);
  const reviewed = serving?.reviewToken?.(stringAt(question, 'spec', 'token'), audiences) ?? { error: 'invalid bearer token' };
  if (serving === undefined) addNote(record, 'tokens cannot be verified: every TokenReview is answered as not authenticated');
  const status = ensureMap(question, 'status');
  if ('user' in reviewed) {
    const { username, uid, groups, extra } = reviewed.user;
    const shown = { username, ...(uid === '' ? {} : { uid }), groups: [...groups], ...(extra.size === 0 ? {} : { extra }) };
    question.set('status', toValue({ authenticated: true, user: shown, audiences: [...reviewed.audiences] }));
    return;
  }
  status.delete('authenticated');
  status.set('error', reviewed.error);
}

function userInfo({ user }: CallContext): Record<string, unknown> {
  const extra: Value = new Map([...user.extra].map(([key, values]) => [key, [...values]]));
  return { username: user.username, uid: user.uid, groups: [...user.groups], ...(user.extra.size === 0 ? {} : { extra }) };
}
