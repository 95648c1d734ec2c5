import { aggregate } from '../../apiserver/admission/name-in-refusal.js';
import type { ReviewedToken } from '../../apiserver/report/serving.js';
import type { UserInfo } from '../../kubernetes/api-call.js';

/** What authenticators say of a token: its user, for these audiences, or their errors. There are none if no authenticator knows the token. */
export type TokenAnswer = { readonly user: UserInfo; readonly audiences: readonly string[] } | { readonly errors: readonly string[] };

/** Asks authenticators for the user of a token for one of the audiences; never rejects. */
export type AskForToken = (token: string, audiences: readonly string[]) => Promise<TokenAnswer>;

/** Returns the answer to a TokenReview. Source: apiserver authentication/request/union, in which the client of the server itself is first. */
export function reviewedToken(answer: TokenAnswer): ReviewedToken {
  return 'user' in answer ? answer : { error: aggregate(['invalid bearer token', ...answer.errors]) };
}
