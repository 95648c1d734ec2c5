import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { webhookCalls } from '../../src/envtest/webhook-credentials.js';
import { toValue, type ValueMap } from '../../src/go/value.js';
import { makeCertificate } from '../support/certificate-maker.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { clientCertificate } from './support/control-plane.js';

const notAfter = new Date('2099-01-01T00:00:00Z');
const ca = makeCertificate({ isAuthority: true, notAfter });
const webhook = makeCertificate({ issuer: ca, notAfter });
const client = clientCertificate('api-server', ca);
let server: Server;
let port = 0;

beforeAll(async () => {
  const options = { cert: webhook.pem, key: webhook.keyPem, ca: ca.pem, requestCert: true, rejectUnauthorized: false };
  server = createServer(options, ({ headers, socket }, response) => {
    const isKnown = (socket as TLSSocket).authorized;
    const impersonated = ['user', 'group', 'extra-why'].flatMap(name => headers[`impersonate-${name}`] ?? []);
    response.end(JSON.stringify([headers.authorization, impersonated.join('; ') || undefined, isKnown ? 'certificate' : undefined]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterAll(() => server.close());

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const pair = { 'client-certificate-data': base64(client.pem), 'client-key-data': base64(client.keyPem) };
const star = { '*': { token: 'star' } };

async function callWith(users: Readonly<Record<string, object>>, more: object = {}): Promise<unknown> {
  const named = Object.entries(users).map(([name, user]) => ({ name: name.replace('PORT', String(port)), user }));
  const { folder, remove } = temporaryFolder({ kubeconfig: JSON.stringify({ kind: 'Config', users: named, ...more }), token: 'file\n' });
  onTestFinished(remove);
  const configuration = toValue({ kubeConfigFile: `${folder}/kubeconfig` }) as ValueMap;
  const answer = await webhookCalls(new Map([['ValidatingAdmissionWebhook', configuration]]))({
    phase: 'validating',
    configuration: 'a',
    webhook: 'a.a.com',
    url: `https://localhost:${port}/?timeout=9s`,
    address: { host: '127.0.0.1', port },
    serverName: 'localhost',
    caBundle: Buffer.from(ca.pem),
    timeoutSeconds: 9,
    deadlineMs: 9000,
    apiVersion: 'admission.k8s.io/v1',
    uid: 'u',
    body: '{}',
  });
  if (answer.outcome === 'noClient') return answer.message;
  return answer.outcome === 'answered' ? JSON.parse(Buffer.from(answer.body).toString()) : answer.message;
}

/** Users of a kubeconfig, and what kube-apiserver v1.36.3 sends with them: the Authorization header, the impersonated user, a certificate. */
it.each([
  ['the address', { 'localhost:PORT': { token: 'exact' }, ...star }, ['Bearer exact', null, null]],
  ['a star', star, ['Bearer star', null, null]],
  ['another address', { other: { token: 'x' } }, [null, null, null]],
  ['the host without its port', { localhost: { token: 'x' } }, [null, null, null]],
  ['a certificate', { '*': pair }, [null, null, 'certificate']],
  ['a certificate without a key', { '*': { 'client-certificate-data': base64(client.pem) } }, [null, null, null]],
  ['a password', { '*': { username: 'u', password: 'p' } }, ['Basic dTpw', null, null]],
  ['an impersonated user', { '*': { token: 't', as: 'jane' } }, ['Bearer t', 'jane', null]],
  [
    'an impersonated user with groups',
    { '*': { token: 't', as: 'jane', 'as-groups': ['dev', 'ops'], 'as-user-extra': { why: ['a', 'b'] } } },
    ['Bearer t', 'jane; dev, ops; a, b', null],
  ],
  ['a file with a token', { '*': { tokenFile: 'token' } }, ['Bearer file', null, null]],
  ['missing files', { '*': { 'client-certificate': '/missing.crt' } }, 'open /missing.crt: no such file or directory'],
  ['a token and a password', { '*': { token: 't', username: 'u' } }, 'username/password or bearer token may be set, but not both'],
])('calls a webhook with the credentials of %s', async (_, users, sent) => {
  expect(await callWith(users as Record<string, object>)).toEqual(sent);
});

it('calls a webhook with the credentials of the current context', async () => {
  const contexts = [{ name: 'c', context: { user: 'own' } }];
  expect(await callWith({ own: { token: 'context' } }, { contexts, 'current-context': 'c' })).toEqual(['Bearer context', null, null]);
});
