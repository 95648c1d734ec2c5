import { connect as connectPlain, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect as connectTls, createSecureContext } from 'node:tls';
import { hostWithoutBrackets } from '../go/net/host-port.js';

/** The webhook that the proxy forwards to. */
export interface Upstream {
  /** Address without a path, such as `https://127.0.0.1:8443`. */
  readonly origin: string;
  /** Opens a connection. Failures are events of the socket. */
  connect(): Socket;
  /** Reports whether a connection is ready, that is, whether its handshake is done. */
  readonly readyEvent: 'connect' | 'secureConnect';
}

/** Returns the webhook at a URL. `ca`: PEM CA certificates instead of the system's. Throws for an invalid PEM text. */
export function upstreamAt(url: URL, ca: Uint8Array | undefined): Upstream {
  const host = hostWithoutBrackets(url.hostname);
  const { origin, protocol } = url;
  const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (protocol === 'http:') {
    return { origin, readyEvent: 'connect', connect: () => connectPlain({ host, port, noDelay: true, allowHalfOpen: true }) };
  }
  const options: ConnectionOptions & TcpNetConnectOpts = {
    ...{ host, port, noDelay: true, allowHalfOpen: true },
    secureContext: createSecureContext({ minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca: Buffer.from(ca) }) }),
    // The proxy reads HTTP/1.1 on both sides.
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
  return { origin, readyEvent: 'secureConnect', connect: () => connectTls(options) };
}
