import type { Wire } from './dial.js';
import { createInbox } from './inbox.js';
import { systemErrorText } from './system-errors.js';
import { TransportError } from './transport-error.js';

/** A stream of bytes to and from a webhook, in the clear for whoever holds it. */
export interface Connection {
  /** The next bytes; undefined when the peer has ended. Fails with a {@link TransportError} in Go's words when the stream broke. */
  read(): Promise<Buffer | undefined>;
  write(bytes: Uint8Array): void;
  /** Whether nothing came unasked and the peer has not ended. */
  isQuiet(): boolean;
  /** Whether the process shall live as long as the connection does. */
  hold(held: boolean): void;
  /** Closes; a read that waits fails with the reason. */
  destroy(reason?: TransportError): void;
}

/** What a connection is made of: a socket, with TLS or without. */
interface ByteSocket {
  on(event: 'data', listener: (bytes: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  write(bytes: Uint8Array): unknown;
  destroy(): unknown;
}

/** A connection over a socket; `failure` explains how the stream ended: undefined is a proper end. */
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
 * Whether the end of a wire is one: Node also reports a reset as an end when it came together with data. Answers the reset.
 * Writing nothing asks the socket for its pending error.
 */
export function resetBehindEnd(wire: Wire): Promise<TransportError | undefined> {
  const { socket } = wire;
  if (socket.destroyed || socket.writableLength > 0) return Promise.resolve(undefined);
  return new Promise(resolve => {
    // After a proper end the peer may have gone on to reset the connection: that is EPIPE, and of no interest.
    socket.write(Buffer.alloc(0), error => resolve(isReset(error) ? brokenWire(wire, error) : undefined));
  });
}

/** Go's words for a TCP connection that broke: `read tcp 127.0.0.1:40123->127.0.0.1:8443: read: connection reset by peer`. */
export function brokenWire(wire: Wire, error: NodeJS.ErrnoException): TransportError {
  // Go waits for an answer all the while, and so meets a reset there.
  const call = error.syscall === 'write' && !isReset(error) ? 'write' : 'read';
  return new TransportError('tcp', `${call} tcp ${wire.local}->${wire.remote}: ${systemErrorText(error, call)}`);
}

function isReset(error: NodeJS.ErrnoException | null | undefined): error is NodeJS.ErrnoException {
  return error?.code === 'ECONNRESET';
}
