import { createInbox } from './inbox.js';
import type { TransportError } from './transport-error.js';
import type { Wire } from './wire.js';

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
