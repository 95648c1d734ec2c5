import { Duplex } from 'node:stream';
import { brokenWire, resetBehindEnd } from './connection.js';
import type { Wire } from './dial.js';
import type { TransportError } from './transport-error.js';

/** A wire that somebody else reads and writes, while every byte that comes in is looked at first. */
export interface Tap {
  readonly stream: Duplex;
  /** Why the wire broke, when it did not just end. */
  failure(): TransportError | undefined;
}

/**
 * Puts a stream over a wire. `look` sees the bytes before the stream does, and stops it all with an error, which `stop` gets.
 * The end of the wire, good or bad, is an end of the stream: what came before it shall still be read.
 */
export function tapInto(wire: Wire, look: (bytes: Buffer) => TransportError | undefined, stop: (error: TransportError) => void): Tap {
  const { socket } = wire;
  let failure: TransportError | undefined;
  let ended = false;
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (bytes: Buffer, _encoding, done) => void socket.write(bytes, () => done()),
    final: done => void socket.end(() => done()),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });

  function end(): void {
    if (ended) return;
    ended = true;
    stream.push(null);
  }

  socket.on('data', bytes => {
    if (ended) return;
    const refused = look(bytes);
    if (refused !== undefined) {
      ended = true;
      stop(refused);
    } else if (!stream.push(bytes)) {
      socket.pause();
    }
  });
  socket.on('end', () => {
    resetBehindEnd(wire).then(fault => {
      failure ??= fault;
      end();
    });
  });
  socket.on('close', end);
  socket.on('error', error => {
    failure ??= brokenWire(wire, error);
    end();
  });
  return { stream, failure: () => failure };
}
