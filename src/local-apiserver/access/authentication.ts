import type { UserInfo } from '../../kubernetes/api-call.js';
import { headerOfRequest, type Incoming, pathOfRequest } from '../http/exchange.js';
import { headerUser, type RequestHeaders } from './request-headers.js';

/** Authenticates requests. */
export interface Authenticators {
  /** Returns the user of a token; undefined if it is invalid. */
  userOf(token: string): UserInfo | undefined | Promise<UserInfo | undefined>;
  /** Returns whether requests of a path without credentials are those of `system:anonymous`. */
  readonly allowsAnonymous: (path: string) => boolean;
  /** Users that an authenticating proxy names; undefined without one. */
  readonly requestHeaders: RequestHeaders | undefined;
}

/** The user of requests without credentials. */
export const anonymousUser = 'system:anonymous';

/**
 * Returns the user of a request, by the headers of a proxy, client certificate or bearer token; anonymous without any; undefined for 401.
 * Source: kubernetes pkg/kubeapiserver/authenticator/config.go New.
 */
export async function authenticate(request: Incoming, authenticators: Authenticators): Promise<UserInfo | undefined> {
  const { peer } = request;
  const named = headerUser(request, authenticators.requestHeaders);
  if (named !== undefined) return authenticated(named);
  if (peer?.isClient === true && peer.commonName !== '') return authenticated(certificateUser(peer));
  const token =
    bearerToken(headerOfRequest(request, 'authorization') ?? '') ??
    webSocketToken(headerOfRequest(request, 'sec-websocket-protocol') ?? '');
  if (token !== undefined) {
    const user = await authenticators.userOf(token);
    return user === undefined ? undefined : authenticated(user);
  }
  // A certificate of an unknown CA is an error, unlike none.
  const isRefused = peer !== undefined && !peer.isClient;
  if (isRefused || !authenticators.allowsAnonymous(pathOfRequest(request))) return undefined;
  return userInfo(anonymousUser, ['system:unauthenticated']);
}

/** A user without uid and extra. */
export function userInfo(username: string, groups: readonly string[]): UserInfo {
  return { username, uid: '', groups, extra: new Map() };
}

/** Adds the group of authenticated users. Source: apiserver authentication/group/authenticated_group_adder.go. */
export function authenticated(user: UserInfo): UserInfo {
  const hasGroup = user.username === anonymousUser || user.groups.some(group => /^system:(?:un)?authenticated$/.test(group));
  return hasGroup ? user : { ...user, groups: [...user.groups, 'system:authenticated'] };
}

/** Source: apiserver authentication/request/x509 CommonNameUserConversion. */
function certificateUser({ commonName, organizations, digest }: NonNullable<Incoming['peer']>): UserInfo {
  const extra = new Map([['authentication.kubernetes.io/credential-id', [`X509SHA256=${digest}`]]]);
  return { username: commonName, uid: '', groups: organizations, extra };
}

/** Source: apiserver authentication/request/bearertoken. */
function bearerToken(header: string): string | undefined {
  const parts = header.trim().split(' ');
  if (parts.length < 2 || parts[0]?.toLowerCase() !== 'bearer' || parts[1] === '') return undefined;
  return parts[1];
}

const tokenProtocol = 'base64url.bearer.authorization.k8s.io.';

/** Browsers cannot set headers of WebSockets. Source: apiserver authentication/request/websocket/protocol.go. */
function webSocketToken(protocols: string): string | undefined {
  const named = protocols.split(',').map(text => text.trim());
  const encoded = named.find(text => text.startsWith(tokenProtocol));
  if (encoded === undefined || named.length < 2) return undefined;
  const token = Buffer.from(encoded.slice(tokenProtocol.length), 'base64url').toString('utf8');
  return token === '' ? undefined : token;
}
