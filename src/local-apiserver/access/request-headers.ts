import type { UserInfo } from '../../kubernetes/api-call.js';
import type { Incoming } from '../http/exchange.js';

/** Headers in which an authenticating proxy names users. */
export interface RequestHeaders {
  /** PEM: CAs of the proxy's client certificate. */
  readonly ca: string;
  /** Common names of the proxy's certificate; any if there are none. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

/**
 * Returns the user that an authenticating proxy names; undefined if the client is not the proxy, or names none. Source: apiserver
 * authentication/request/headerrequest/requestheader.go.
 */
export function headerUser({ peer, headers }: Incoming, options: RequestHeaders | undefined): UserInfo | undefined {
  if (options === undefined || peer?.isProxy !== true) return undefined;
  if (options.allowedNames.length > 0 && !options.allowedNames.includes(peer.commonName)) return undefined;
  const valuesOf = (names: readonly string[]): string[] =>
    names.flatMap(name => headers.filter(([key, value]) => key === name.toLowerCase() && value !== '').map(([, value]) => value));
  const [username] = valuesOf(options.usernameHeaders);
  if (username === undefined) return undefined;
  const extra = new Map<string, string[]>();
  for (const [key, value] of headers) {
    const prefix = options.extraPrefixes.find(text => key.startsWith(text.toLowerCase()));
    if (prefix === undefined) continue;
    const name = decoded(key.slice(prefix.length));
    extra.set(name, [...(extra.get(name) ?? []), value]);
  }
  return { username, uid: valuesOf(options.uidHeaders)[0] ?? '', groups: valuesOf(options.groupHeaders), extra };
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
