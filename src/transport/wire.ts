import type { Duplex } from 'node:stream';
import { systemErrorText } from './system-errors.js';
import { TransportError } from './transport-error.js';

/** Open TCP connection, with its two ends as Go prints them: `127.0.0.1:40123`, `[::1]:8443`. */
export interface Wire {
  readonly socket: WireSocket;
  readonly local: string;
  readonly remote: string;
  /** Whether errors of the socket are those of a tunnel that leads to the webhook. */
  readonly isTunnel?: boolean;
}

/** Socket, or a stream in place of one. */
export type WireSocket = Duplex & { ref(): unknown; unref(): unknown };

/**
 * Checks whether the end of a wire is really a reset: Node reports a reset that came together with data as an end. Writing nothing returns
 * the pending error of the socket.
 */
export function resetAfterEnd(wire: Wire): Promise<TransportError | undefined> {
  const { socket } = wire;
  if (socket.destroyed || socket.writableLength > 0) return Promise.resolve(undefined);
  return new Promise(resolve => {
    // After a regular end the peer may reset the connection: that is EPIPE, and does not matter.
    socket.write(Buffer.alloc(0), error => resolve(isReset(error) ? brokenWire(wire, error) : undefined));
  });
}

/** Returns Go's error for a broken TCP connection: `read tcp 127.0.0.1:40123->127.0.0.1:8443: read: connection reset by peer`. */
export function brokenWire(wire: Wire, error: NodeJS.ErrnoException): TransportError {
  if (wire.isTunnel === true) return new TransportError('tcp', error.message, undefined, error);
  // Go always has a pending read, which fails first.
  const call = error.syscall === 'write' && !isReset(error) ? 'write' : 'read';
  return new TransportError('tcp', `${call} tcp ${wire.local}->${wire.remote}: ${systemErrorText(error, call)}`);
}

function isReset(error: NodeJS.ErrnoException | null | undefined): error is NodeJS.ErrnoException {
  return error?.code === 'ECONNRESET';
}
