import type { Wire } from './dial.js';
import { createInbox } from './inbox.js';
import { systemErrorText } from './system-errors.js';
import { TransportError } from './transport-error.js';

/** Plaintext stream of bytes to and from a webhook. */
export interface Connection {
  /** Returns the next bytes; undefined at the end. Fails with a {@link TransportError} with Go's message if the stream broke. */
  read(): Promise<Buffer | undefined>;
  write(bytes: Uint8Array): void;
  /** Returns whether there are no unread bytes and the peer has not closed the stream. */
  isQuiet(): boolean;
  /** Sets whether the connection keeps the process alive. */
  hold(held: boolean): void;
  /** Closes the connection; a pending read fails with the reason. */
  destroy(reason?: TransportError): void;
}

/** Socket of a connection, with or without TLS. */
interface ByteSocket {
  on(event: 'data', listener: (bytes: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  write(bytes: Uint8Array): unknown;
  destroy(): unknown;
}

/** Creates a connection over a socket; `failure` returns why the stream ended, undefined for a regular end. */
export function connectionOver(socket: ByteSocket, wire: Wire, failure: (error?: Error) => TransportError | undefined): Connection {
  const inbox = createInbox();
  socket.on('data', bytes => inbox.push(bytes));
  socket.on('error', error => inbox.end(failure(error)));
  socket.on('end', () => inbox.end(failure()));
  socket.on('close', () => inbox.end(failure()));
  return {
    read: inbox.read,
    isQuiet: inbox.isQuiet,
    write: bytes => void socket.write(bytes),
    hold: held => void (held ? wire.socket.ref() : wire.socket.unref()),
    destroy(reason) {
      inbox.end(reason);
      socket.destroy();
      wire.socket.destroy();
    },
  };
}

/**
 * Checks whether the end of a wire is really a reset: Node reports a reset that came together with data as an end. Writing nothing returns
 * the pending error of the socket.
 */
export function resetBehindEnd(wire: Wire): Promise<TransportError | undefined> {
  const { socket } = wire;
  if (socket.destroyed || socket.writableLength > 0) return Promise.resolve(undefined);
  return new Promise(resolve => {
    // After a regular end the peer may reset the connection: that is EPIPE, and does not matter.
    socket.write(Buffer.alloc(0), error => resolve(isReset(error) ? brokenWire(wire, error) : undefined));
  });
}

/** Returns Go's error for a broken TCP connection: `read tcp 127.0.0.1:40123->127.0.0.1:8443: read: connection reset by peer`. */
export function brokenWire(wire: Wire, error: NodeJS.ErrnoException): TransportError {
  // Go always has a pending read, which fails first.
  const call = error.syscall === 'write' && !isReset(error) ? 'write' : 'read';
  return new TransportError('tcp', `${call} tcp ${wire.local}->${wire.remote}: ${systemErrorText(error, call)}`);
}

function isReset(error: NodeJS.ErrnoException | null | undefined): error is NodeJS.ErrnoException {
  return error?.code === 'ECONNRESET';
}
