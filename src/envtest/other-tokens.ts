import type { AskForToken, TokenAnswer } from '../local-apiserver/access/token-answer.js';
import type { JwtAuthenticators } from './openid/jwt-authenticators.js';

/** Lifetime of cached successful authentications. Source: kubernetes pkg/kubeapiserver/options/authentication.go TokenSuccessCacheTTL. */
const keptMs = 10_000;
const maxKept = 4096;

/** Asks one authenticator after the other, and caches users; undefined without authenticators. Source: apiserver authentication/token/union, token/cache. */
export function askInOrder(authenticators: readonly (AskForToken | undefined)[]): AskForToken | undefined {
  const given = authenticators.flatMap(ask => ask ?? []);
  if (given.length === 0) return undefined;
  const known = new Map<string, { readonly answer: TokenAnswer; readonly until: number }>();
  return async (token, audiences) => {
    const key = JSON.stringify([token, audiences]);
    const found = known.get(key);
    if (found !== undefined && found.until > Date.now()) return found.answer;
    known.delete(key);
    const errors: string[] = [];
    for (const ask of given) {
      const answer = await ask(token, audiences);
      if ('errors' in answer) errors.push(...answer.errors);
      else {
        if (known.size >= maxKept) known.clear();
        known.set(key, { answer, until: Date.now() + keptMs });
        return answer;
      }
    }
    return { errors };
  };
}

/** The tokens of issuers are for all audiences of the API server. Source: apiserver authentication/authenticator/audagnostic.go. */
export function jwtTokens(authenticate: JwtAuthenticators['authenticate'], ownAudiences: readonly string[]): AskForToken {
  return async (token, wanted) => {
    const audiences = ownAudiences.filter(audience => wanted.includes(audience));
    if (audiences.length === 0) return { errors: [] };
    const answer = await authenticate(token);
    if (answer === undefined) return { errors: [] };
    return 'user' in answer ? { user: answer.user, audiences } : { errors: [answer.error] };
  };
}
