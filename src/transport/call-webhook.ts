import { utf8Text } from '../go/byte-string.js';
import type { Url } from '../go/url/url.js';
import { memoize, memoizeStrings } from '../kubernetes/memoize.js';
import type { ServiceName } from '../kubernetes/service-name.js';
import type { CallWebhook, WebhookAnswer, WebhookCall } from '../kubernetes/webhook-call.js';
import { bundleError, bundleText } from '../x509/bundle.js';
import { type KeyPairText, keyPairError } from '../x509/key-pair.js';
import { monotonicMs } from './clock.js';
import { createConnectionPool } from './connection-pool.js';
import { awaitBeforeDeadline, type Deadline, sleep, startDeadline } from './deadline.js';
import { dropBody, type HttpExchange, readBody, receivedBody, type Session } from './exchange.js';
import { secureContext } from './handshake.js';
import { type Override, opener } from './open-connection.js';
import { follow } from './redirects.js';
import { type TransportRequest, targetUrl } from './request.js';
import { type Header, headerValues } from './response-head.js';
import { asTransportError, deadlineExceeded, TransportError } from './transport-error.js';
import type { Wire } from './wire.js';

export interface TransportOptions {
  /** Addresses to connect to instead of resolving names. */
  readonly resolve?: readonly Override[];
  readonly clientCertificate?: KeyPairText;
  readonly bearerToken?: string;
  /** More request headers; the last one of a name is used. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly insecureSkipVerify?: boolean;
  /** Allow webhooks without TLS, which no cluster does. */
  readonly allowHttp?: boolean;
  /** Called before a connection to an address, also of a redirect; the call rejects with what it throws. Not called for `resolve`. */
  readonly checkAddress?: ((address: WebhookCall['address'], call: WebhookCall) => void) | undefined;
  /** Connects to a service of the user's cluster; rejects with an error that is not the webhook's. Needed for addresses with a service. */
  readonly connectToService?: ((service: ServiceName) => Promise<Wire>) | undefined;
  /** Reuse connections between calls. A failure may then come from the connection of an earlier call. */
  readonly keepConnections?: boolean;
  /** Max time for which a kept connection may have been idle; as long as Go keeps it by default. */
  readonly maxIdleMs?: number;
  /** Max bytes of an unpacked body; kube-apiserver has no limit. */
  readonly maxResponseBytes?: number;
  /** Time at which certificates must be valid; the time of the call by default. */
  readonly now?: () => Date;
}

export interface Transport {
  readonly callWebhook: CallWebhook;
  /** Closes the kept connections. */
  close(): Promise<void>;
}

/**
 * Calls webhooks like kube-apiserver's client: Go's HTTP and TLS, client-go's retries, one deadline for everything. Source: apiserver
 * pkg/util/webhook/client.go, client-go rest/request.go.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const kept = options.keepConnections === true ? createConnectionPool(options.maxIdleMs) : undefined;
  const maxBodyBytes = options.maxResponseBytes ?? defaultMaxBodyBytes;
  const { clientCertificate } = options;
  const clientFault = clientCertificate && keyPairError(clientCertificate);
  const faultOf = memoizeStrings(maxMemoized, bundleError);
  const urlOf = memoizeStrings(maxMemoized, targetUrl);
  let bundles = 0;
  // Otherwise each call would make a key of kilobytes, whose hash takes longer than everything else in the pool.
  const keyOfBundle = memoizeStrings(maxMemoized, () => {
    bundles += 1;
    return String(bundles);
  });
  const anonymous = secureContext(undefined);
  const header = reviewHeader(options);
  const own = clientCertificate === undefined || clientFault !== undefined ? anonymous : secureContext(clientCertificate);

  return {
    async callWebhook(call, onStage) {
      const bundle = call.caBundle && bundleTextOf(call.caBundle);
      const bundleFault = faultOf(bundle ?? '');
      if (bundleFault !== undefined) return { outcome: 'noClient', message: `unable to load root certificates: ${bundleFault}` };
      if (clientFault !== undefined) return { outcome: 'noClient', message: clientFault };
      let start = monotonicMs();
      const deadline = startDeadline(call.deadlineMs);
      const pool = kept ?? createConnectionPool();
      const annotations = new Map<string, string>();
      const timeAndAnnotations = () => ({ durationMs: monotonicMs() - start, auditAnnotations: Object.fromEntries(annotations) });
      try {
        const request = { method: 'POST', url: allowedUrl(call, urlOf(call.url), options), header, body: Buffer.from(call.body) } as const;
        const target = { address: call.address, serverName: call.serverName, bundle, url: request.url };
        const checkAddress = (address: WebhookCall['address']): void => options.checkAddress?.(address, call);
        const connectToService = async (service: ServiceName): Promise<Wire> => {
          const began = monotonicMs();
          const wire = await deadline.exclude(connectThrough(options, service));
          start += monotonicMs() - began;
          return wire;
        };
        const opening = opener(target, { ...options, keyOfBundle, checkAddress, connectToService, anonymous, own, onStage }, deadline);
        const session = { pool, deadline, maxBodyBytes, annotations, onStage, ...opening };
        return { ...(await sendRequest(request, session)), ...timeAndAnnotations() };
      } catch (error) {
        const { failureClass, message, reason } = asTransportError(error);
        return { outcome: 'failed', class: failureClass, message, reason, ...timeAndAnnotations() };
      } finally {
        deadline.stop();
        // Deferred, because a process that exits now leaves this to the system, which is faster.
        if (pool !== kept) setImmediate(() => pool.close());
      }
    },
    async close() {
      kept?.close();
    },
  };
}

function connectThrough({ connectToService }: TransportOptions, service: ServiceName): Promise<Wire> {
  if (connectToService === undefined) throw new Error('a service of a cluster without a connection to the cluster');
  return connectToService(service);
}

/** Parsing a bundle takes as long as a call over a kept connection, and calls repeat the same few bundles. */
const maxMemoized = 100;

type ReadResponse = Omit<Extract<WebhookAnswer, { outcome: 'answered' }>, 'durationMs' | 'auditAnnotations'>;

async function sendRequest(request: TransportRequest, session: Session): Promise<ReadResponse> {
  // client-go checks the deadline before it has a request to name. Source: withRetry.Before.
  if (session.deadline.isOver()) throw deadlineExceeded();
  const exchange = await sendWithRetries(session, request);
  session.onStage?.('read');
  try {
    return {
      outcome: 'answered',
      statusCode: exchange.statusCode,
      headers: headersOf(exchange.header),
      body: await bodyOf(exchange, session),
    };
  } catch (error) {
    throw bodyError(asTransportError(error), session.deadline);
  }
}

const defaultMaxBodyBytes = 64 << 20;

/** Calls of one webhook have the same bytes. */
const bundleTextOf = memoize(bundleText);

const headersOf = memoize((header: Header) => header.map(([name, value]) => [utf8Text(name).toLowerCase(), utf8Text(value)] as const));

/** Most bodies have arrived together with their head: nothing has to be waited for, unless the deadline is over. */
function bodyOf(exchange: HttpExchange, { maxBodyBytes, deadline }: Session): Buffer | Promise<Buffer> {
  const received = deadline.isOver() ? undefined : receivedBody(exchange, maxBodyBytes);
  return received ?? awaitBeforeDeadline(readBody(exchange, maxBodyBytes), deadline);
}

/** Source: client-go Request.transformResponse. */
function bodyError(failure: TransportError, deadline: Deadline): TransportError {
  if (failure.failureClass === 'limit') return failure;
  const { message } = deadline.isOver() ? deadlineExceeded() : failure;
  const what = message.startsWith('stream error: ')
    ? 'stream error when reading response body, may be caused by closed connection'
    : 'unexpected error when reading response body';
  const text = `${what}. Please retry. Original error: ${message}`;
  return new TransportError(deadline.isOver() ? 'time' : 'body', text);
}

function allowedUrl(call: WebhookCall, url: Url, { allowHttp = false }: TransportOptions): Url {
  if (url.scheme !== 'http' || allowHttp) return url;
  const reason = 'plain HTTP: a cluster calls webhooks over https only';
  throw new TransportError('http', `Post "${call.url}": ${reason}`, reason);
}

/** Returns the header of every review. */
function reviewHeader({ bearerToken, headers = [] }: TransportOptions): Header {
  const named = new Map<string, readonly (readonly [string, string])[]>();
  const authorization = bearerToken === undefined ? [] : [['Authorization', `Bearer ${bearerToken}`] as const];
  for (const field of [...plainHeader, ...authorization, ...headers]) {
    const name = field[0].toLowerCase();
    named.set(name, [...(manyValues.test(name) ? (named.get(name) ?? []) : []), bytesOf(field)]);
  }
  return [...named.values()].flat();
}

/** Fields of which servers read all values: the groups of an impersonated user. Of others, the last one is sent. */
const manyValues = /^impersonate-(?:group$|extra-)/;

const plainHeader = [
  ['User-Agent', 'kube-apiserver-admission'],
  ['Accept', 'application/json, */*'],
  ['Content-Type', 'application/json'],
] as const;

function bytesOf([name, value]: readonly [string, string]): readonly [string, string] {
  return [name, Buffer.from(value).toString('latin1')];
}

/** Repeats a request when a busy server asks for it, at most ten times. Source: client-go rest/with_retry.go. */
async function sendWithRetries(session: Session, request: TransportRequest): Promise<HttpExchange> {
  for (let retries = 0; ; retries += 1) {
    const exchange = await follow(session, request);
    const seconds = retries < maxRetries ? retryAfter(exchange) : undefined;
    if (seconds === undefined) return exchange;
    await dropBody(exchange);
    session.onStage?.('pause');
    await sleep(waitMs(seconds), session.deadline);
  }
}

const maxRetries = 10;

/** Returns the seconds of Retry-After; dates and fractions are ignored, as in Go. */
function retryAfter({ statusCode, header }: HttpExchange): bigint | undefined {
  const value = headerValues(header, 'retry-after')[0] ?? '';
  if ((statusCode !== 429 && statusCode < 500) || !/^[+-]?\d+$/.test(value)) return undefined;
  const seconds = BigInt(value.replace('+', ''));
  return BigInt.asIntN(64, seconds) === seconds ? seconds : undefined;
}

/** Go's durations have 64 bits of nanoseconds: longer ones overflow to negative numbers, without a wait. */
function waitMs(seconds: bigint): number {
  return Number(BigInt.asIntN(64, seconds * 1_000_000_000n) / 1_000_000n);
}
