import { forbiddenMessage } from '../../apiserver/authorization/forbidden-message.js';
import { internalErrorText, sanitized } from '../../apiserver/filters/plain-text-error.js';
import type { Authorizer, AuthorizerAnswer, AuthorizerQuestion } from '../../cel/library/authorizer.js';
import type { StatusError } from '../../kubernetes/status.js';
import { forbidden } from '../../kubernetes/status-errors.js';
import { type HttpReply, plainReply } from '../http/exchange.js';

/**
 * Returns a 403 if the authorizer denies the request, otherwise undefined. Source: apiserver endpoints/filters/authorization.go,
 * responsewriters/errors.go.
 */
export function refusalOfRequest(question: AuthorizerQuestion, authorizer: Authorizer): StatusError | undefined {
  const answer = authorizer.authorize(question);
  return answer.allowed ? undefined : authorizationRefusal(question, answer);
}

/** The authorizer failed, and nobody else decided. */
export class AuthorizerFailure extends Error {
  override readonly name = 'AuthorizerFailure';
}

/** Returns the response to a request whose authorizer failed. Source: apiserver endpoints/handlers/responsewriters/errors.go InternalError. */
export function authorizerFailureReply(url: string, { message }: AuthorizerFailure): HttpReply {
  return plainReply(500, internalErrorText(url, message));
}

/** Returns the 403 of a denied request. */
export function authorizationRefusal(question: AuthorizerQuestion, answer: AuthorizerAnswer): StatusError {
  const why = `${sanitized(forbiddenMessage(question))}${answer.reason === '' ? '' : `: ${answer.reason}`}`;
  if ('path' in question) return forbidden({ group: '', resource: '' }, '', why);
  return forbidden({ group: question.group, resource: question.resource }, question.name, why);
}
