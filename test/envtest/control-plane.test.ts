import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEtcd } from '../../src/envtest/etcd/health-server.js';
import { runKubeApiserver } from '../../src/envtest/run-kube-apiserver.js';
import { freePort } from '../../src/suites/process/start-process.js';
import { testSurroundings } from '../support/run-command.js';
import {
  type Answer,
  clientCertificate,
  flagsOf,
  type Materials,
  type Running,
  startControlPlane,
  webhookKubeconfig,
  writeMaterials,
} from './support/control-plane.js';

let materials: Materials;
let server: Running;
const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const whoAmI = (options: Parameters<Running['call']>[2]): Promise<Answer> =>
  server.call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body: review, ...options });

beforeAll(async () => {
  materials = writeMaterials({ 'tokens.csv': 'secret-1,alice,uid-1,"devs,system:masters"\nsecret-2,bob,uid-2\n' });
  server = await startControlPlane(materials, [
    '--token-auth-file=tokens.csv',
    '--requestheader-client-ca-file=proxy-ca.crt',
    '--requestheader-allowed-names=front',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--allow-privileged=true',
  ]);
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  materials.remove();
});
const admin = { headers: { Authorization: 'Bearer secret-1' } };

describe('paths besides the API', () => {
  it.each([
    ['/healthz', '*/*', 200, 'text/plain; charset=utf-8'],
    ['/healthz/', '*/*', 404, 'text/plain; charset=utf-8'],
    ['/readyz/ping', '*/*', 200, 'text/plain; charset=utf-8'],
    ['/.well-known/openid-configuration', '*/*', 200, 'application/json'],
    ['/.well-known/openid-configuration', 'text/plain', 406, 'application/json'],
    ['/metrics/slis', '*/*', 200, 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'],
  ])('%s for %s: %i', async (url, accept, status, type) => {
    const answer = await server.call('GET', url, { headers: { ...admin.headers, accept } });
    expect([answer.status, answer.contentType]).toEqual([status, type]);
  });

  it('show the health of every check as a metric', async () => {
    const { body: text } = await server.call('GET', '/metrics/slis', admin);
    expect(text).toMatch(/^# HELP kubernetes_healthcheck .*\n# TYPE kubernetes_healthcheck gauge\n/);
    expect(text).toContain('kubernetes_healthcheck{name="ping",type="healthz"} 1\nkubernetes_healthcheck{name="ping",type="livez"} 1\n');
  });
});

describe('authentication by the flags of kube-apiserver', () => {
  it('reads users and groups from a token file', async () => {
    const { body } = await whoAmI(admin);
    expect(body.status.userInfo).toEqual({ username: 'alice', uid: 'uid-1', groups: ['devs', 'system:masters', 'system:authenticated'] });
    expect((await whoAmI({ headers: { Authorization: 'Bearer other' } })).status).toBe(401);
  });

  it('takes users from client certificates of the client CA, with the hash of the certificate', async () => {
    const client = clientCertificate('carol', materials.clientCa);
    const digest = createHash('sha256').update(client.der).digest('hex');
    expect((await whoAmI({ client })).body.status.userInfo).toEqual({
      username: 'carol',
      groups: ['system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${digest}`] },
    });
  });

  it('rejects client certificates of other CAs, unless a token is valid', async () => {
    const client = clientCertificate('carol', materials.proxyCa);
    expect((await whoAmI({ client })).status).toBe(401);
    expect((await whoAmI({ client, ...admin })).body.status.userInfo.username).toBe('alice');
  });

  it('takes users from the headers of an authenticating proxy only', async () => {
    const headers = { 'X-Remote-User': 'dave', 'X-Remote-Group': 'ops', 'X-Remote-Extra-Team%2Fname': 'blue' };
    const proxied = await whoAmI({ client: clientCertificate('front', materials.proxyCa), headers });
    expect(proxied.body.status.userInfo).toEqual({
      username: 'dave',
      groups: ['ops', 'system:authenticated'],
      extra: { 'team/name': ['blue'] },
    });
    expect((await whoAmI({ client: clientCertificate('other', materials.proxyCa), headers })).status).toBe(401);
    const client = clientCertificate('carol', materials.clientCa);
    expect((await whoAmI({ client, headers })).body.status.userInfo.username).toBe('carol');
  });

  it('publishes how to authenticate for other API servers', async () => {
    const { body } = await server.call('GET', '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication', admin);
    expect(body.data).toEqual({
      'client-ca-file': materials.clientCa.pem,
      'requestheader-allowed-names': '["front"]',
      'requestheader-client-ca-file': materials.proxyCa.pem,
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-uid-headers': '[]',
      'requestheader-username-headers': '["X-Remote-User"]',
    });
  });
});

describe('service accounts by the flags of kube-apiserver', () => {
  it("issues tokens of the issuer, signed with the suite's key, and accepts them", async () => {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
    await server.call('POST', '/api/v1/namespaces/default/serviceaccounts', { body: account, ...admin });
    const demand = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const issued = await server.call('POST', '/api/v1/namespaces/default/serviceaccounts/robot/token', { body: demand, ...admin });
    const { token } = issued.body.status;
    const [header, claims] = token.split('.').map((part: string) => Buffer.from(part, 'base64url').toString('utf8'));
    const issuer = `https://127.0.0.1:${server.port}/`;
    expect(JSON.parse(claims)).toMatchObject({ iss: issuer, aud: [issuer], sub: 'system:serviceaccount:default:robot' });
    const keys = (await server.call('GET', '/openid/v1/jwks', admin)).body.keys;
    expect(keys).toEqual([{ use: 'sig', kty: 'RSA', kid: JSON.parse(header).kid, alg: 'RS256', n: expect.any(String), e: 'AQAB' }]);
    expect((await whoAmI({ headers: { Authorization: `Bearer ${token}` } })).body.status.userInfo.username).toBe(
      'system:serviceaccount:default:robot',
    );
    expect((await server.call('GET', '/.well-known/openid-configuration', admin)).body).toMatchObject({
      issuer,
      id_token_signing_alg_values_supported: ['RS256'],
    });
  });

  it('rejects tokens that another key signed', async () => {
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { iss: `https://127.0.0.1:${server.port}/`, aud: ['x'], 'kubernetes.io': { serviceaccount: { name: 'robot' } } };
    const token = `${encoded({ alg: 'RS256' })}.${encoded(claims)}.${Buffer.alloc(256).toString('base64url')}`;
    expect((await whoAmI({ headers: { Authorization: `Bearer ${token}` } })).status).toBe(401);
  });
});

describe('addresses by the flags of kube-apiserver', () => {
  const service = (spec: object): object => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { generateName: 's-' },
    spec: { ports: [{ port: 80 }], ...spec },
  });
  const create = (spec: object): Promise<Answer> =>
    server.call('POST', '/api/v1/namespaces/default/services', { body: service(spec), ...admin });

  it('allocates addresses of the service range, and refuses others', async () => {
    expect((await create({ clusterIP: '10.7.0.200' })).body.spec.clusterIP).toBe('10.7.0.200');
    expect((await create({})).body.spec.clusterIP).toMatch(/^10\.7\.0\.\d+$/);
    const { status, body } = await create({ clusterIP: '10.8.0.200' });
    expect([status, body.message]).toEqual([422, expect.stringContaining('the provided network does not match the current range')]);
  });

  it('has its port in the service kubernetes and its endpoints', async () => {
    const { body } = await server.call('GET', '/api/v1/namespaces/default/services/kubernetes', admin);
    expect([body.spec.clusterIP, body.spec.ports[0].targetPort]).toEqual(['10.7.0.1', server.port]);
    const endpoints = (await server.call('GET', '/api/v1/namespaces/default/endpoints/kubernetes', admin)).body;
    expect(endpoints.subsets[0].ports[0].port).toBe(server.port);
    const cidr = (await server.call('GET', '/apis/networking.k8s.io/v1/servicecidrs/kubernetes', admin)).body;
    expect(cidr.spec.cidrs).toEqual(['10.7.0.0/24']);
  });
});

it('notes flags without effect, once each', () => {
  expect(server.stderr()).toBe('note: --allow-privileged has no effect in the API server of webhook-cli\n');
});

it('allows everything to everybody who is authenticated, and nobody else, with AlwaysAllow', async () => {
  const open = await startControlPlane(materials, ['--token-auth-file=tokens.csv', '--authorization-mode=AlwaysAllow']);
  expect((await open.call('GET', '/api/v1/secrets')).status).toBe(401);
  expect((await open.call('GET', '/api/v1/secrets', { headers: { Authorization: 'Bearer secret-2' } })).status).toBe(200);
  await open.stop();
});

describe('authentication by a webhook', () => {
  it('asks for tokens that are unknown, once', async () => {
    const asked: string[] = [];
    const webhook = createServer(async (incoming, outgoing) => {
      const { spec } = JSON.parse(Buffer.concat(await incoming.toArray()).toString('utf8'));
      asked.push(spec.token);
      const user = { username: 'frank', groups: ['guests'], extra: { team: ['red'] } };
      outgoing.end(JSON.stringify({ status: spec.token === 'good' ? { authenticated: true, user } : { authenticated: false } }));
    }).listen(0, '127.0.0.1');
    await once(webhook, 'listening');
    const { port } = webhook.address() as AddressInfo;
    writeFileSync(path.join(materials.folder, 'webhook.yaml'), webhookKubeconfig(`http://127.0.0.1:${port}/review`));
    const reviewed = await startControlPlane(materials, ['--authentication-token-webhook-config-file=webhook.yaml']);
    const as = (token: string): Promise<Answer> =>
      reviewed.call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        body: review,
        headers: { Authorization: `Bearer ${token}` },
      });
    const answers = [await as('good'), await as('good'), await as('bad')];
    await reviewed.stop();
    webhook.close();
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 401]);
    expect(answers[0]?.body.status.userInfo).toEqual({
      username: 'frank',
      groups: ['guests', 'system:authenticated'],
      extra: { team: ['red'] },
    });
    expect(asked).toEqual(['good', 'bad']);
  });

  it('needs a kubeconfig with a server', async () => {
    writeFileSync(path.join(materials.folder, 'webhook.yaml'), 'kind: Pod\n');
    await expect(startControlPlane(materials, ['--authentication-token-webhook-config-file=webhook.yaml'])).rejects.toThrow(
      'authentication webhook configuration webhook.yaml: not a kubeconfig',
    );
  });
});

describe('a restart', () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'offers.shop.example.com' },
    spec: {
      group: 'shop.example.com',
      scope: 'Cluster',
      names: { plural: 'offers', singular: 'offer', kind: 'Offer', listKind: 'OfferList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
  const offer = {
    apiVersion: 'shop.example.com/v1',
    kind: 'Offer',
    metadata: { name: 'a' },
    spec: { price: 1.5, big: Number.MAX_SAFE_INTEGER },
  };
  const offers = '/apis/shop.example.com/v1/offers';

  it('keeps the objects while etcd lives, with their versions', async () => {
    const etcd = await startEtcd(['--listen-client-urls=http://127.0.0.1:0', `--data-dir=${materials.folder}`], materials.folder, {
      write: () => {},
    });
    const more = ['--token-auth-file=tokens.csv', `--etcd-servers=http://127.0.0.1:${etcd.port}`];
    const first = await startControlPlane(materials, more);
    await first.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition, ...admin });
    const created = await first.call('POST', offers, { body: offer, ...admin });
    expect(created.status).toBe(201);
    await first.stop();
    const second = await startControlPlane(materials, more);
    expect((await second.call('GET', `${offers}/a`, admin)).body).toEqual(created.body);
    const updated = await second.call('PUT', `${offers}/a`, { body: { ...created.body, spec: { price: 2 } }, ...admin });
    expect(Number(updated.body.metadata.resourceVersion)).toBeGreaterThan(Number(created.body.metadata.resourceVersion));
    const old = await second.call('GET', `${offers}?watch=true&timeoutSeconds=1&resourceVersion=1`, admin);
    expect(old.body).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    await second.stop();
    await etcd.close();
  });
});

describe('a start that fails', () => {
  const run = async (argv: readonly string[]): Promise<readonly [number, string]> => {
    const written = { stdout: '', stderr: '' };
    return [await runKubeApiserver(argv, 'v1.36', testSurroundings({ cwd: materials.folder }, written)), written.stderr];
  };

  it.each([
    [['--nope'], 'Error: unknown flag: --nope\n'],
    [['--goaway-chance=0.1'], 'Error: --goaway-chance is not supported by the API server of webhook-cli\n'],
    [['--emulated-version=1.35'], 'Error: --emulated-version is not supported by the API server of webhook-cli\n'],
    [['--allow-privileged=false'], 'Error: --allow-privileged is not supported by the API server of webhook-cli\n'],
    [['--feature-gates=Nope=true'], '"command failed" err="unrecognized feature gate: Nope"\n'],
  ])('%j', async (argv, message) => {
    expect(await run(argv)).toEqual([1, message]);
  });

  /** Files, and what kube-apiserver v1.36.3 says of them. */
  const begin = '-----BEGIN CERTIFICATE-----\n';
  const end = '-----END CERTIFICATE-----\n';
  it.each([
    ['tls-cert-file', 'hello\n', 'tls: failed to find any PEM data in certificate input'],
    ['tls-cert-file', `${begin}!!!!\n${end}`, 'tls: failed to find any PEM data in certificate input'],
    ['tls-cert-file', `${begin}MIIB\n${end}`, 'tls: found a certificate rather than a key in the PEM for the private key'],
    [
      'tls-cert-file',
      '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n',
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    ['client-ca-file', `${begin}!!!!\n${end}`, 'data does not contain any valid RSA or ECDSA certificates'],
    ['client-ca-file', `${begin}MIIB\n`, 'data does not contain any valid RSA or ECDSA certificates'],
    ['client-ca-file', `${begin}MIIB\n${end}`, 'x509: malformed certificate'],
    ['requestheader-client-ca-file', `${begin}BAEA\n${end}`, 'x509: malformed certificate'],
  ])('refuses certificates that it cannot use: --%s, %j', async (flag, contents, reason) => {
    const file = path.join(materials.folder, 'broken.pem');
    writeFileSync(file, contents);
    const pair = flag === 'tls-cert-file' ? [`--tls-private-key-file=${file}`] : ['--requestheader-username-headers=X'];
    const [code, stderr] = await run(flagsOf(materials, await freePort(), [`--${flag}=${file}`, ...pair]));
    const purposes: Readonly<Record<string, string>> = {
      'client-ca-file': 'client-ca-bundle',
      'requestheader-client-ca-file': 'request-header',
    };
    const message = flag === 'tls-cert-file' ? reason : `error loading CA bundle for "${purposes[flag]}::${file}": ${reason}`;
    expect([code, stderr]).toEqual([1, `"command failed" err=${JSON.stringify(message)}\n`]);
  });

  it('refuses fields of plugin configurations that only the names of JavaScript members resemble', async () => {
    const configuration =
      '{apiVersion: pod-security.admission.config.k8s.io/v1, kind: PodSecurityConfiguration, constructor: x, __proto__: y}';
    const plugins = `plugins:\n- name: PodSecurity\n  configuration: ${configuration}\n`;
    const file = path.join(materials.folder, 'admission.yaml');
    writeFileSync(file, `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n${plugins}`);
    const [code, stderr] = await run(flagsOf(materials, 1, [`--admission-control-config-file=${file}`]));
    const unknown = 'strict decoding error: unknown field "__proto__", unknown field "constructor"';
    const message = `failed to apply admission: couldn't init admission plugin "PodSecurity": ${unknown}`;
    expect([code, stderr]).toEqual([1, `"command failed" err=${JSON.stringify(message)}\n`]);
  });

  it('names files that cannot be read', async () => {
    const [code, stderr] = await run(flagsOf(materials, 1, ['--client-ca-file=missing.crt']));
    expect([code, stderr]).toEqual([1, '"command failed" err="open missing.crt: no such file or directory"\n']);
  });
});
