import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, connect } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import type { ClusterSettings } from '../kubeconfig/cluster-settings.js';
import { hostOf, proxyOf } from './proxy-of.js';
import { socksTunnel } from './socks-tunnel.js';

/** Connection pools of a cluster, one for each client certificate. */
export interface Dispatchers {
  readonly with: (certificate: string | undefined, key: string | undefined) => Promise<Dispatcher>;
  readonly close: () => Promise<void>;
}

/** Options of the connections. */
export interface PoolOptions {
  readonly cluster: ClusterSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Limit for making a connection, in milliseconds. */
  readonly timeoutMs: number;
}

/** Max concurrent connections; the API server queues more requests of one user anyway. */
const maxConnections = 8;

/** Returns the pools; connections are made by the first requests. */
export function openDispatchers(pool: PoolOptions): Dispatchers {
  const opened = new Map<string, Promise<Dispatcher>>();
  return {
    with: (certificate, key) => {
      const id = certificate ?? '';
      const dispatcher = opened.get(id) ?? open({ ...pool, certificate, key });
      opened.set(id, dispatcher);
      return dispatcher;
    },
    close: async () => {
      for (const dispatcher of opened.values()) await (await dispatcher).destroy();
    },
  };
}

interface Opening extends PoolOptions {
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

async function open({ cluster, env, timeoutMs, certificate, key }: Opening): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await import('undici');
  const server = new URL(cluster.server);
  const tls = {
    ...(cluster.authority === undefined ? {} : { ca: cluster.authority }),
    ...(certificate === undefined ? {} : { cert: certificate, key }),
    ...serverNameOf(cluster),
    rejectUnauthorized: !cluster.insecure,
    timeout: timeoutMs,
  };
  const proxy = proxyOf(server, cluster.proxy, env);
  const pool = { connections: maxConnections };
  if (proxy === undefined) return new Agent({ ...pool, connect: tls });
  const uri = new URL(proxy);
  if (uri.protocol.startsWith('socks5')) return new Agent({ ...pool, connect: throughSocks({ proxy: uri, server, timeoutMs, tls }) });
  const { username, password } = uri;
  const token =
    username === ''
      ? {}
      : { token: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}` };
  return new ProxyAgent({
    ...pool,
    uri: uri.origin,
    ...token,
    requestTls: { ...(isIP(hostOf(server)) === 0 ? { servername: hostOf(server) } : {}), ...tls },
  });
}

interface SocksConnection {
  readonly proxy: URL;
  readonly server: URL;
  readonly timeoutMs: number;
  readonly tls: ConnectionOptions;
}

/** Undici's own agent for SOCKS5 prints a warning, and sends an address as the name of the server. */
function throughSocks({ proxy, server, timeoutMs, tls }: SocksConnection): buildConnector.connector {
  const host = hostOf(server);
  const isTls = server.protocol === 'https:';
  const connected = async (): Promise<Socket> => {
    const socket = await socksTunnel({ proxy, host, port: Number(server.port || (isTls ? 443 : 80)), timeoutMs });
    if (!isTls) return socket;
    const secured = connect({ host, ...(isIP(host) === 0 ? { servername: host } : {}), ...tls, socket });
    secured.setTimeout(timeoutMs, () => secured.destroy(new Error('no TLS handshake in time')));
    await once(secured, 'secureConnect');
    return secured.setTimeout(0);
  };
  return (_, callback) => {
    connected().then(
      socket => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

/** Names the server of `tls-server-name`; an address is only compared with the certificate, as TLS sends no addresses. */
function serverNameOf({ serverName }: ClusterSettings): Pick<ConnectionOptions, 'servername' | 'checkServerIdentity'> {
  if (serverName === undefined) return {};
  if (isIP(serverName) === 0) return { servername: serverName };
  return { checkServerIdentity: (_, certificate) => checkServerIdentity(serverName, certificate) };
}
