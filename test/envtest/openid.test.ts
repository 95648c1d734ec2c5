import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../support/certificate-maker.js';
import { type Materials, type Running, startControlPlane, writeMaterials } from './support/control-plane.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
let materials: Materials;
let provider: Server;
let issuer = '';
const read: string[] = [];

beforeAll(async () => {
  materials = writeMaterials();
  const notAfter = new Date('2099-01-01T00:00:00Z');
  const ca = makeCertificate({ isAuthority: true, notAfter });
  const own = makeCertificate({ issuer: ca, notAfter });
  writeFileSync(path.join(materials.folder, 'provider-ca.crt'), ca.pem);
  provider = createServer({ cert: own.pem, key: own.keyPem }, ({ url }, response) => {
    read.push(String(url));
    const keys = [
      { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'r' },
      { ...curve.publicKey.export({ format: 'jwk' }), kid: 'e' },
      { kty: 'unknown' },
    ];
    response.end(JSON.stringify(url === '/keys' ? { keys } : { issuer, jwks_uri: `${issuer}/keys` }));
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  issuer = `https://localhost:${(provider.address() as AddressInfo).port}`;
});
afterAll(() => {
  provider.close();
  materials.remove();
});

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Signing {
  readonly alg?: string;
  readonly kid?: string;
  readonly key?: KeyObject;
}

/** Returns a token with these claims, and those of jane. */
function token(claims: object = {}, { alg = 'RS256', kid = 'r', key = rsa.privateKey }: Signing = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const all = {
    iss: issuer,
    aud: 'client',
    exp: now + 600,
    sub: 'jane',
    email: 'j@example.com',
    groups: ['a', 'b'],
    jti: 'id1',
    ...claims,
  };
  const data = `${part({ alg, kid })}.${part(all)}`;
  const signature = sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' });
  return `${data}.${signature.toString('base64url')}`;
}

const flagsOfProvider = (): string[] => [`--oidc-issuer-url=${issuer}`, '--oidc-client-id=client', '--oidc-ca-file=provider-ca.crt'];

/** Returns the user of a token; undefined for 401. */
async function askUser(server: Running, bearer: string): Promise<object | undefined> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const headers = { Authorization: `Bearer ${bearer}` };
  const answer = await server.call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body, headers });
  return answer.status === 201 ? answer.body.status.userInfo : undefined;
}

const extra = { 'authentication.kubernetes.io/credential-id': ['JTI=id1'] };

describe('tokens of an OpenID provider', () => {
  let server: Running;
  beforeAll(async () => {
    server = await startControlPlane(materials, flagsOfProvider());
  });
  afterAll(() => server.stop());

  it('name a user with the prefix of the issuer, and the keys are read once', async () => {
    read.length = 0;
    const users = [await askUser(server, token()), await askUser(server, token({ aud: ['x', 'client'] }))];
    expect(users).toEqual(Array(2).fill({ username: `${issuer}#jane`, groups: ['system:authenticated'], extra }));
    expect(read).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it.each<[string, object, Signing?]>([
    ['another audience', { aud: 'other' }],
    ['an expired token', { exp: 1 }],
    ['no expiry', { exp: undefined }],
    ['a token of the future', { nbf: 9_999_999_999 }],
    ['another issuer', { iss: 'https://other.example.com' }],
    ['a subject that is not a text', { sub: 5 }],
    ['another key', {}, { key: other.privateKey }],
    ['an unknown key id', {}, { kid: 'x' }],
    ['an algorithm that is not allowed', {}, { alg: 'ES256', kid: 'e', key: curve.privateKey }],
    ['no algorithm', {}, { alg: 'none' }],
  ])('are refused for %s', async (_, claims, signing) => {
    expect(await askUser(server, token(claims, signing))).toBeUndefined();
  });

  it('are refused when they are no tokens', async () => {
    expect([await askUser(server, 'a.b.c'), await askUser(server, 'x')]).toEqual([undefined, undefined]);
  });
});

describe('flags', () => {
  it('name the claims of users and groups, and required claims', async () => {
    const flags = ['username-claim=email', 'groups-claim=groups', 'groups-prefix=g:', 'required-claim=hd=org', 'signing-algs=ES256'];
    const server = await startControlPlane(materials, [...flagsOfProvider(), ...flags.map(flag => `--oidc-${flag}`)]);
    const user = (claims: object) => askUser(server, token({ hd: 'org', ...claims }, { alg: 'ES256', kid: 'e', key: curve.privateKey }));
    const found = [
      await user({}),
      await user({ groups: 'solo', email_verified: true }),
      await user({ groups: [1] }),
      await user({ hd: 'x' }),
      await user({ email_verified: false }),
      await askUser(server, token({ hd: 'org' })),
    ];
    await server.stop();
    expect(found).toEqual([
      { username: 'j@example.com', groups: ['g:a', 'g:b', 'system:authenticated'], extra },
      { username: 'j@example.com', groups: ['g:solo', 'system:authenticated'], extra },
      ...Array(4).fill(undefined),
    ]);
  });

  it.each([
    [['--oidc-client-id=c'], 'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set'],
    [['--oidc-issuer-url=http://a', '--oidc-client-id=c'], 'jwt[0].issuer.url: Invalid value: \\"http://a\\": URL scheme must be https'],
    [['--oidc-issuer-url=https://a', '--oidc-client-id=c', '--oidc-signing-algs=HS256'], 'oidc: unsupported signing alg: \\"HS256\\"'],
    [['--oidc-issuer-url=https://a', '--oidc-client-id=c', '--oidc-ca-file=missing'], 'open missing: no such file or directory'],
  ])('%j are refused', async (flags, message) => {
    await expect(startControlPlane(materials, flags)).rejects.toThrow(message);
  });
});
