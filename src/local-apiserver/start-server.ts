import { joinHostPort } from '../go/net/host-port.js';
import { lazy } from '../kubernetes/memoize.js';
import { addManagedFields } from './bootstrap/owned-objects.js';
import type { ClientRecorder } from './clients/client-recorder.js';
import { type Cluster, type ClusterOptions, newCluster } from './cluster/cluster.js';
import { healthReply } from './discovery/health.js';
import { newCounters } from './discovery/prometheus-text.js';
import { auditIdOf, handleRequest, type OtherPaths, withCommonHeaders } from './handle-request.js';
import type { HttpReply, Incoming } from './http/exchange.js';
import { listenForApi } from './http/listener.js';
import type { KeyPair } from './key-pair.js';
import { otherPaths } from './other-paths.js';
import type { StoreContents } from './store/store.js';

/** Options of a server. */
export interface LocalServerOptions extends Omit<ClusterOptions, 'restored'> {
  readonly host: string;
  readonly port: number;
  readonly pair: KeyPair;
  /** PEM: CAs for client certificates, or `none` to ignore these; by default the CA of the pair. */
  readonly clientCa?: string | undefined;
  /** Reads the store of an earlier server, once this one listens; undefined if there is none. */
  readonly restore?: () => Promise<StoreContents | undefined>;
  /** Whether clients wait for the server with health checks: the first one is answered before the store is filled. */
  readonly isPolled?: boolean;
  /** Value of the header `Strict-Transport-Security` of every reply; none by default. */
  readonly strictTransportSecurity?: string | undefined;
  /** Called after every request. */
  readonly onAnswered?: (request: AnsweredRequest) => void;
  /** Records what clients do. */
  readonly recorder?: Pick<ClientRecorder, 'around'>;
}

/** One line of a request log. */
export interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface RunningApiServer {
  /** `https://127.0.0.1:41234` */
  readonly url: string;
  /** Returns the state of the server, with its initial objects. */
  cluster(): Promise<Cluster>;
  close(): Promise<void>;
}

/** Starts an in-memory API server. Resolves when it is ready for requests. */
export async function startApiServer({
  host,
  port,
  pair,
  clientCa,
  onAnswered,
  recorder,
  ...options
}: LocalServerOptions): Promise<RunningApiServer> {
  const counters = newCounters();
  let external = '';
  let running: Cluster | undefined;
  const serving = lazy(() =>
    prepareServing(options, cluster => {
      running = cluster;
      return otherPaths({ cluster, counters, address: () => external });
    }),
  );
  let isFirst = true;
  const listener = await listenForApi({
    host,
    port,
    cert: pair.cert,
    key: pair.key,
    authorities: { clients: clientCa === 'none' ? undefined : (clientCa ?? pair.ca), proxies: options.requestHeaders?.ca },
    answer: async (request): Promise<HttpReply> => {
      const early = options.isPolled === true && isFirst ? earlyReply(request, options) : undefined;
      isFirst = false;
      if (early !== undefined) setImmediate(serving);
      const handle = async (): Promise<HttpReply> => {
        const { cluster, others } = await serving();
        return handleRequest(request, cluster, others);
      };
      const made = early ?? (await (recorder === undefined ? handle() : recorder.around(request, handle)));
      const reply = withTransportSecurity(made, options.strictTransportSecurity);
      counters.countRequest(request.method, reply.status);
      onAnswered?.({ method: request.method, path: request.url, status: reply.status });
      return reply;
    },
  });
  const address = joinHostPort(listener.host, listener.port);
  const { advertised } = options;
  external = advertised === undefined ? address : joinHostPort(advertised.address, advertised.port);
  const close = async (): Promise<void> => {
    await listener.close();
    running?.stop();
  };
  // The store is filled before the first request is read, while clients with the address start.
  if (options.isPolled !== true) setImmediate(serving);
  return { url: `https://${address}`, cluster: async () => (await serving()).cluster, close };
}

/** Source: apiserver server/filters/hsts.go WithHSTS. */
function withTransportSecurity(reply: HttpReply, directives: string | undefined): HttpReply {
  return directives === undefined ? reply : { ...reply, headers: [...reply.headers, ['Strict-Transport-Security', directives]] };
}

interface ServingParts {
  readonly cluster: Cluster;
  readonly others: OtherPaths;
}

type StoreOptions = Omit<LocalServerOptions, 'host' | 'port' | 'pair'>;

async function prepareServing({ restore, ...options }: StoreOptions, othersOf: (cluster: Cluster) => OtherPaths): Promise<ServingParts> {
  const restored = await restore?.();
  const objects = restored === undefined ? await addManagedFields(options.server, options.objects, options.effects().now()) : [];
  const cluster = newCluster({ ...options, objects, restored });
  return { cluster, others: othersOf(cluster) };
}

const credentials = /^(?:authorization|sec-websocket-protocol|impersonate-.*)$/;

/**
 * Returns the reply to a health check without credentials, which the default roles allow; undefined for other requests, and where the options may forbid
 * it.
 */
function earlyReply(request: Incoming, { server, options, allowsAnonymous, audit, effects }: StoreOptions): HttpReply | undefined {
  const isPlain = request.method === 'GET' && /^\/(?:readyz|livez|healthz)$/.test(request.url);
  if (!isPlain || request.peer !== undefined || request.headers.some(([name]) => credentials.test(name))) return undefined;
  const { authorizationModes: modes } = options;
  const isAllowed = modes.size === 0 || modes.has('RBAC') || modes.has('AlwaysAllow');
  if (!isAllowed || allowsAnonymous?.(request.url) === false || audit !== undefined) return undefined;
  const reply = healthReply(server, request);
  return reply === undefined ? undefined : withCommonHeaders(reply, auditIdOf(request, effects()));
}
