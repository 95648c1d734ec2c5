import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Materials, type Running, startControlPlane, writeMaterials } from './support/control-plane.js';
import { askUser, type OpenIdProvider, type Signing, startProvider } from './support/openid-provider.js';

const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
let materials: Materials;
let provider: OpenIdProvider;

beforeAll(async () => {
  materials = writeMaterials();
  provider = await startProvider();
  writeFileSync(path.join(materials.folder, 'provider-ca.crt'), provider.authority);
});
afterAll(() => {
  provider.stop();
  materials.remove();
});

const token: OpenIdProvider['token'] = (...given) => provider.token(...given);

const flagsOfProvider = (): string[] => [
  `--oidc-issuer-url=${provider.issuer}`,
  '--oidc-client-id=client',
  '--oidc-ca-file=provider-ca.crt',
];

const extra = { 'authentication.kubernetes.io/credential-id': ['JTI=id1'] };

describe('tokens of an OpenID provider', () => {
  let server: Running;
  beforeAll(async () => {
    server = await startControlPlane(materials, flagsOfProvider());
  });
  afterAll(() => server.stop());

  it('name a user with the prefix of the issuer, and the keys are read once', async () => {
    const users = [await askUser(server, token()), await askUser(server, token({ aud: ['x', 'client'] }))];
    expect(users).toEqual(Array(2).fill({ username: `${provider.issuer}#jane`, groups: ['system:authenticated'], extra }));
    expect(provider.read).toEqual(['/.well-known/openid-configuration', '/keys']);
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
    ['no algorithm', {}, { alg: 'none' }],
  ])('are refused for %s', async (_, claims, signing) => {
    expect(await askUser(server, token(claims, signing))).toBeUndefined();
  });

  it('are refused for an algorithm that is not allowed', async () => {
    expect(await askUser(server, token({}, { alg: 'ES256', kid: 'e', key: provider.curve.privateKey }))).toBeUndefined();
  });

  it('are refused when they are no tokens', async () => {
    expect([await askUser(server, 'a.b.c'), await askUser(server, 'x')]).toEqual([undefined, undefined]);
  });
});

describe('flags', () => {
  it('name the claims of users and groups, and required claims', async () => {
    const flags = ['username-claim=email', 'groups-claim=groups', 'groups-prefix=g:', 'required-claim=hd=org', 'signing-algs=ES256'];
    const server = await startControlPlane(materials, [...flagsOfProvider(), ...flags.map(flag => `--oidc-${flag}`)]);
    const user = (claims: object) =>
      askUser(server, token({ hd: 'org', ...claims }, { alg: 'ES256', kid: 'e', key: provider.curve.privateKey }));
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
