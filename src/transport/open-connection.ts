import type { SecureContext } from 'node:tls';
import { isLoopback as isLoopbackAddress } from '../go/netip/address-class.js';
import { splitHost, type Url } from '../go/url/url.js';
import type { CallStage } from '../kubernetes/call-steps.js';
import { parseIpSloppy } from '../kubernetes/ip-rules.js';
import { memoize } from '../kubernetes/memoize.js';
import type { ServiceName } from '../kubernetes/service-name.js';
import type { WebhookCall } from '../kubernetes/webhook-call.js';
import { type Connection, connectionOver } from './connection.js';
import type { Deadline } from './deadline.js';
import { deprecationsOf } from './deprecated-certificates.js';
import { type DialAddress, dial } from './dial.js';
import type { Session } from './exchange.js';
import { performHandshake, type SecureWire } from './handshake.js';
import type { HttpConnection, HttpExchanger } from './http-connection.js';
import { http1Connection } from './http1.js';
import { defaultPort } from './redirects.js';
import { brokenWire, type Wire } from './wire.js';

/** Where a connection to a host and port goes instead, as with curl's `--resolve`. */
export interface Override {
  /** In lower case, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

export interface OpenerOptions {
  readonly resolve?: readonly Override[];
  readonly insecureSkipVerify?: boolean;
  /** Returns a short text for a bundle, another one for each, which is part of the keys of connections; by default the bundle itself. */
  readonly keyOfBundle?: (bundle: string) => string;
  /** Throws for an address that is not to be called. */
  readonly checkAddress: (address: DialAddress) => void;
  /** Connects to a service of the user's cluster. */
  readonly connectToService: (service: ServiceName) => Promise<Wire>;
  readonly now?: () => Date;
  /** Whether HTTP/2 is offered; by default to loopback addresses, as to webhooks. */
  readonly offersHttp2?: boolean;
  readonly anonymous: SecureContext;
  readonly onStage?: ((stage: CallStage) => void) | undefined;
  /** With the client certificate, for the webhook only. */
  readonly own: SecureContext;
}

/** Connection settings of a call. */
export interface ConnectionTarget extends Pick<WebhookCall, 'address' | 'serverName'> {
  /** The caBundle as `bundleText` returns it. */
  readonly bundle: string | undefined;
  readonly url: Url;
}

/** Opens the connections of one call: to the webhook, and to its redirects. */
export function opener(
  call: ConnectionTarget,
  options: OpenerOptions,
  deadline: Deadline,
): Pick<Session, 'connectionKey' | 'open' | 'offersHttp2'> {
  const target = endOf(call.url);
  // A service has one name for all its connections; otherwise the URL decides. Source: apiserver webhook hookClientConfig.
  const fixedName = call.serverName !== target.host || call.address.host !== target.host ? call.serverName : undefined;
  const offersHttp2 = options.offersHttp2 ?? isLoopback(target);
  const { keyOfBundle = (bundle: string) => bundle } = options;

  function destination(url: Url): { readonly address: WebhookCall['address']; readonly isOverridden: boolean } {
    const end = endOf(url);
    const address = end.host === target.host && end.port === target.port ? call.address : end;
    const other = overridden(end, options.resolve) ?? overridden(address, options.resolve);
    return { address: other ?? address, isOverridden: other !== undefined };
  }

  return {
    offersHttp2,
    connectionKey(url) {
      const parts = [url.scheme, url.host, destination(url).address, fixedName, call.bundle === undefined, offersHttp2];
      // The bundle is the longest part: at the end it needs no escapes.
      return JSON.stringify(parts) + keyOfBundle(call.bundle ?? '');
    },
    async open(url): Promise<HttpConnection> {
      const { address, isOverridden } = destination(url);
      if (!isOverridden && address.inCluster === undefined) options.checkAddress(address);
      options.onStage?.('connect');
      const wire = await (address.inCluster === undefined ? dial(address, deadline) : options.connectToService(address.inCluster));
      if (url.scheme === 'http') return { ...http1Connection(plainConnection(wire)), deprecations: [] };
      const end = endOf(url);
      const isWebhook = end.host === target.host && end.port === target.port;
      const settings = {
        serverName: fixedName ?? end.host,
        bundle: call.bundle,
        insecureSkipVerify: options.insecureSkipVerify === true,
        offersHttp2,
        context: isWebhook ? options.own : options.anonymous,
        now: options.now ?? (() => new Date()),
      };
      options.onStage?.('tls');
      const secure = await performHandshake(wire, settings, deadline);
      return { ...(await startProtocol(secure)), deprecations: deprecationsOf(secure.certificates) };
    },
  };
}

/** Returns the connection over a wire without TLS. */
export function plainConnection(wire: Wire): Connection {
  return connectionOver(wire.socket, wire, error => (error === undefined ? undefined : brokenWire(wire, error)));
}

async function startProtocol(secure: SecureWire): Promise<HttpExchanger> {
  if (secure.protocol === 'http/1.1') return http1Connection(secure.connection);
  const { http2Connection } = await import('./http2.js');
  return http2Connection(secure);
}

const endOf = memoize((url: Url): DialAddress => {
  const { hostname, port } = splitHost(url.host);
  return { host: hostname, port: port === '' ? defaultPort(url) : Number(port) };
});

function overridden({ host, port }: DialAddress, overrides: readonly Override[] = []): DialAddress | undefined {
  const found = overrides.find(override => override.host === host.toLowerCase() && override.port === port);
  return found && { host: found.address, port };
}

/** Source: apiserver webhook isLocalHost, which takes leading zeros and no zones. */
const isLoopback = memoize(({ host }: DialAddress): boolean => {
  if (host.toLowerCase() === 'localhost') return true;
  const address = parseIpSloppy(host);
  return address !== undefined && isLoopbackAddress(address);
});
