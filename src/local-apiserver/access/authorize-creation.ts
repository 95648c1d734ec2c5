import { whenAnswered } from '../../apiserver/admission/pending-answer.js';
import type { Authorizer, AuthorizerQuestion } from '../../cel/library/authorizer.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import { internalError } from '../../kubernetes/status-errors.js';
import type { Incoming } from '../http/exchange.js';
import { authorizationRefusal } from './authorization.js';
import { questionOf } from './request-attributes.js';

/** Authorizes the creation of the object that an update or a patch names. Throws a 403 or 500. Source: apiserver handlers/update.go withAuthorization. */
export async function authorizeCreation(request: Incoming, user: UserInfo, authorizer: Authorizer): Promise<void> {
  const question: AuthorizerQuestion = { ...questionOf(request, user), verb: 'create' };
  const answer = await whenAnswered(() => authorizer.authorize(question));
  if (answer.allowed) return;
  throw answer.error === undefined ? authorizationRefusal(question, answer) : internalError(answer.error);
}
