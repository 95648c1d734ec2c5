import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import type { ReviewedToken, TokenDemand } from '../../apiserver/handlers/serving.js';
import { stringAt } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { LiveStorage } from '../../kubernetes/live-storage.js';

const issuer = 'https://kubernetes.default.svc';

/** Audience of the API server itself. */
export const ownAudience = issuer;

/** Issues and verifies service account tokens: JWTs signed with a key of this server. */
export interface AccountTokens {
  issue(demand: TokenDemand): string;
  /** Returns the user of a token that is currently valid for one of the audiences. */
  review(token: string, audiences: readonly string[]): ReviewedToken;
  /** The JSON Web Key Set for verifying tokens. */
  keys(): string;
}

/** Tokens of the service accounts in storage. Source: kubernetes pkg/serviceaccount. */
export function newAccountTokens(storage: LiveStorage, now: () => Date): AccountTokens {
  let pair: ReturnType<typeof newPair> | undefined;
  const keyPair = () => {
    pair ??= newPair();
    return pair;
  };
  return {
    issue: demand => signed(claimsOf(demand), keyPair()),
    review: (token, audiences) => reviewed(token, audiences, { storage, now: now(), verifies: data => verifies(data, keyPair()) }),
    keys: () =>
      JSON.stringify({ keys: [{ ...keyPair().publicKey.export({ format: 'jwk' }), use: 'sig', kid: keyPair().id, alg: 'ES256' }] }),
  };
}

function newPair() {
  return { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }), id: randomUUID() };
}

interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly nbf: number;
  readonly sub: string;
  readonly jti: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: Named;
    readonly pod?: Named;
    readonly secret?: Named;
    readonly node?: Named;
  };
}

interface Named {
  readonly name: string;
  readonly uid: string;
}

function claimsOf({ namespace, name, uid, audiences, seconds, boundTo, now }: TokenDemand): object {
  const at = Math.floor(now.getTime() / 1000);
  const bound = boundTo === undefined ? {} : { [boundTo.kind.toLowerCase()]: { name: boundTo.name, uid: boundTo.uid } };
  return {
    aud: audiences,
    exp: at + seconds,
    iat: at,
    iss: issuer,
    jti: randomUUID(),
    'kubernetes.io': { namespace, ...bound, serviceaccount: { name, uid } },
    nbf: at,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

function signed(claims: object, { privateKey, id }: ReturnType<typeof newPair>): string {
  const data = `${encoded({ alg: 'ES256', kid: id })}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(data), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${data}.${signature.toString('base64url')}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function verifies([header = '', claims = '', signature = '']: readonly string[], { publicKey }: ReturnType<typeof newPair>): boolean {
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
}

interface Check {
  readonly storage: LiveStorage;
  readonly now: Date;
  readonly verifies: (parts: readonly string[]) => boolean;
}

const notValid: ReviewedToken = { error: 'invalid bearer token' };

function reviewed(token: string, audiences: readonly string[], { storage, now, verifies: isSigned }: Check): ReviewedToken {
  const parts = token.split('.');
  if (parts.length !== 3 || !isSigned(parts)) return notValid;
  const claims = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8')) as Claims;
  const common = audiences.filter(audience => claims.aud.includes(audience));
  if (common.length === 0)
    return {
      error: `[invalid bearer token, token audiences ${goList(claims.aud)} is invalid for the target audiences ${goList(audiences)}]`,
    };
  const at = now.getTime() / 1000;
  if (at >= claims.exp) return { error: '[invalid bearer token, service account token has expired]' };
  const { namespace, serviceaccount, ...bound } = claims['kubernetes.io'];
  const account = storage.find({ group: '', kind: 'ServiceAccount' }, namespace, serviceaccount.name);
  if (account === undefined || stringAt(account, 'metadata', 'uid') !== serviceaccount.uid)
    return { error: '[invalid bearer token, service account token has been invalidated]' };
  for (const [kind, boundTo] of Object.entries(bound) as [string, Named][]) {
    const found = storage.find(
      { group: '', kind: `${kind[0]?.toUpperCase()}${kind.slice(1)}` },
      kind === 'node' ? '' : namespace,
      boundTo.name,
    );
    if (found === undefined || stringAt(found, 'metadata', 'uid') !== boundTo.uid)
      return { error: '[invalid bearer token, service account token has been invalidated]' };
  }
  return { user: accountUser(claims), audiences: common };
}

function goList(texts: readonly string[]): string {
  return `[${texts.map(text => JSON.stringify(text)).join(' ')}]`;
}

function accountUser({ sub, jti, 'kubernetes.io': { namespace, serviceaccount, pod } }: Claims): UserInfo {
  const extra = new Map<string, string[]>([['authentication.kubernetes.io/credential-id', [`JTI=${jti}`]]]);
  if (pod !== undefined) {
    extra.set('authentication.kubernetes.io/pod-name', [pod.name]);
    extra.set('authentication.kubernetes.io/pod-uid', [pod.uid]);
  }
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { username: sub, uid: serviceaccount.uid, groups, extra };
}
