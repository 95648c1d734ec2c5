import type { UserInfo } from '../../kubernetes/api-call.js';
import { headerOf, type Incoming } from '../http/exchange.js';

/** Authenticates bearer tokens. */
export interface TokenReader {
  /** Returns the user of a token; undefined if it is invalid. */
  userOf(token: string): UserInfo | undefined;
}

/**
 * Returns the user of a request, by client certificate or bearer token; anonymous without either; undefined for 401. Source: apiserver
 * authentication/request.
 */
export function authenticate(request: Incoming, tokens: TokenReader): UserInfo | undefined {
  if (request.peer !== undefined) {
    const { commonName, organizations } = request.peer;
    return userInfo(commonName, [...organizations, 'system:authenticated']);
  }
  const token = bearerToken(headerOf(request, 'authorization') ?? '');
  if (token === undefined) return userInfo('system:anonymous', ['system:unauthenticated']);
  return tokens.userOf(token);
}

/** A user without uid and extra. */
export function userInfo(username: string, groups: readonly string[]): UserInfo {
  return { username, uid: '', groups, extra: new Map() };
}

/** Source: apiserver authentication/request/bearertoken. */
function bearerToken(header: string): string | undefined {
  const parts = header.trim().split(' ');
  if (parts.length < 2 || parts[0]?.toLowerCase() !== 'bearer' || parts[1] === '') return undefined;
  return parts[1];
}
