import { execFileSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issueServingPair } from '../../src/certificates/issue.js';
import { connectToCluster } from '../../src/cluster/connect.js';
import type { ClusterClient } from '../../src/cluster/http/cluster-client.js';
import { makeCertificate } from '../support/certificate-maker.js';
import { startConnectProxy } from '../support/connect-proxy.js';
import { type LocalCluster, startLocalCluster } from '../support/local-cluster.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A server that answers with what it knows of the client. */
interface Mirror {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const closings: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

function listening(server: Server): Promise<number> {
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

async function startMirror(options: { readonly cert: string; readonly key: string; readonly clientCa: string }): Promise<Mirror> {
  const { cert, key, clientCa } = options;
  const server = createHttpsServer({ cert, key, ca: clientCa, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const socket = request.socket as unknown as {
      authorized: boolean;
      getPeerCertificate: () => { subject?: { CN?: string } };
      servername?: string;
    };
    const certificate = socket.authorized ? socket.getPeerCertificate().subject?.CN : undefined;
    const { authorization } = request.headers;
    const impersonated = Object.entries(request.headers).filter(([name]) => name.startsWith('impersonate-'));
    response.writeHead(authorization === 'Bearer stale' ? 401 : 200, { 'content-type': 'application/json' });
    const compression = request.headers['accept-encoding'];
    response.end(
      JSON.stringify({ certificate, authorization, impersonated, url: request.url, servername: socket.servername, compression }),
    );
  });
  const port = await listening(server);
  const close = () =>
    new Promise<void>(resolve => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  closings.push(close);
  return { url: `https://127.0.0.1:${port}`, close };
}

/** Starts a SOCKS5 proxy that asks for a password or for nothing, and tells the passwords and destinations. Source: RFC 1928, RFC 1929. */
async function startSocksProxy(asksForPassword: boolean): Promise<{ readonly port: number; readonly told: string[] }> {
  const told: string[] = [];
  const server = createTcpServer(socket => {
    const answers: ((data: Buffer) => void)[] = [() => socket.write(Buffer.from([5, asksForPassword ? 2 : 0]))];
    if (asksForPassword) {
      answers.push(data => {
        const length = data[1] ?? 0;
        told.push(`${data.subarray(2, 2 + length)}:${data.subarray(3 + length)}`);
        socket.write(Buffer.from([1, 0]));
      });
    }
    answers.push(data => {
      const host = data[3] === 1 ? [...data.subarray(4, 8)].join('.') : data.subarray(5, 5 + (data[4] ?? 0)).toString();
      const port = data.readUInt16BE(data.length - 2);
      told.push(`${host}:${port}`);
      const upstream = connect(port, host, () => {
        socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
    });
    socket.on('data', data => answers.shift()?.(data));
    socket.on('error', () => {});
  });
  const port = await listening(server);
  closings.push(() => void server.close());
  return { port, told };
}

interface Choice {
  readonly server: string;
  readonly cluster?: object;
  readonly user?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly isTerminal?: boolean;
}

function clientOf({
  server,
  cluster = {},
  user = {},
  files = {},
  env = {},
  timeoutMs = 10_000,
  isTerminal = false,
}: Choice): ClusterClient & { readonly told: string[] } {
  const config = {
    kind: 'Config',
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  };
  const { folder, remove } = temporaryFolder({ config: JSON.stringify(config), ...files });
  const told: string[] = [];
  const client = connectToCluster({
    ...{ context: undefined, kubeconfig: path.join(folder, 'config'), timeoutMs, cwd: folder, isTerminal, env: { ...process.env, ...env } },
    now: () => new Date(),
    onStderr: text => told.push(text),
  });
  closings.push(remove, client.close);
  return { ...client, told };
}

async function mirrored(client: ClusterClient): Promise<Record<string, unknown>> {
  return JSON.parse((await client.send({ method: 'GET', path: '/api' })).body);
}

describe('a connection to a cluster', async () => {
  const serving = await issueServingPair({ dns: ['kubernetes.example'], ips: ['127.0.0.1'] }, new Date());
  const days = (n: number): Date => new Date(Date.now() + n * 86_400_000);
  const clientCa = makeCertificate({ isAuthority: true, notBefore: days(-1), notAfter: days(1) });
  const jane = makeCertificate({ subject: 'jane', issuer: clientCa, notBefore: days(-1), notAfter: days(1) });
  const mirror = () => startMirror({ ...serving, clientCa: clientCa.pem });
  const trusted = { 'certificate-authority': 'ca.crt' };
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const files = { 'ca.crt': serving.ca, 'jane.crt': jane.pem, 'jane.key': jane.keyPem, token: 'from-file\n' };

  it.each([
    ['a client certificate in files', { 'client-certificate': 'jane.crt', 'client-key': 'jane.key' }, { certificate: 'jane' }],
    [
      'a client certificate as data',
      { 'client-certificate-data': base64(jane.pem), 'client-key-data': base64(jane.keyPem) },
      { certificate: 'jane' },
    ],
    ['a token', { token: 't' }, { authorization: 'Bearer t' }],
    ['a token file, which wins over a token', { token: 't', tokenFile: 'token' }, { authorization: 'Bearer from-file' }],
    ['a password', { username: 'u', password: 'p' }, { authorization: `Basic ${base64('u:p')}` }],
    ['nothing', {}, {}],
    [
      'impersonation',
      { token: 't', as: 'bob', 'as-groups': ['dev'] },
      {
        authorization: 'Bearer t',
        impersonated: [
          ['impersonate-user', 'bob'],
          ['impersonate-group', 'dev'],
        ],
      },
    ],
  ])('authenticates with %s', async (_, user, expected) => {
    const { url } = await mirror();
    const { impersonated, servername, compression, ...seen } = await mirrored(clientOf({ server: url, cluster: trusted, user, files }));
    expect({ ...seen, ...((impersonated as unknown[]).length === 0 ? {} : { impersonated }) }).toEqual({ url: '/api', ...expected });
  });

  const encrypted = createPrivateKey(jane.keyPem).export({ format: 'pem', type: 'pkcs8', cipher: 'aes-128-cbc', passphrase: 'x' });
  it.each([
    ['of another certificate', clientCa.keyPem, 'the client key is not that of the client certificate'],
    ['that is encrypted', String(encrypted), 'the client key is encrypted: a kubeconfig needs one without a passphrase'],
    ['that is none', 'no key', 'the client key is not valid PEM'],
  ])('names a client key %s', async (_, key, expected) => {
    const { url } = await mirror();
    const user = { 'client-certificate-data': base64(jane.pem), 'client-key-data': base64(key) };
    const error = await clientOf({ server: url, cluster: trusted, user, files })
      .send({ method: 'GET', path: '/' })
      .catch((caught: Error) => caught);
    expect(error).toMatchObject({ code: 'cluster-unreachable', message: expect.stringContaining(expected) });
  });

  const plugin = (body: string): Record<string, string> => ({
    ...files,
    'plugin.cjs': `const fs = require('fs'); const count = fs.existsSync('count') ? Number(fs.readFileSync('count')) + 1 : 1; fs.writeFileSync('count', String(count));
      const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      const answer = status => console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status }));
      ${body}`,
  });
  const exec = (more: object = {}): object => ({
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['plugin.cjs'],
      interactiveMode: 'Never',
      ...more,
    },
  });

  it('runs an exec plugin once, with its environment and what it asks for about the cluster', async () => {
    const { url } = await mirror();
    const body =
      "process.stderr.write('hello'); answer({ token: [process.env.OWN, info.spec.interactive, info.spec.cluster.server, count].join() })";
    const user = exec({ env: [{ name: 'OWN', value: 'mine' }], provideClusterInfo: true });
    const client = clientOf({ server: url, cluster: trusted, user, files: plugin(body) });
    const seen = await Promise.all([mirrored(client), mirrored(client)]);
    expect(seen.map(({ authorization }) => authorization)).toEqual([`Bearer mine,false,${url},1`, `Bearer mine,false,${url},1`]);
    expect(client.told).toEqual(['hello']);
  });

  it('runs it again when the credential has expired, and once when the server refuses it', async () => {
    const { url } = await mirror();
    const expired = clientOf({
      ...{ server: url, cluster: trusted, user: exec() },
      files: plugin("answer({ token: 't' + count, expirationTimestamp: '2020-01-01T00:00:00Z' })"),
    });
    expect([(await mirrored(expired))['authorization'], (await mirrored(expired))['authorization']]).toEqual(['Bearer t1', 'Bearer t2']);
    const refused = clientOf({
      ...{ server: url, cluster: trusted, user: exec() },
      files: plugin("answer({ token: count === 1 ? 'stale' : 'new' })"),
    });
    expect((await mirrored(refused))['authorization']).toBe('Bearer new');
  });

  it('takes a client certificate from a plugin', async () => {
    const { url } = await mirror();
    const body = `answer({ clientCertificateData: ${JSON.stringify(jane.pem)}, clientKeyData: ${JSON.stringify(jane.keyPem)} })`;
    expect((await mirrored(clientOf({ server: url, cluster: trusted, user: exec(), files: plugin(body) })))['certificate']).toBe('jane');
  });

  it.each([
    ['fails', exec(), 'process.exit(3)', 'it failed with exit code 3'],
    ['does not exist', exec({ command: './nothing', installHint: 'get it\nthere' }), '', 'it cannot be started: no such file or directory'],
    ['prints a secret that is not a credential', exec(), "console.log('s3cr3t')", 'its output is not an ExecCredential'],
    ['returns nothing', exec(), 'answer({})', 'it did not return a token or cert/key pair'],
    ['prints without end', exec(), "setInterval(() => console.log('s3cr3t'.repeat(100_000)))", 'it printed more than 1024 KiB'],
    ['needs a terminal', exec({ interactiveMode: 'Always' }), '', 'it needs a terminal, but stdin is not one'],
    ['is too old', exec({ apiVersion: 'client.authentication.k8s.io/v1alpha1' }), '', 'invalid apiVersion'],
  ])('says in one sentence that a plugin %s', async (_, user, body, message) => {
    const client = clientOf({ server: 'https://127.0.0.1:1', user, files: plugin(body) });
    const error = await client.send({ method: 'GET', path: '/' }).catch((caught: Error) => caught);
    expect(error).toMatchObject({ name: 'CliError', code: 'cluster-refused', message: expect.stringContaining(message) });
    expect((error as Error).message).not.toContain('s3cr3t');
  });

  it('shows no password of an address', async () => {
    const client = clientOf({ server: 'https://jane:s3cr3t@127.0.0.1:1' });
    const error = await client.send({ method: 'GET', path: '/' }).catch((caught: Error) => caught);
    expect((error as Error).message).toBe('the API server https://127.0.0.1:1 of context "x" cannot be reached: connection refused');
  });

  it('verifies the name of tls-server-name, and nothing with insecure-skip-tls-verify', async () => {
    const { url } = await mirror();
    const named = clientOf({ server: url, cluster: { ...trusted, 'tls-server-name': 'kubernetes.example' }, files });
    expect((await mirrored(named))['servername']).toBe('kubernetes.example');
    expect((await mirrored(clientOf({ server: url, cluster: { 'insecure-skip-tls-verify': true } })))['url']).toBe('/api');
    expect((await mirrored(clientOf({ server: `${url}/prefix/`, cluster: trusted, files })))['url']).toBe('/prefix/api');
  });

  it('goes through the proxy of proxy-url, with its password', async () => {
    const { url } = await mirror();
    const { port, connects, close } = await startConnectProxy();
    closings.push(() => void close());
    const seen = await mirrored(clientOf({ server: url, cluster: { ...trusted, 'proxy-url': `http://u:p@127.0.0.1:${port}` }, files }));
    expect([seen['url'], connects]).toEqual(['/api', [[url.replace('https://', ''), `Basic ${base64('u:p')}`]]]);
  });

  it.each([
    ['', ''],
    ['user:pass word@', 'user:pass word'],
  ])('goes through a SOCKS5 proxy: socks5://%s', async (login, expected) => {
    const { url } = await mirror();
    const { port, told } = await startSocksProxy(expected !== '');
    const proxy = `socks5://${login.replace(' ', '%20')}127.0.0.1:${port}`;
    const seen = await mirrored(clientOf({ server: url, cluster: { ...trusted, 'proxy-url': proxy }, files }));
    expect([seen['url'], told]).toEqual(['/api', [...(expected === '' ? [] : [expected]), url.replace('https://', '')]]);
  });

  it('says in one sentence that a SOCKS5 proxy does not connect', async () => {
    const refusing = createTcpServer(socket => {
      const answers = [Buffer.from([5, 0]), Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])];
      socket.on('data', () => socket.write(answers.shift() ?? ''));
    });
    const other = createTcpServer(socket => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const ports = [await listening(refusing), await listening(other)];
    closings.push(
      () => void refusing.close(),
      () => void other.close(),
    );
    const messages = ['did not connect to 127.0.0.1:1: connection refused', 'does not speak SOCKS5'];
    for (const [i, message] of messages.entries()) {
      const client = clientOf({ server: 'https://127.0.0.1:1', cluster: { 'proxy-url': `socks5://127.0.0.1:${ports[i]}` } });
      const error = await client.send({ method: 'GET', path: '/' }).catch((caught: Error) => caught);
      expect(error).toMatchObject({ code: 'cluster-unreachable', message: expect.stringContaining(message) });
    }
  });

  it('does not wait for a named pipe in place of a token or a certificate', async () => {
    const { folder, remove } = temporaryFolder();
    closings.push(remove);
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const settings = { server: 'https://127.0.0.1:1', cluster: trusted, files };
    const asked = clientOf({ ...settings, user: { tokenFile: pipe } }).send({ method: 'GET', path: '/' });
    await expect(asked).rejects.toThrow('the token file cannot be read: it is not a regular file');
    expect(() => clientOf({ ...settings, cluster: { 'certificate-authority': pipe } })).toThrow('certificate-authority');
    expect(() => clientOf({ ...settings, cluster: { 'certificate-authority': '/dev/zero' } })).toThrow(
      '/dev/zero: it is not a regular file',
    );
  });

  it.each([['two\nlines'], ['\u0000'], ['é']])('names a token that no header can have: %j', async token => {
    const client = clientOf({ server: 'https://127.0.0.1:1', cluster: trusted, user: { token }, files });
    await expect(client.send({ method: 'GET', path: '/' })).rejects.toMatchObject({
      code: 'invalid-kubeconfig',
      message: expect.stringContaining('the token has characters that no header can have'),
    });
  });

  it('reads a token file again for each request', async () => {
    const { url } = await mirror();
    const { folder, remove } = temporaryFolder({ token: 'first' });
    closings.push(remove);
    const file = path.join(folder, 'token');
    const client = clientOf({ server: url, cluster: trusted, user: { tokenFile: file }, files });
    expect((await mirrored(client))['authorization']).toBe('Bearer first');
    writeFileSync(file, 'second\n');
    expect((await mirrored(client))['authorization']).toBe('Bearer second');
  });

  it('asks for compressed answers, unless disable-compression is set', async () => {
    const { url } = await mirror();
    expect((await mirrored(clientOf({ server: url, cluster: trusted, files })))['compression']).toBe('gzip');
    const cluster = { ...trusted, 'disable-compression': true };
    expect((await mirrored(clientOf({ server: url, cluster, files })))['compression']).toBeUndefined();
  });

  it.each([
    ['IfAvailable', false, false],
    ['IfAvailable', true, true],
    ['Always', true, true],
    ['Never', true, false],
  ])(
    'tells a plugin of interactiveMode %s, with a terminal: %s, whether it may ask its user: %s',
    async (mode, isTerminal, isInteractive) => {
      const { url } = await mirror();
      const user = exec({ interactiveMode: mode });
      const client = clientOf({
        server: url,
        cluster: trusted,
        user,
        files: plugin('answer({ token: String(info.spec.interactive) })'),
        isTerminal,
      });
      expect((await mirrored(client))['authorization']).toBe(`Bearer ${isInteractive}`);
    },
  );

  it('is that of the service account in a pod without a kubeconfig', async () => {
    const { url } = await mirror();
    const { folder, remove } = temporaryFolder({ token: 'of-the-pod', 'ca.crt': serving.ca, namespace: 'guard' });
    closings.push(remove);
    const env = { HOME: folder, KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: new URL(url).port };
    const inPod = (context: string | undefined) =>
      connectToCluster({
        ...{ context, kubeconfig: undefined, serviceAccount: folder, timeoutMs: 10_000, cwd: folder, isTerminal: false, env },
        ...{ now: () => new Date(), onStderr: () => {} },
      });
    for (const context of [undefined, 'in-cluster']) {
      const client = inPod(context);
      closings.push(client.close);
      expect(await mirrored(client)).toMatchObject({ authorization: 'Bearer of-the-pod', url: '/api' });
    }
    expect(() => inPod('other')).toThrow(expect.objectContaining({ message: expect.stringContaining('context "other" does not exist') }));
  });

  it('says in one sentence that a server cannot be reached', async () => {
    const silent = createTcpServer(() => {});
    const silentPort = await listening(silent);
    closings.push(() => void silent.close());
    const { url } = await mirror();
    const cases: [Choice, string][] = [
      [{ server: 'https://127.0.0.1:1' }, 'cannot be reached: connection refused'],
      [{ server: 'https://name.invalid' }, 'cannot be reached: no such host'],
      [{ server: `https://127.0.0.1:${silentPort}`, timeoutMs: 200 }, 'did not answer within 0.2s'],
      [{ server: url }, 'has a certificate that cannot be trusted: it is signed by an unknown authority'],
      [
        { server: url.replace('127.0.0.1', 'localhost'), cluster: { ...trusted, 'tls-server-name': 'other' }, files },
        'cannot be trusted: ',
      ],
    ];
    for (const [choice, message] of cases) {
      const error = await clientOf(choice)
        .send({ method: 'GET', path: '/' })
        .catch((caught: Error) => caught);
      expect(error).toMatchObject({ name: 'CliError', code: 'cluster-unreachable', message: expect.stringContaining(message) });
    }
  });
});

describe('a client of a cluster', () => {
  let cluster: LocalCluster;

  beforeAll(async () => {
    cluster = await startLocalCluster([]);
  });
  afterAll(() => cluster.close());

  it('never sends a write, and opens nothing but ports of pods', async () => {
    const client = clientOf({ server: cluster.server.url, cluster: { 'insecure-skip-tls-verify': true }, user: { token: 'admin-token' } });
    await expect(client.send({ method: 'DELETE', path: '/api/v1/namespaces/default' })).rejects.toThrow('is not a dry run');
    for (const protocol of ['websocket', 'SPDY/3.1'] as const) {
      const exec = client.upgrade({ protocol, path: '/api/v1/namespaces/team/pods/web-0/exec?command=ls', headers: [] });
      await expect(exec).rejects.toThrow('is not the port of a pod');
    }
    expect(cluster.takeRequests()).toEqual([]);
  });
});
