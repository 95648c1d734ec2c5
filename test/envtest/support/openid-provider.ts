import { generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from '../../support/certificate-maker.js';
import type { Running } from './control-plane.js';

/** How a token is signed; RS256 with the key of the provider by default. */
export interface Signing {
  readonly alg?: string;
  readonly kid?: string;
  readonly key?: KeyObject;
}

/** An OpenID provider with a key of each kind, `r` and `e`. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** PEM. */
  readonly authority: string;
  /** Paths that were read. */
  readonly read: string[];
  /** Other documents, by path. */
  readonly documents: Map<string, string>;
  readonly curve: KeyPairKeyObjectResult;
  /** Returns a token with these claims, and those of jane. */
  token(claims?: object, signing?: Signing): string;
  stop(): void;
}

const notAfter = new Date('2099-01-01T00:00:00Z');
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export async function startProvider(): Promise<OpenIdProvider> {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ca = makeCertificate({ isAuthority: true, notAfter });
  const own = makeCertificate({ issuer: ca, notAfter });
  const read: string[] = [];
  const documents = new Map<string, string>();
  const keys = [
    { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'r' },
    { ...curve.publicKey.export({ format: 'jwk' }), kid: 'e' },
    { kty: 'oct', k: 'AAAA' },
  ];
  const server = createServer({ cert: own.pem, key: own.keyPem }, ({ url = '' }, response) => {
    read.push(url);
    const document = documents.get(url);
    const known = url === '/keys' ? { keys } : { issuer, jwks_uri: `${issuer}/keys` };
    response.setHeader('Content-Type', 'application/json');
    response.end(document ?? JSON.stringify(known));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const token: OpenIdProvider['token'] = (claims = {}, { alg = 'RS256', kid = 'r', key = rsa.privateKey } = {}) => {
    const exp = Math.floor(Date.now() / 1000) + 600;
    const all = { iss: issuer, aud: 'client', exp, sub: 'jane', email: 'j@example.com', groups: ['a', 'b'], jti: 'id1', ...claims };
    const data = `${part({ alg, kid })}.${part(all)}`;
    return `${data}.${sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  };
  return { issuer, authority: ca.pem, read, documents, curve, token, stop: () => server.close() };
}

/** Returns the user of a token; undefined for 401. */
export async function askUser(server: Running, bearer: string): Promise<object | undefined> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const headers = { Authorization: `Bearer ${bearer}` };
  const answer = await server.call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body, headers });
  return answer.status === 201 ? answer.body.status.userInfo : undefined;
}
