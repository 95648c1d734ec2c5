import { BlockList, isIP } from 'node:net';

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
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
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
  const bare = name.replace(/^\[|\]$/g, '').replace(/^\*(?=\.)/, '');
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
