import type { Dispatcher } from 'undici';
import type { ClusterSettings } from '../kubeconfig/cluster-settings.js';
import { hostOf, proxyOf } from './proxy-of.js';

/** Connection pools of a cluster, one for each client certificate. */
export interface Dispatchers {
  readonly with: (certificate: string | undefined, key: string | undefined) => Promise<Dispatcher>;
  readonly close: () => Promise<void>;
}

/** Max concurrent connections; the API server queues further requests of one user anyway. */
const maxConnections = 8;

/** Returns the pools; none is connected yet. */
export function openDispatchers(cluster: ClusterSettings, env: Readonly<Record<string, string | undefined>>): Dispatchers {
  const opened = new Map<string, Promise<Dispatcher>>();
  return {
    with: (certificate, key) => {
      const id = certificate ?? '';
      const dispatcher = opened.get(id) ?? open({ cluster, env, certificate, key });
      opened.set(id, dispatcher);
      return dispatcher;
    },
    close: async () => {
      for (const dispatcher of opened.values()) await (await dispatcher).destroy();
    },
  };
}

interface Opening {
  readonly cluster: ClusterSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

async function open({ cluster, env, certificate, key }: Opening): Promise<Dispatcher> {
  const { Agent, ProxyAgent, Socks5ProxyAgent } = await import('undici');
  const server = new URL(cluster.server);
  const tls = {
    ...(cluster.authority === undefined ? {} : { ca: cluster.authority }),
    ...(certificate === undefined ? {} : { cert: certificate, key }),
    ...(cluster.serverName === undefined ? {} : { servername: cluster.serverName }),
    rejectUnauthorized: !cluster.insecure,
  };
  const proxy = proxyOf(server, cluster.proxy, env);
  // The request has its own time limit.
  const pool = { connections: maxConnections, connectTimeout: 0 };
  if (proxy === undefined) return new Agent({ ...pool, connect: tls });
  const uri = new URL(proxy);
  if (uri.protocol.startsWith('socks5')) return new Socks5ProxyAgent(uri, { ...pool, connect: tls } as object);
  const servername = cluster.serverName ?? hostOf(server);
  const { username, password } = uri;
  const token =
    username === ''
      ? {}
      : { token: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}` };
  return new ProxyAgent({ ...pool, uri: uri.origin, ...token, requestTls: { ...tls, servername } });
}
