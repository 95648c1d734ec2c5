import type { ReviewedToken } from '../../apiserver/report/serving.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import { authenticated, userInfo } from './authentication.js';
import type { AccountTokens } from './service-account-tokens.js';
import { type AskForToken, reviewedToken } from './token-answer.js';
import { newTokenCache } from './token-cache.js';

/** A user with a bearer token. */
export interface TokenUser {
  readonly token: string;
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
}

/** Who a token belongs to, in requests and in TokenReviews. */
export interface TokenUsers {
  /** Returns the user of a token; undefined if it is invalid. */
  readonly userOf: (token: string) => UserInfo | undefined | Promise<UserInfo | undefined>;
  readonly reviewToken: (token: string, audiences: readonly string[]) => ReviewedToken | Promise<ReviewedToken>;
}

export interface TokenSources {
  readonly users: readonly TokenUser[];
  readonly tokens: AccountTokens;
  /** Asked for tokens that are neither those of the users nor of a service account. */
  readonly askForOtherToken: AskForToken | undefined;
  readonly now: () => Date;
}

/** Returns the users of tokens: given ones, service accounts, then those of other authenticators. Source: kubernetes pkg/kubeapiserver/authenticator/config.go New. */
export function tokenUsers({ users, tokens, askForOtherToken, now }: TokenSources): TokenUsers {
  const audiences = (): readonly string[] => tokens.authority().audiences;
  const cached = newTokenCache();
  const byToken = new Map(users.map(user => [user.token, { ...userInfo(user.username, user.groups), uid: user.uid ?? '' }]));
  return {
    userOf: token => {
      const known = byToken.get(token);
      if (known !== undefined) return known;
      const account = cached(token, now().getTime(), () => {
        const answer = tokens.review(token, audiences());
        return 'user' in answer ? answer.user : undefined;
      });
      if (account !== undefined || askForOtherToken === undefined) return account;
      return askForOtherToken(token, audiences()).then(answer => ('user' in answer ? answer.user : undefined));
    },
    reviewToken: (token, asked) => {
      const known = byToken.get(token);
      const wanted = asked.length === 0 ? audiences() : asked;
      if (known !== undefined) {
        const common = audiences().filter(audience => wanted.includes(audience));
        if (common.length > 0) return { user: authenticated(known), audiences: common };
      }
      const answer = tokens.review(token, wanted);
      if ('user' in answer || askForOtherToken === undefined) return reviewedToken(answer);
      return askForOtherToken(token, wanted).then(other =>
        reviewedToken('user' in other ? { ...other, user: authenticated(other.user) } : { errors: [...answer.errors, ...other.errors] }),
      );
    },
  };
}
