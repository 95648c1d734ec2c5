import { Duplex } from 'node:stream';
import { brokenWire, resetBehindEnd } from './connection.js';
import type { Wire } from './dial.js';
import { TransportError } from './transport-error.js';

/** A wire that somebody else reads and writes, while every byte that comes in is looked at first. */
export interface Tap {
  readonly stream: Duplex;
  /** The handshake is over: what is written from the next turn on goes out at once. */
  opened(): void;
  /** Why the wire broke, when it did not just end. */
  failure(): TransportError | undefined;
  /** Comes true when the wire ends, good or bad. */
  readonly ended: Promise<void>;
}

/** Who looks. */
export interface Observer {
  sent(bytes: Buffer): void;
  /** Sees bytes before the stream does: lets them pass, keeps them back until more has come, or stops it all. */
  received(bytes: Buffer): 'pass' | 'wait' | TransportError;
  /** Gets the error with which it was stopped. */
  stopped(error: TransportError): void;
}

/**
 * Puts a stream over a wire. The end of the wire, good or bad, is an end of the stream: what came before it shall still be read.
 */
export function tapInto(wire: Wire, observer: Observer): Tap {
  const { socket } = wire;
  let failure: TransportError | undefined;
  let ended = false;
  let stage: 'handshake' | 'opening' | 'open' = 'handshake';
  const outgoing: Buffer[] = [];
  const stream = new Duplex({
    read: () => void socket.resume(),
    write(bytes: Buffer, _encoding, done) {
      observer.sent(bytes);
      outgoing.push(bytes);
      if (outgoing.length === 1) flushSoon();
      done();
    },
    final(done) {
      flush();
      socket.end(() => done());
    },
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });

  /**
   * What is written in one turn goes out as one. A handshake waits for two turns: whether the server has hung up is heard before it is written to, and
   * the end of a handshake goes out with the request behind it. A server that does not like the one has then got the other, and its alert is read;
   * a request that comes after it has hung up fails, and takes the alert with it.
   */
  function flushSoon(): void {
    if (stage === 'open') process.nextTick(flush);
    else setImmediate(() => setImmediate(flush));
  }

  function flush(): void {
    if (stage === 'opening') stage = 'open';
    if (outgoing.length > 0) socket.write(joined(outgoing.splice(0)));
  }

  let announce: () => void = () => undefined;
  const whenEnded = new Promise<void>(resolve => {
    announce = resolve;
  });

  function end(): void {
    announce();
    if (ended) return;
    ended = true;
    stream.push(null);
  }

  const kept: Buffer[] = [];
  socket.on('data', bytes => {
    if (ended) return;
    const decision = observer.received(bytes);
    if (decision instanceof TransportError) {
      ended = true;
      observer.stopped(decision);
      return;
    }
    kept.push(bytes);
    if (decision === 'pass' && !stream.push(joined(kept.splice(0)))) socket.pause();
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
  const opened = (): void => {
    stage = 'opening';
  };
  return { stream, opened, failure: () => failure, ended: whenEnded };
}

/** Nearly always there is but one part. */
function joined(parts: readonly Buffer[]): Buffer {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
}
