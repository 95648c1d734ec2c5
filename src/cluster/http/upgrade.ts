import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';

/** Answer to a request for another protocol: the connection, or a response of HTTP. */
export type UpgradeAnswer =
  | {
      readonly outcome: 'upgraded';
      /** With lower-case names. */
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly socket: UpgradedSocket;
    }
  | { readonly outcome: 'refused'; readonly status: number; readonly body: string };

/** Connection after the change of protocol, which belongs to nobody else. */
export type UpgradedSocket = Duplex & { ref?(): unknown; unref?(): unknown };

/** Bytes of a refusal that are read: it is a Status. */
const maxRefusalBytes = 64 * 1024;

/** Protocols that a connection can change to: WebSockets by a GET, SPDY by a POST. */
export type UpgradeProtocol = 'websocket' | 'SPDY/3.1';

/** A request to change the protocol. */
export interface SentUpgrade {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  /** Alternating names and values. */
  readonly headers: string[];
  readonly protocol: UpgradeProtocol;
}

/**
 * Asks for another protocol. Rejects when the connection breaks, or when the signal aborts. Undici's own WebSocket can neither stop reading, nor
 * cut a connection, nor tell why a server refused.
 */
export function requestUpgrade(
  dispatcher: Dispatcher,
  { origin, path, headers, protocol }: SentUpgrade,
  signal: AbortSignal,
): Promise<UpgradeAnswer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let length = 0;
    const chunks: Buffer[] = [];
    const refuse = (): void => resolve({ outcome: 'refused', status, body: Buffer.concat(chunks).toString('utf8') });
    dispatcher.dispatch(
      { origin, path, method: methodOf(protocol), headers, upgrade: protocol, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart: controller => {
          signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
        },
        onRequestUpgrade: (_, __, answered, socket) => {
          // Before its listeners are set, an error of the socket would end the process.
          socket.on('error', () => socket.destroy());
          if (signal.aborted) socket.destroy();
          resolve({ outcome: 'upgraded', headers: answered, socket });
        },
        onResponseStart: (_, statusCode) => {
          status = statusCode;
        },
        onResponseData: (controller, chunk) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length <= maxRefusalBytes) return;
          refuse();
          controller.abort(new Error('the answer is too long'));
        },
        onResponseEnd: refuse,
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

/** Returns the method that asks for a protocol; an API server wants the right to `get` for a GET, and to `create` for a POST. */
function methodOf(protocol: UpgradeProtocol): 'GET' | 'POST' {
  return protocol === 'websocket' ? 'GET' : 'POST';
}
