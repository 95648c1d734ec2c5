import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from '../support/run-command.js';
import { type Materials, type Running, startControlPlane, writeMaterials } from './support/control-plane.js';
import { askUser, type OpenIdProvider, startProvider } from './support/openid-provider.js';

let materials: Materials;
let provider: OpenIdProvider;
beforeAll(async () => {
  materials = writeMaterials({ 'tokens.csv': 'admin,admin,,system:masters\n' });
  provider = await startProvider();
});
afterAll(() => {
  provider.stop();
  materials.remove();
});

const mappings = { username: { claim: 'sub', prefix: 'c:' } };

function writeConfiguration(jwt: readonly object[], more: object = {}): void {
  const head = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration' };
  writeFileSync(path.join(materials.folder, 'auth.yaml'), JSON.stringify({ ...head, jwt, ...more }));
}

function authenticator(claimMappings: object, more: object = {}): object {
  const issuer = { url: provider.issuer, audiences: ['client'], certificateAuthority: provider.authority };
  return { issuer, claimMappings, ...more };
}

const start = (): Promise<Running> => startControlPlane(materials, ['--authentication-config=auth.yaml', '--token-auth-file=tokens.csv']);

async function review(server: Running, token: string, audiences: readonly string[] = []): Promise<object> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token, audiences } };
  const answer = await server.call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
    body,
    headers: { Authorization: 'Bearer admin' },
  });
  return answer.body.status;
}

describe('tokens of an issuer with expressions', () => {
  let server: Running;
  beforeAll(async () => {
    const claimMappings = {
      username: { expression: 'claims.sub + "@" + claims.?tenant.orValue("none")' },
      groups: { expression: 'claims.groups' },
      uid: { expression: 'string(claims.?n.orValue(0))' },
      extra: [{ key: 'example.com/roles', valueExpression: 'claims.?realm__dot__access.?roles.orValue([])' }],
    };
    const claimValidationRules = [{ expression: '!has(claims.banned)', message: 'you are banned' }];
    const userValidationRules = [{ expression: "!user.groups.exists(g, g.startsWith('system:'))", message: 'reserved group' }];
    writeConfiguration([authenticator(claimMappings, { claimValidationRules, userValidationRules })]);
    server = await start();
  });
  afterAll(() => server.stop());

  it('name a user with groups, uid and extra', async () => {
    const user = await askUser(server, provider.token({ tenant: 't', n: 5, 'realm.access': { roles: ['x', ''] } }));
    const extra = { 'authentication.kubernetes.io/credential-id': ['JTI=id1'], 'example.com/roles': ['x'] };
    expect(user).toEqual({ username: 'jane@t', uid: '5', groups: ['a', 'b', 'system:authenticated'], extra });
  });

  it.each<[string, object, string]>([
    [
      'a rule for claims',
      { banned: true },
      "oidc: error evaluating claim validation expression: validation expression '!has(claims.banned)' failed: you are banned",
    ],
    [
      'a rule for users',
      { groups: ['system:masters'] },
      "oidc: error evaluating user info validation rule: validation expression '!user.groups.exists(g, g.startsWith('system:'))' failed: reserved group",
    ],
    [
      'a name that is not a text',
      { tenant: 1 },
      'oidc: error evaluating username claim expression: expression \'claims.sub + "@" + claims.?tenant.orValue("none")\' resulted in error: no such overload',
    ],
    ['another audience', { aud: 'x' }, 'oidc: verify token: oidc: expected audience "client" got ["x"]'],
    ['an expired token', { exp: 1 }, 'oidc: verify token: oidc: token is expired (Token Expiry: 1970-01-01 00:00:01 +0000 UTC)'],
  ])('break %s, and a TokenReview says how', async (_, claims, error) => {
    const token = provider.token(claims);
    expect(await review(server, token)).toEqual({ user: {}, error: `[invalid bearer token, ${error}]` });
    expect(await askUser(server, token)).toBeUndefined();
  });

  it('are for the audiences of the API server', async () => {
    const own = `https://127.0.0.1:${server.port}/`;
    const token = provider.token();
    expect(await review(server, token, ['x', own])).toMatchObject({
      authenticated: true,
      audiences: [own],
      user: { username: 'jane@none' },
    });
    expect(await review(server, token, ['x'])).toEqual({ user: {}, error: 'invalid bearer token' });
  });
});

it('is used as documented', async () => {
  const text = readFileSync(path.join(root, 'docs/envtest.md'), 'utf8');
  const [, configuration = '', printed = ''] =
    /```yaml\n(apiVersion: apiserver\.config[^`]*)```[^`]*`[^`]*`[^`]*```text\n([^\n]*)\n```/.exec(text) ?? [];
  const authority = JSON.stringify(provider.authority);
  const own = configuration.replace('https://issuer.example.com', `${provider.issuer}\n    certificateAuthority: ${authority}`);
  writeFileSync(path.join(materials.folder, 'auth.yaml'), own);
  const server = await start();
  const claims = { aud: 'my-app', tenant: 'blue' };
  expect(await askUser(server, provider.token(claims))).toMatchObject({
    username: 'jane@blue',
    groups: ['a', 'b', 'system:authenticated'],
  });
  expect(await review(server, provider.token({ ...claims, groups: ['system:masters'] }))).toEqual({ user: {}, error: printed });
  await server.stop();
});

it('adds the groups of a distributed claim, once their issuer is known', async () => {
  writeConfiguration([authenticator({ ...mappings, groups: { claim: 'groups', prefix: 'g:' } })]);
  const server = await start();
  provider.documents.set('/groups', provider.token({ groups: ['far'] }));
  const claims = { groups: undefined, _claim_names: { groups: 's' }, _claim_sources: { s: { endpoint: `${provider.issuer}/groups` } } };
  expect(await askUser(server, provider.token(claims))).toBeUndefined();
  await vi.waitFor(async () => {
    expect(await askUser(server, provider.token(claims))).toMatchObject({ username: 'c:jane', groups: ['g:far', 'system:authenticated'] });
  });
  await server.stop();
});

it('allows anonymous requests of the listed paths only', async () => {
  writeConfiguration([], { anonymous: { enabled: true, conditions: [{ path: '/livez' }, { path: '/healthz' }] } });
  const server = await start();
  const codes = await Promise.all(
    ['/livez', '/livez?verbose', '/readyz', '/livez/ping'].map(async url => (await server.call('GET', url)).status),
  );
  await server.stop();
  expect(codes).toEqual([200, 200, 401, 401]);
});

it('uses the file as it is changed, but for anonymous users and mistakes', async () => {
  writeConfiguration([]);
  const server = await start();
  const token = provider.token();
  expect(await askUser(server, token)).toBeUndefined();
  writeConfiguration([authenticator({})]);
  await vi.waitFor(() =>
    expect(server.stderr()).toContain('failed to validate authentication config: jwt[0].claimMappings.username: Required value'),
  );
  writeConfiguration([authenticator(mappings)], { anonymous: { enabled: false } });
  await vi.waitFor(() => expect(server.stderr()).toContain('anonymous: Forbidden: changed from initial configuration file'));
  writeConfiguration([authenticator(mappings)]);
  await vi.waitFor(() => expect(server.stderr()).toContain('reloaded authentication config'));
  expect(await askUser(server, token)).toMatchObject({ username: 'c:jane' });
  await server.stop();
});
