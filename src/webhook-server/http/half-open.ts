import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';

/** API servers wait for at most 30 seconds. */
const longestAnswerMs = 40_000;

/**
 * Lets clients of a TLS server close their side after the handshake, and get answers still; a client that leaves before it is closed at once. With Node's own `allowHalfOpen`
 * it would keep a descriptor until the handshake is overdue.
 */
export function allowHalfOpenConnections(server: Server, maxAnswerMs = longestAnswerMs): void {
  // Before Node's own listener, which takes the property over to the TLS connection.
  server.prependListener('connection', (socket: Socket) => {
    socket.allowHalfOpen = false;
  });
  server.prependListener('secureConnection', (secured: TLSSocket) => {
    secured.allowHalfOpen = true;
    // A connection that is reset may look like one that the client has closed; writing to it never ends.
    secured.on('end', () => secured.setTimeout(maxAnswerMs, () => secured.destroy()));
  });
}
