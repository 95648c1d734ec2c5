import type { UserInfo } from '../../kubernetes/api-call.js';

/** Lifetime of cached successful authentications. Source: kubernetes pkg/kubeapiserver/authenticator TokenSuccessCacheTTL. */
const keptMs = 10_000;
const maxKept = 4096;

/** Caches the users of valid tokens, as the API server does. */
export function newTokenCache(): (token: string, now: number, review: () => UserInfo | undefined) => UserInfo | undefined {
  const known = new Map<string, { readonly user: UserInfo; readonly until: number }>();
  return (token, now, review) => {
    const found = known.get(token);
    if (found !== undefined && found.until > now) return found.user;
    const user = review();
    known.delete(token);
    if (known.size >= maxKept) known.clear();
    if (user !== undefined) known.set(token, { user, until: now + keptMs });
    return user;
  };
}
