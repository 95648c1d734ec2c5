import { gunzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { Credentials } from '../credentials/credentials.js';
import type { ClusterSettings, UserSettings } from '../kubeconfig/cluster-settings.js';
import { unreachableCluster } from './cluster-errors.js';
import { type Dispatchers, openDispatchers } from './dispatchers.js';
import { requestUpgrade, type UpgradeAnswer, type UpgradeProtocol } from './upgrade.js';
import { isPortForward, isWriteWithoutDryRun } from './write-guard.js';

/** Connection to the API server of a context. */
export interface ClusterClient {
  readonly context: string;
  readonly server: string;
  /** Name of the user in the kubeconfig; empty for none. */
  readonly user: string;
  /** PEM of the user client certificate; undefined for none. */
  readonly certificate: string | undefined;
  /** Sends a request. Rejects with CliError when there is no answer in time; any status is an answer. */
  readonly send: (request: ClusterRequest) => Promise<ClusterAnswer>;
  /** Asks for a stream to a port of a pod, and nothing else. Rejects with CliError when there is no answer in time. */
  readonly upgrade: (request: UpgradeRequest) => Promise<UpgradeAnswer>;
  readonly timeoutMs: number;
  readonly close: () => Promise<void>;
}

/** A request for another protocol. */
export interface UpgradeRequest {
  /** Path and query. */
  readonly path: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly protocol: UpgradeProtocol;
}

/** A read, or a dry run. */
export interface ClusterRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Alternating names and values. */
  readonly headers?: readonly string[];
  readonly body?: Uint8Array | undefined;
  /** Headers of an impersonated user, instead of the kubeconfig's. */
  readonly impersonation?: readonly string[] | undefined;
}

export interface ClusterAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface ClientOptions {
  readonly cluster: ClusterSettings;
  readonly user: UserSettings;
  readonly credentials: Credentials;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Limit of one request, in milliseconds. */
  readonly timeoutMs: number;
}

/** Returns a client of the API server; connections are made by the first request. */
export function openClusterClient(options: ClientOptions): ClusterClient {
  const { cluster, user, credentials } = options;
  const dispatchers = openDispatchers(options);
  const send = async (request: ClusterRequest): Promise<ClusterAnswer> => {
    // This client never writes to a cluster.
    if (isWriteWithoutDryRun(request)) throw new Error(`${request.method} ${request.path} is not a dry run`);
    const answer = await sendOnce(request, dispatchers, options);
    return answer.status === 401 && credentials.renew() ? sendOnce(request, dispatchers, options) : answer;
  };
  const upgrade = async (request: UpgradeRequest): Promise<UpgradeAnswer> => {
    if (!isPortForward(request.path)) throw new Error(`${request.path} is not the port of a pod`);
    const answer = await upgradeOnce(request, dispatchers, options);
    return answer.outcome === 'refused' && answer.status === 401 && credentials.renew()
      ? upgradeOnce(request, dispatchers, options)
      : answer;
  };
  const { context, server } = cluster;
  const { timeoutMs } = options;
  return { context, server, user: user.name, certificate: user.certificate, send, upgrade, timeoutMs, close: dispatchers.close };
}

async function sendOnce(request: ClusterRequest, dispatchers: Dispatchers, options: ClientOptions): Promise<ClusterAnswer> {
  const { method, body = null, impersonation } = request;
  const own = request.headers ?? ['Accept', 'application/json'];
  const compression = options.cluster.isUncompressed ? [] : ['Accept-Encoding', 'gzip'];
  try {
    const { dispatcher, target } = await addressRequest(
      { path: request.path, headers: [...compression, ...own], impersonation },
      dispatchers,
      options,
    );
    const sent = { ...target, method: method as Dispatcher.HttpMethod, body, headersTimeout: 0, bodyTimeout: 0 };
    return await limitTime(options.timeoutMs, signal => answerOf(dispatcher, { ...sent, signal }));
  } catch (error) {
    throw unreachableCluster(error, options);
  }
}

async function upgradeOnce(request: UpgradeRequest, dispatchers: Dispatchers, options: ClientOptions): Promise<UpgradeAnswer> {
  try {
    const { dispatcher, target } = await addressRequest(request, dispatchers, options);
    return await limitTime(options.timeoutMs, signal => requestUpgrade(dispatcher, { ...target, protocol: request.protocol }, signal));
  } catch (error) {
    throw unreachableCluster(error, options);
  }
}

interface Addressed {
  readonly dispatcher: Dispatcher;
  readonly target: { readonly origin: string; readonly path: string; readonly headers: string[] };
}

/** Adds the address of the API server and the credentials to a request. */
async function addressRequest(
  { path, headers, impersonation }: Pick<ClusterRequest, 'impersonation'> & Pick<UpgradeRequest, 'path' | 'headers'>,
  dispatchers: Dispatchers,
  { cluster, user, credentials }: ClientOptions,
): Promise<Addressed> {
  const { authorization, certificate, key } = await credentials.proof();
  const base = new URL(cluster.server);
  const all = [
    ...(headers.includes('User-Agent') ? [] : ['User-Agent', 'webhook-cli']),
    ...(authorization === undefined ? [] : ['Authorization', authorization]),
    ...(impersonation ?? user.impersonation.flat()),
    ...headers,
  ];
  const target = { origin: base.origin, path: base.pathname.replace(/\/+$/, '') + path, headers: all };
  return { dispatcher: await dispatchers.with(certificate, key), target };
}

async function answerOf(dispatcher: Dispatcher, sent: Dispatcher.RequestOptions): Promise<ClusterAnswer> {
  const { statusCode, headers, body } = await dispatcher.request(sent);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxAnswerBytes) throw tooLarge();
  }
  const bytes = Buffer.concat(chunks);
  const text = headers['content-encoding'] === 'gzip' ? unpacked(bytes) : bytes;
  return { status: statusCode, headers, body: text.toString('utf8') };
}

/** A limit of this program: clients of the API server have none. A list of 256 MiB has about a hundred thousand pods. */
const maxAnswerBytes = 256 * 1024 * 1024;

function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxAnswerBytes });
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : error;
  }
}

function tooLarge(): Error {
  return new Error(`an answer is larger than ${maxAnswerBytes / 1024 / 1024} MiB`);
}

/** Rejects with a TimeoutError after some milliseconds. A signal alone does not end the wait for a connection. */
async function limitTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new DOMException('no answer in time', 'TimeoutError');
      controller.abort(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
