import { ownedObjects } from './bootstrap/owned-objects.js';
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
  /** Called after every request. */
  readonly onAnswered?: (request: AnsweredRequest) => void;
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
export async function startApiServer({ host, port, pair, onAnswered, ...options }: ServerOptions): Promise<RunningApiServer> {
  const owned = await ownedObjects(options.objects, options.effects().now());
  const cluster = newCluster({ ...options, objects: owned });
  let address = '';
  const counters = newCounters();
  const others = otherPaths({ cluster, counters, address: () => address });
  const listener = await listen({
    host,
    port,
    ...pair,
    answer: async (request): Promise<Reply> => {
      const reply = await handleRequest(request, cluster, others);
      counters.countRequest(request.method, reply.status);
      onAnswered?.({ method: request.method, path: request.url, status: reply.status });
      return reply;
    },
  });
  address = `${listener.host}:${listener.port}`;
  return { url: `https://${address}`, cluster, close: listener.close };
}
