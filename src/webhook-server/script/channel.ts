import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { Ending } from './script.js';

/** A client connection, plain or TLS, that can be closed in any way. */
export interface Channel {
  /** Reads a number of bytes; undefined when the connection ends before, and for more than 64 MiB. */
  take(count: number): Promise<Buffer | undefined>;
  /** Reads the next line without its line end; undefined when the connection ends before, and for one longer than 1 MiB. */
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

const maxBodyBytes = 64 * 1024 * 1024;
const maxLineBytes = 1024 * 1024;
/** What a client may send before it is read. */
const maxWaitingBytes = 64 * 1024;

/** Returns a plain connection. */
export function plainChannel(socket: Socket): Channel {
  return channelOver(socket, ending => endSocket(socket, ending === 'close' ? 'destroy' : ending));
}

/**
 * Returns a TLS connection after the handshake; undefined when that fails or takes longer than `handshakeMs`. The socket is still accessible, so that it can be closed without
 * a TLS close_notify.
 */
export async function openTlsChannel(socket: Socket, tls: ServerTls, handshakeMs = 32_000): Promise<Channel | undefined> {
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
  let isSecure = false;
  socket.on('end', () => {
    below.push(null);
    if (!isSecure) socket.destroy();
  });
  socket.on('close', () => below.destroy());
  socket.resume();
  const secured = new TLSSocket(below, { isServer: true, ...tls, rejectUnauthorized: true });
  // Later errors surface where bytes are read and written.
  secured.on('error', () => socket.destroySoon());
  below.on('error', () => socket.destroy());
  const gone = new AbortController();
  secured.once('close', () => gone.abort());
  secured.once('close', () => socket.destroySoon());
  const overdue = setTimeout(() => socket.destroy(), handshakeMs);
  try {
    await once(secured, 'secure', { signal: gone.signal });
    isSecure = true;
  } catch {
    socket.destroySoon();
    return undefined;
  } finally {
    clearTimeout(overdue);
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
  const received = new ReceivedBytes();
  let [hasEnded, isReading, isOver] = [false, false, false];
  let wake = () => {};
  const finish = () => {
    hasEnded = true;
    wake();
  };
  const listen = (): void => {
    if (stream.listenerCount('data') > 0) return;
    stream.on('data', (chunk: Buffer) => {
      if (isOver) return;
      received.push(chunk);
      // The rest waits at the client.
      if (!isReading && received.length > maxWaitingBytes) stream.pause();
      wake();
    });
  };
  stream.on('end', finish).on('close', finish).on('error', finish);
  // Connections may be half-open: one that hangs ends with its client.
  stream.on('end', () => {
    if (isOver) stream.destroy();
  });
  const readUntil = async (enough: () => boolean, maxBytes: number): Promise<boolean> => {
    listen();
    isReading = true;
    // Connections are paused when they arrive.
    stream.resume();
    while (!enough() && !hasEnded && received.length <= maxBytes) {
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    }
    isReading = false;
    return enough();
  };
  return {
    take: async count =>
      count <= maxBodyBytes && (await readUntil(() => received.length >= count, count)) ? received.take(count) : undefined,
    async takeLine() {
      const isThere = await readUntil(() => received.lineLength > 0, maxLineBytes);
      return isThere
        ? received
            .take(received.lineLength)
            .toString('latin1')
            .replace(/\r?\n$/, '')
        : undefined;
    },
    write: bytes => new Promise((resolve, reject) => stream.write(bytes, error => (error ? reject(error) : resolve()))),
    end: ending => {
      isOver = ending !== 'keep';
      // Unread bytes decide how the system closes a connection that was never read.
      if (isOver && stream.listenerCount('data') > 0) stream.resume();
      end(ending);
    },
  };
}

/** Bytes that have arrived and are not used yet. */
class ReceivedBytes {
  length = 0;
  /** With its line end; 0 while there is none. */
  lineLength = 0;
  private chunks: Buffer[] = [];

  push(chunk: Buffer): void {
    const end = this.lineLength === 0 ? chunk.indexOf(0x0a) : -1;
    if (end >= 0) this.lineLength = this.length + end + 1;
    this.chunks.push(chunk);
    this.length += chunk.length;
  }

  take(count: number): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.chunks;
    const all = others.length === 0 ? first : Buffer.concat(this.chunks);
    const rest = all.subarray(count);
    this.chunks = rest.length === 0 ? [] : [rest];
    this.length = rest.length;
    this.lineLength = rest.indexOf(0x0a) + 1;
    return all.subarray(0, count);
  }
}
