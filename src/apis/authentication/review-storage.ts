import type { CallContext } from '../../apiserver/call/call-context.js';
import type { RestStorage } from '../../apiserver/handlers/rest-storage.js';
import { ensureMap, listAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import { addNote } from '../../kubernetes/call-notes.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { reviewStorage } from '../authorization/review-storage.js';

/** TokenReviews. Source: kubernetes pkg/registry/authentication/tokenreview/storage.go. */
export const tokenReview: RestStorage = reviewStorage(answerTokenReview, review => {
  if (stringAt(review, 'spec', 'token') === '') throw badRequest('token is required for TokenReview in authentication');
});

/** SelfSubjectReviews. The answer is a new object, without the request's metadata. Source: kubernetes pkg/registry/authentication/selfsubjectreview/rest.go. */
export const selfSubjectReview: RestStorage = reviewStorage((review, context) => {
  const metadata = { creationTimestamp: timestampOf(context.effects.now()) };
  const members = Object.entries({ metadata: toValue(metadata), status: toValue({ userInfo: userInfo(context) }) });
  return new Map([...review].filter(([key]) => key === 'kind' || key === 'apiVersion').concat(members));
});

/** Sets the result; other fields of the status are kept as sent. */
async function answerTokenReview(question: ValueMap, { record, serving }: CallContext): Promise<ValueMap> {
  const audiences = listAt(question, 'spec', 'audiences').map(String);
  const reviewed = (await serving?.reviewToken?.(stringAt(question, 'spec', 'token'), audiences)) ?? { error: 'invalid bearer token' };
  if (serving === undefined) addNote(record, 'tokens cannot be verified: every TokenReview is answered as not authenticated');
  const status = ensureMap(question, 'status');
  if ('user' in reviewed) {
    const { username, uid, groups, extra } = reviewed.user;
    const shown = { username, ...(uid === '' ? {} : { uid }), groups: [...groups], ...(extra.size === 0 ? {} : { extra }) };
    return question.set('status', toValue({ authenticated: true, user: shown, audiences: [...reviewed.audiences] }));
  }
  status.delete('authenticated');
  status.set('error', reviewed.error);
  return question;
}

function userInfo({ user }: CallContext): Record<string, unknown> {
  const extra: Value = new Map([...user.extra].map(([key, values]) => [key, [...values]]));
  return { username: user.username, uid: user.uid, groups: [...user.groups], ...(user.extra.size === 0 ? {} : { extra }) };
}
