import { generateKeyPairSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { runKubeApiserver } from '../../../src/envtest/run-kube-apiserver.js';
import type { KubernetesMinor } from '../../../src/kubernetes/kubernetes-version.js';
import { freePort } from '../../../src/suites/process/start-process.js';
import { type Made, makeCertificate } from '../../support/certificate-maker.js';
import { testSurroundings } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Certificates and keys as a test environment writes them. */
export interface Materials {
  readonly folder: string;
  readonly clientCa: Made;
  readonly proxyCa: Made;
  /** Key of service account tokens. */
  readonly accountKey: string;
  remove(): void;
}

const notAfter = new Date('2099-01-01T00:00:00Z');

/** One key for all tests: generating it takes a second of a slow machine. */
const accountKey = String(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }));

/** Writes a client CA, a CA of authenticating proxies and a key for tokens to a temporary folder. */
export function writeMaterials(files: Readonly<Record<string, string>> = {}): Materials {
  const clientCa = makeCertificate({ subject: 'clients', isAuthority: true, notAfter });
  const proxyCa = makeCertificate({ subject: 'proxies', isAuthority: true, notAfter });
  const made = temporaryFolder({ 'client-ca.crt': clientCa.pem, 'proxy-ca.crt': proxyCa.pem, 'sa.key': accountKey, ...files });
  return { ...made, clientCa, proxyCa, accountKey };
}

/** A kubeconfig that names the server of a webhook. */
export function webhookKubeconfig(server: string): string {
  return JSON.stringify({
    'current-context': 'w',
    contexts: [{ name: 'w', context: { cluster: 'w', user: 'w' } }],
    clusters: [{ name: 'w', cluster: { server } }],
    users: [{ name: 'w', user: {} }],
  });
}

/** A client's certificate, for any purpose. */
export function clientCertificate(subject: string, issuer: Made): Made {
  return makeCertificate({ subject, issuer, notAfter, extensions: { '2.5.29.37': undefined } });
}

export interface Answer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several kinds
  readonly body: any;
}

export interface Running {
  readonly port: number;
  readonly stderr: () => string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Terminates the server; returns its exit code. */
  stop(): Promise<number>;
}

export interface CallOptions {
  readonly body?: object | string | undefined;
  readonly client?: Made;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Flags that envtest passes, and others. */
export function flagsOf({ folder }: Materials, port: number, more: readonly string[] = [], etcd = 'http://127.0.0.1:1'): string[] {
  return [
    ...(more.some(flag => /^--authorization-(?:mode|config)=/.test(flag)) ? [] : ['--authorization-mode=RBAC']),
    `--cert-dir=${folder}`,
    `--client-ca-file=${folder}/client-ca.crt`,
    `--service-account-key-file=${folder}/sa.key`,
    `--service-account-signing-key-file=${folder}/sa.key`,
    `--service-account-issuer=https://127.0.0.1:${port}/`,
    ...(more.includes('--disable-admission-plugins=') ? [] : ['--disable-admission-plugins=ServiceAccount']),
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--service-cluster-ip-range=10.7.0.0/24',
    `--etcd-servers=${etcd}`,
    ...more,
  ];
}

/** Starts kube-apiserver in this process with envtest's flags and others; resolves when it answers. */
export async function startControlPlane(
  materials: Materials,
  more: readonly string[] = [],
  minor: KubernetesMinor = 'v1.36',
): Promise<Running> {
  const port = await freePort();
  const written = { stdout: '', stderr: '' };
  let interrupt: () => Promise<void> = async () => {};
  const surroundings = testSurroundings(
    {
      cwd: materials.folder,
      onInterrupt: cleanUp => {
        interrupt = cleanUp;
        return () => {};
      },
    },
    written,
  );
  const ended = runKubeApiserver(flagsOf(materials, port, more), minor, {
    ...surroundings,
    now: () => new Date(),
  });
  let exitCode: number | undefined;
  void ended.then(code => {
    exitCode = code;
  });
  const call: Running['call'] = (method, path, options = {}) => callAt(port, { method, path }, options);
  for (;;) {
    if (exitCode !== undefined) throw new Error(`exit code ${exitCode}: ${written.stderr}`);
    const isReady = await call('GET', '/healthz').then(
      () => true,
      () => false,
    );
    if (isReady) break;
    // A server that never answers leaves the thread to other tests.
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  const stop = async (): Promise<number> => {
    await interrupt();
    return ended;
  };
  return { port, stderr: () => written.stderr, call, stop };
}

/** Makes one call; the body is parsed if it is JSON. */
export function callAt(port: number, called: RequestOptions, { body, client, headers = {} }: CallOptions): Promise<Answer> {
  const credentials = client === undefined ? {} : { cert: client.pem, key: client.keyPem };
  const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
  const json = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(
      { ...called, ...credentials, host: '127.0.0.1', port, agent: false, rejectUnauthorized: false, headers: { ...json, ...headers } },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('end', () => {
          const answered = Buffer.concat(chunks).toString('utf8');
          const isJson = /^[{[]/.test(answered) && !/\n[{[]/.test(answered);
          const { statusCode = 0, headers: received } = response;
          resolve({
            status: statusCode,
            contentType: received['content-type'],
            headers: received,
            body: isJson ? JSON.parse(answered) : answered,
          });
        });
      },
    );
    sent.once('error', reject);
    sent.end(text);
  });
}
