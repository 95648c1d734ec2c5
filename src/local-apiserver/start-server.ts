import { lazy } from '../kubernetes/memoize.js';
import { ownedObjects } from './bootstrap/owned-objects.js';
import type { ClientRecorder } from './clients/client-recorder.js';
import { type Cluster, type ClusterOptions, newCluster } from './cluster.js';
import { newCounters } from './discovery/prometheus-text.js';
import { handleRequest } from './handle-request.js';
import type { Reply } from './http/exchange.js';
import { listen } from './http/listener.js';
import type { KeyPair } from './key-pair.js';
import { otherPaths } from './other-paths.js';

/** Options of a server. */
export interface ServerOptions extends ClusterOptions {
  readonly host: string;
  readonly port: number;
  readonly pair: KeyPair;
  /** PEM: CAs for client certificates, or `none` to ignore these; by default the CA of the pair. */
  readonly clientCa?: string | undefined;
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
  readonly cluster: Cluster;
  close(): Promise<void>;
}

/** Starts an in-memory API server. Resolves when it is ready for requests. */
export async function startApiServer({
  server,
  host,
  port,
  pair,
  clientCa,
  onAnswered,
  recorder,
  ...options
}: ServerOptions): Promise<RunningApiServer> {
  const owned = await ownedObjects(server, options.objects, options.effects().now());
  const counters = newCounters();
  let external = '';
  const serving = lazy(() => {
    const cluster = newCluster({ server, ...options, objects: owned });
    return { cluster, others: otherPaths({ cluster, counters, address: () => external }) };
  });
  const listener = await listen({
    host,
    port,
    cert: pair.cert,
    key: pair.key,
    authorities: { clients: clientCa === 'none' ? undefined : (clientCa ?? pair.ca), proxies: options.requestHeaders?.ca },
    answer: async (request): Promise<Reply> => {
      const { cluster, others } = serving();
      const handle = (): Promise<Reply> => handleRequest(request, cluster, others);
      const reply = await (recorder === undefined ? handle() : recorder.around(request, handle));
      counters.countRequest(request.method, reply.status);
      onAnswered?.({ method: request.method, path: request.url, status: reply.status });
      return reply;
    },
  });
  const address = `${listener.host}:${listener.port}`;
  const { advertised } = options;
  external = advertised === undefined ? address : `${advertised.address}:${advertised.port}`;
  // The store is filled before the first request is read, while clients with the address start.
  setImmediate(serving);
  return {
    url: `https://${address}`,
    get cluster() {
      return serving().cluster;
    },
    close: listener.close,
  };
}
