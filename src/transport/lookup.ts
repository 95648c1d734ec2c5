import { createSocket } from 'node:dgram';
import { getServers, lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { joinHostPort } from '../go/net/host-port.js';
import { addressText, type Ipv6Address, isMapped, parseAddress } from '../go/netip/address.js';
import { NetipError } from '../go/netip/error.js';
import { systemErrorText } from './system-errors.js';
import { TransportError } from './transport-error.js';

/** Name resolution. */
export interface Resolver {
  /** Returns addresses. Fails with a system error: ENOTFOUND if there are none, EAI_AGAIN if no server answered. */
  readonly lookup: (host: string) => Promise<readonly string[]>;
  /** Returns the first configured name server, in the syntax of `node:dns`. */
  readonly server: () => string | undefined;
  /** Returns why a name server is unreachable; undefined if it is reachable. */
  readonly unreachable: (server: { readonly address: string; readonly port: number }) => Promise<string | undefined>;
}

const machine: Resolver = {
  lookup: async host => (await lookup(host, { all: true, verbatim: true })).map(each => each.address),
  server: () => getServers()[0],
  unreachable: probeReachability,
};

/**
 * Returns the addresses of a host, in the order to try them. Fails with a {@link TransportError} with the message of Go's own resolver,
 * which names the server that it asked.
 */
export async function lookUpAddresses(host: string, resolver: Resolver = machine): Promise<readonly string[]> {
  const address = parsedHost(host);
  if (address !== undefined) return [addressText(address)];
  if (!isDomainName(host)) throw lookupError(host, 'no such host');
  try {
    return await resolver.lookup(host);
  } catch (error) {
    throw await explainLookupError(host, error, resolver);
  }
}

/** Returns an IP address, IPv4-mapped ones as IPv4; undefined for a name. */
function parsedHost(host: string): Ipv6Address | undefined {
  try {
    const address = parseAddress(host);
    return isMapped(address) ? { bytes: address.bytes.slice(12), zone: '' } : address;
  } catch (error) {
    if (error instanceof NetipError) return undefined;
    throw error;
  }
}

/** Returns whether a name can be in the DNS; others are rejected without a query. Source: Go net.isDomainName. */
function isDomainName(name: string): boolean {
  if (name === '.') return true;
  const dotted = name.endsWith('.') ? name.slice(0, -1) : name;
  if (dotted === '' || dotted.length > 253 || /^[\d.]*$/.test(dotted)) return false;
  return dotted.split('.').every(label => label.length <= 63 && /^[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?$/.test(label));
}

async function explainLookupError(host: string, error: unknown, resolver: Resolver): Promise<TransportError> {
  if (!(error instanceof Error)) throw error;
  const { code } = error as NodeJS.ErrnoException;
  const server = nameServer(resolver.server());
  if (code === 'ENOTFOUND') return lookupError(`${host} on ${server.text}`, 'no such host');
  if (code !== 'EAI_AGAIN') return lookupError(host, error.message);
  const unreachable = await resolver.unreachable(server);
  return lookupError(
    `${host} on ${server.text}`,
    unreachable === undefined ? 'server misbehaving' : `dial udp ${server.text}: ${unreachable}`,
  );
}

function lookupError(what: string, why: string): TransportError {
  return new TransportError('dns', `dial tcp: lookup ${what}: ${why}`);
}

interface NameServer {
  readonly address: string;
  readonly port: number;
  readonly text: string;
}

function nameServer(configured: string | undefined): NameServer {
  // Without a configured server Go asks the local machine.
  const first = configured ?? '127.0.0.1';
  const withPort = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(first);
  const address = withPort?.[1] ?? withPort?.[2] ?? first;
  const port = Number(withPort?.[3] ?? 53);
  return { address, port, text: joinHostPort(address, port) };
}

/** EAI_AGAIN has no details: connecting a datagram socket, without sending, tells whether there is a route to the server. */
async function probeReachability({ address, port }: Pick<NameServer, 'address' | 'port'>): Promise<string | undefined> {
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
  try {
    return await new Promise(resolve => {
      socket.once('error', error => resolve(systemErrorText(error, 'connect')));
      socket.connect(port, address, (error?: Error) => resolve(error === undefined ? undefined : systemErrorText(error, 'connect')));
    });
  } finally {
    socket.close();
  }
}
