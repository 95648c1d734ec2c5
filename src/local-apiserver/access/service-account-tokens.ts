import { createPublicKey, randomUUID } from 'node:crypto';
import type { TokenDemand } from '../../apiserver/report/serving.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { LiveStorage } from '../../kubernetes/live-storage.js';
import type { TokenAnswer } from './token-answer.js';
import { isTokenSignature, keySetOf, publicTokenKey, type TokenAuthority, tokenSignature } from './token-keys.js';

/** Issues and verifies service account tokens. */
export interface AccountTokens {
  issue(demand: TokenDemand): string;
  /** Returns the user of a token that is currently valid for one of the audiences. */
  review(token: string, audiences: readonly string[]): TokenAnswer;
  readonly authority: () => TokenAuthority;
  /** The JSON Web Key Set for verifying tokens. */
  keys(): string;
}

/** Tokens of the service accounts in storage. Source: kubernetes pkg/serviceaccount. */
export function newAccountTokens(storage: LiveStorage, now: () => Date, authority: () => TokenAuthority): AccountTokens {
  return {
    issue: demand => signed(claimsOf(demand, { storage, issuer: authority().issuers[0] ?? '' }), authority()),
    review: (token, audiences) => reviewed(token, audiences, { storage, now: now(), authority: authority() }),
    authority,
    keys: () => keySetOf(authority().publicKeys),
  };
}

interface Claims {
  readonly iss: string;
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

interface Claimed {
  readonly storage: LiveStorage;
  readonly issuer: string;
}

function claimsOf({ namespace, name, uid, audiences, seconds, boundTo, now }: TokenDemand, { storage, issuer }: Claimed): object {
  const at = Math.floor(now.getTime() / 1000);
  const pod = boundTo?.kind === 'Pod' ? storage.find({ group: '', kind: 'Pod' }, namespace, boundTo.name) : undefined;
  const nodeName = stringAt(pod, 'spec', 'nodeName');
  const node = storage.find({ group: '', kind: 'Node' }, '', nodeName);
  const bound = {
    ...(nodeName === '' ? {} : { node: node === undefined ? { name: nodeName } : named(node) }),
    ...(boundTo === undefined ? {} : { [boundTo.kind.toLowerCase()]: { name: boundTo.name, uid: boundTo.uid } }),
  };
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

function named(object: ValueMap): Named {
  return { name: stringAt(object, 'metadata', 'name'), uid: stringAt(object, 'metadata', 'uid') };
}

function signed(claims: object, { signingKey }: TokenAuthority): string {
  const { id, algorithm } = publicTokenKey(createPublicKey(signingKey));
  const data = `${encoded({ alg: algorithm, kid: id })}.${encoded(claims)}`;
  return `${data}.${tokenSignature(data, signingKey, algorithm)}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

interface Check {
  readonly storage: LiveStorage;
  readonly now: Date;
  readonly authority: TokenAuthority;
}

const notValid: TokenAnswer = { errors: [] };

function reviewed(token: string, audiences: readonly string[], { storage, now, authority }: Check): TokenAnswer {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  const claims = rest.length === 0 ? claimsIn(payload) : undefined;
  if (claims === undefined || !authority.issuers.includes(claims.iss)) return notValid;
  if (!authority.publicKeys.some(key => isTokenSignature(`${header}.${payload}`, signature, key))) return notValid;
  const common = audiences.filter(audience => claims.aud.includes(audience));
  if (common.length === 0)
    return {
      errors: [`token audiences ${goList(claims.aud)} is invalid for the target audiences ${goList(audiences)}`],
    };
  const at = now.getTime() / 1000;
  if (at >= claims.exp) return { errors: ['service account token has expired'] };
  const { namespace, serviceaccount, ...bound } = claims['kubernetes.io'];
  const account = storage.find({ group: '', kind: 'ServiceAccount' }, namespace, serviceaccount.name);
  if (account === undefined || stringAt(account, 'metadata', 'uid') !== serviceaccount.uid)
    return { errors: ['service account token has been invalidated'] };
  for (const [kind, boundTo] of Object.entries(bound) as [string, Named][]) {
    // That of the pod, which is not checked.
    if ((kind === 'node' && bound.pod !== undefined) || !boundKinds.has(kind)) continue;
    const found = storage.find(
      { group: '', kind: `${kind[0]?.toUpperCase()}${kind.slice(1)}` },
      kind === 'node' ? '' : namespace,
      boundTo.name,
    );
    if (found === undefined || stringAt(found, 'metadata', 'uid') !== boundTo.uid)
      return { errors: ['service account token has been invalidated'] };
  }
  return { user: accountUser(claims), audiences: common };
}

/** Returns the claims of a token, which are not verified yet; undefined if it is none of a service account. */
function claimsIn(payload: string): Claims | undefined {
  try {
    const claims: Partial<Claims> | null = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const account = claims?.['kubernetes.io']?.serviceaccount;
    if (typeof account?.name !== 'string' || !Array.isArray(claims?.aud) || typeof claims.iss !== 'string') return undefined;
    return claims as Claims;
  } catch {
    return undefined;
  }
}

function goList(texts: readonly string[]): string {
  return `[${texts.map(text => JSON.stringify(text)).join(' ')}]`;
}

/** Other private claims are not references. */
const boundKinds: ReadonlySet<string> = new Set(['pod', 'secret', 'node']);

function accountUser({ sub, jti, 'kubernetes.io': { namespace, serviceaccount, pod, node } }: Claims): UserInfo {
  const extra = new Map<string, string[]>([['authentication.kubernetes.io/credential-id', [`JTI=${jti}`]]]);
  if (pod !== undefined) {
    extra.set('authentication.kubernetes.io/pod-name', [pod.name]);
    extra.set('authentication.kubernetes.io/pod-uid', [pod.uid]);
  }
  if (node !== undefined) {
    extra.set('authentication.kubernetes.io/node-name', [node.name]);
    extra.set('authentication.kubernetes.io/node-uid', [node.uid]);
  }
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { username: sub, uid: serviceaccount.uid, groups, extra };
}
