import { once } from 'node:events';
import { BlockList, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, connect } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import { hostWithoutBrackets } from '../../go/net/host-port.js';
import type { ClusterSettings } from '../kubeconfig/cluster-settings.js';
import { openSocksTunnel } from './socks-tunnel.js';

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
  const connectThroughProxy = async (): Promise<Socket> => {
    const socket = await openSocksTunnel({ proxy, host, port: Number(server.port || (isTls ? 443 : 80)), timeoutMs });
    if (!isTls) return socket;
    const secured = connect({ host, ...(isIP(host) === 0 ? { servername: host } : {}), ...tls, socket });
    secured.setTimeout(timeoutMs, () => secured.destroy(new Error('no TLS handshake in time')));
    await once(secured, 'secureConnect');
    return secured.setTimeout(0);
  };
  return (_, callback) => {
    connectThroughProxy().then(
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

/**
 * Returns the proxy for an address: `proxy-url` of the cluster, else HTTPS_PROXY (HTTP_PROXY for http), unless NO_PROXY excludes the host. The environment never applies to addresses of the local machine. Source: x/net http/httpproxy.
 */
export function proxyOf(server: URL, given: string | undefined, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (given !== undefined) return given;
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[name] || env[name.toLowerCase()] || '';
  if (proxy === '') return undefined;
  const host = hostOf(server);
  if (host === 'localhost' || isLoopback(host)) return undefined;
  const excluded = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').map(entry => entry.trim().toLowerCase());
  if (excluded.some(entry => excludes(entry, host, server.port || (server.protocol === 'https:' ? '443' : '80')))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** The host without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostWithoutBrackets(hostname).toLowerCase();
}

function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Reports whether this host matches `*`, `10.0.0.0/8`, `10.1.2.3`, `.example.com`, `example.com` or one of these with a port. */
function excludes(entry: string, host: string, port: string): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  const [, network, bits] = /^([0-9a-f.:]+)\/(\d+)$/.exec(entry) ?? [];
  if (network !== undefined && bits !== undefined) return isWithin(host, network, Number(bits));
  const [, name = '', ownPort] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [undefined, entry];
  if (ownPort !== undefined && ownPort !== port) return false;
  const bare = hostWithoutBrackets(name).replace(/^\*(?=\.)/, '');
  if (bare.startsWith('.')) return host.endsWith(bare);
  return host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`));
}

function isWithin(host: string, network: string, bits: number): boolean {
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const type = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(network, bits, type);
  return list.check(host, type);
}
