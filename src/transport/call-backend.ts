import type { BackendAnswer, BackendCall, BackendFailure, CallBackend } from '../kubernetes/backend-call.js';
import { lazy, memoize } from '../kubernetes/memoize.js';
import { bundleError, bundleText } from '../x509/bundle.js';
import { type KeyPairText, keyPairError } from '../x509/key-pair.js';
import { type Connection, connectionOver } from './connection.js';
import { type ConnectionPool, createConnectionPool } from './connection-pool.js';
import { type Deadline, startDeadline } from './deadline.js';
import { type DialAddress, dial } from './dial.js';
import { exchange, type HttpExchange, type Session } from './exchange.js';
import { performHandshake, secureContext } from './handshake.js';
import type { Response } from './http-connection.js';
import { http1Connection } from './http1.js';
import { opener, plainConnection } from './open-connection.js';
import { asksForGzip, type TransportRequest, targetUrl } from './request.js';
import { asTransportError, isEndOfStream, unexpectedEndOfStream } from './transport-error.js';

export interface BackendTransportOptions {
  /** Certificate by which other API servers know this one. */
  readonly clientCertificate?: KeyPairText | undefined;
  /** Throws for an address that must not be called. */
  readonly checkAddress?: ((address: DialAddress, serverName: string) => void) | undefined;
}

/** Certificate and key of a client, as PEM. */
export type ClientCertificate = KeyPairText;

/** Returns Go's error for a certificate and a key that cannot be used; undefined for a usable pair. */
export const clientCertificateError = keyPairError;

export interface BackendTransport {
  readonly callBackend: CallBackend;
  /** Closes the kept connections. */
  readonly close: () => void;
}

/** Calls aggregated API servers, pods and nodes as kube-apiserver does: Go's HTTP and TLS, without redirects. Source: client-go transport, kube-aggregator pkg/apiserver. */
export function createBackendTransport(options: BackendTransportOptions = {}): BackendTransport {
  const { clientCertificate } = options;
  const fault = clientCertificate && keyPairError(clientCertificate);
  // A connection to a server that nobody verified is not used for one that must be, nor one with a certificate for anonymous calls.
  const pools = { verified: createConnectionPool(), unverified: createConnectionPool(), anonymous: createConnectionPool() };
  const contexts = { known: lazy(() => secureContext(clientCertificate)), anonymous: lazy(() => secureContext(undefined)) };
  return {
    async callBackend(call) {
      const isAnonymous = call.isAnonymous === true;
      const bundle = call.caBundle === undefined || call.insecureSkipVerify ? undefined : bundleTextOf(call.caBundle);
      const problem = (isAnonymous ? undefined : fault) ?? (bundle === undefined ? undefined : unusable(bundle));
      if (problem !== undefined) return { outcome: 'failed', stage: 'transport', message: problem };
      const known = call.insecureSkipVerify ? pools.unverified : pools.verified;
      const sending: Sending = {
        call,
        options,
        bundle,
        pool: isAnonymous ? pools.anonymous : known,
        context: isAnonymous ? contexts.anonymous() : contexts.known(),
        deadline: startDeadline(call.deadlineMs ?? Number.POSITIVE_INFINITY),
      };
      try {
        return call.isUpgrade === true ? await upgrade(sending) : await roundTrip(sending);
      } catch (error) {
        sending.deadline.stop();
        return { outcome: 'failed', stage: 'request', message: asTransportError(error).message };
      }
    },
    close() {
      for (const pool of Object.values(pools)) pool.close();
    },
  };
}

/** Calls of one server have the same bytes. */
const bundleTextOf = memoize(bundleText);

/** Source: client-go transport/transport.go rootCertPool. */
function unusable(bundle: string): string | undefined {
  const why = bundleError(bundle);
  return why === undefined ? undefined : `unable to load root certificates: ${why}`;
}

interface Sending {
  readonly call: BackendCall;
  readonly options: BackendTransportOptions;
  readonly bundle: string | undefined;
  readonly pool: ConnectionPool;
  readonly context: ReturnType<typeof secureContext>;
  readonly deadline: Deadline;
}

async function roundTrip({ call, options, bundle, pool, context, deadline }: Sending): Promise<BackendAnswer> {
  const request = requestOf(call);
  const opening = opener(
    { address: call.address, serverName: call.serverName, bundle, url: request.url },
    {
      insecureSkipVerify: call.insecureSkipVerify,
      checkAddress: address => options.checkAddress?.(address, call.serverName),
      connectToService: () => Promise.reject(new Error('a service of a cluster without a connection to the cluster')),
      offersHttp2: true,
      anonymous: context,
      own: context,
    },
    deadline,
  );
  const session: Session = { pool, deadline, maxBodyBytes: Number.MAX_SAFE_INTEGER, annotations: new Map(), ...opening };
  const response = await exchange(session, request);
  return {
    outcome: 'answered',
    statusCode: response.statusCode,
    header: unpackedHeader(response, request),
    read: response.body.read,
    write: () => undefined,
    release() {
      deadline.stop();
      response.release();
    },
  };
}

/** Go's transport hides the encoding that it asked for itself. */
function unpackedHeader({ header }: HttpExchange, request: TransportRequest): HttpExchange['header'] {
  const isPacked = header.some(([name, value]) => name.toLowerCase() === 'content-encoding' && value.toLowerCase() === 'gzip');
  if (!isPacked || !asksForGzip(request)) return header;
  return header.filter(([name]) => !/^content-(?:encoding|length)$/i.test(name));
}

/** Sends a request for another protocol over a connection of its own. Source: apimachinery util/proxy upgradeaware.go DialForUpgrade. */
async function upgrade({ call, options, bundle, context, deadline }: Sending): Promise<BackendAnswer> {
  const { serverName, insecureSkipVerify } = call;
  const opened = await openConnection(async () => {
    options.checkAddress?.(call.address, serverName);
    const wire = await dial(call.address, deadline);
    if (targetUrl(call.url).scheme === 'http') return plainConnection(wire);
    const settings = { serverName, bundle, insecureSkipVerify, offersHttp2: false, context, now: () => new Date() };
    const secure = await performHandshake(wire, settings, deadline);
    return secure.protocol === 'http/1.1' ? secure.connection : connectionOver(secure.socket, wire, secure.failure);
  });
  if ('outcome' in opened) {
    deadline.stop();
    return opened;
  }
  const response = await readSwitch(opened, { ...requestOf(call), isRaw: true }, deadline);
  return {
    outcome: 'answered',
    statusCode: response.statusCode,
    header: response.header,
    read: response.body.read,
    write: opened.write,
    release() {
      deadline.stop();
      opened.destroy();
    },
  };
}

/** Source: Go net/http ReadResponse. */
async function readSwitch(connection: Connection, request: TransportRequest, deadline: Deadline): Promise<Response> {
  try {
    return await http1Connection(connection).roundTrip(request, { deadline, maxBodyBytes: Number.MAX_SAFE_INTEGER });
  } catch (error) {
    connection.destroy();
    const failure = asTransportError(error);
    throw isEndOfStream(failure) ? unexpectedEndOfStream() : failure;
  }
}

async function openConnection<T>(connect: () => Promise<T>): Promise<T | BackendFailure> {
  try {
    return await connect();
  } catch (error) {
    return { outcome: 'failed', stage: 'connection', message: asTransportError(error).message };
  }
}

function requestOf({ method, url, header, body, hostHeader }: BackendCall): TransportRequest {
  return { method, url: targetUrl(url), hostHeader, header, body: body instanceof Uint8Array ? Buffer.from(body) : body };
}
