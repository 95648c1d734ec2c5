import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { Ending } from './script.js';

/** A client connection, plain or TLS, that can be closed in any way. */
export interface Channel {
  /** Reads a number of bytes; undefined when the connection ends before. */
  take(count: number): Promise<Buffer | undefined>;
  /** Reads the next line without its line end; undefined when the connection ends before. */
  takeLine(): Promise<string | undefined>;
  /** Resolves when the bytes are sent; rejects when the connection is closed. */
  write(bytes: Buffer): Promise<void>;
  /** Closes the connection; `hang` and `keep` leave it open. */
  end(ending: Ending): void;
}

/** TLS options of a connection. */
export interface ServerTls {
  readonly secureContext: SecureContext;
  readonly requestCert: boolean;
}

/** Returns a plain connection. */
export function plainChannel(socket: Socket): Channel {
  return channelOver(socket, ending => endSocket(socket, ending === 'close' ? 'destroy' : ending));
}

/**
 * Returns a TLS connection after the handshake; undefined when that fails. The socket is still accessible, so that it can be closed without
 * a TLS close_notify.
 */
export async function openTlsChannel(socket: Socket, tls: ServerTls): Promise<Channel | undefined> {
  const below = new Duplex({
    read: () => undefined,
    write: (chunk, _encoding, done) => {
      socket.write(chunk, error => done(error));
    },
    final: done => {
      socket.end(() => done());
    },
  });
  socket.on('data', chunk => below.push(chunk));
  socket.on('end', () => below.push(null));
  socket.on('close', () => below.destroy());
  socket.resume();
  const secured = new TLSSocket(below, { isServer: true, ...tls, rejectUnauthorized: true });
  // Later errors surface where bytes are read and written.
  secured.on('error', () => socket.end());
  below.on('error', () => socket.destroy());
  const gone = new AbortController();
  secured.once('close', () => gone.abort());
  try {
    await once(secured, 'secure', { signal: gone.signal });
  } catch {
    socket.end();
    return undefined;
  }
  return channelOver(secured, ending => endSecured(secured, socket, ending));
}

/** Closes a TLS connection; only `close` sends a close_notify. */
export function endSecured(secured: Duplex, socket: Socket, ending: Ending): void {
  if (ending === 'close') secured.end();
  else endSocket(socket, ending);
}

function endSocket(socket: Socket, ending: Ending | 'destroy'): void {
  if (ending === 'reset') socket.resetAndDestroy();
  else if (ending === 'abort' || ending === 'half-close') socket.end();
  else if (ending === 'destroy') socket.destroy();
}

function channelOver(stream: Duplex, end: Channel['end']): Channel {
  let received = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  const finish = () => {
    ended = true;
    wake();
  };
  const listen = (): void => {
    if (stream.listenerCount('data') > 0) return;
    stream.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      wake();
    });
    // Connections are paused when they arrive.
    stream.resume();
  };
  stream.on('end', finish).on('close', finish).on('error', finish);
  const readUntil = async (enough: () => number): Promise<Buffer | undefined> => {
    listen();
    for (;;) {
      const count = enough();
      if (count >= 0) {
        const taken = received.subarray(0, count);
        received = received.subarray(count);
        return taken;
      }
      if (ended) return undefined;
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    }
  };
  return {
    take: count => readUntil(() => (received.length >= count ? count : -1)),
    async takeLine() {
      const line = await readUntil(() => received.indexOf(0x0a) + 1 || -1);
      return line?.toString('latin1').replace(/\r?\n$/, '');
    },
    write: bytes => new Promise((resolve, reject) => stream.write(bytes, error => (error ? reject(error) : resolve()))),
    end,
  };
}
