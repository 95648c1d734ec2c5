import { Duplex } from 'node:stream';
import { TransportError } from './transport-error.js';
import { brokenWire, resetAfterEnd, type Wire } from './wire.js';

/** Wire used by another reader and writer, with every incoming byte observed first. */
export interface Tap {
  readonly stream: Duplex;
  /** Marks the handshake as done: from the next turn on writes are not delayed. */
  opened(): void;
  /** Returns why the wire broke, if it did not just end. */
  failure(): TransportError | undefined;
  /** Resolves when the wire ends or breaks. */
  readonly ended: Promise<void>;
}

/** Observer of a tap. */
export interface Observer {
  sent(bytes: Buffer): void;
  /** Inspects incoming bytes: passes them on, holds them back until there are more, or stops the stream. */
  received(bytes: Buffer): 'pass' | 'wait' | TransportError;
  /** Called with the error that stopped the stream. */
  stopped(error: TransportError): void;
}

/** Creates a stream over a wire. The end of the wire, regular or not, ends the stream: earlier bytes can still be read. */
export function tapInto(wire: Wire, observer: Observer): Tap {
  const { socket } = wire;
  let failure: TransportError | undefined;
  let ended = false;
  let stage: 'handshake' | 'opening' | 'open' = 'handshake';
  const outgoing: Buffer[] = [];
  const ending = announcement();
  const stream = new Duplex({
    read: () => void socket.resume(),
    write(bytes: Buffer, _encoding, done) {
      take(bytes);
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

  writeAtOnce(stream, take);
  function take(bytes: Buffer): void {
    observer.sent(bytes);
    outgoing.push(bytes);
    if (outgoing.length === 1) flushSoon();
  }

  /**
   * Writes of one turn are sent together. A handshake waits for two turns: to notice that the server has closed the connection before
   * writing to it, and to send the end of a handshake together with the request. A server that rejects the handshake has then received the
   * request, and its alert can be read; a request sent after the server closed the connection would fail and lose the alert.
   */
  function flushSoon(): void {
    if (stage === 'open') process.nextTick(flush);
    else setImmediate(() => setImmediate(flush));
  }

  function flush(): void {
    if (stage === 'opening') stage = 'open';
    if (outgoing.length > 0) socket.write(joined(outgoing.splice(0)));
  }

  function end(): void {
    ending.announce();
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
    resetAfterEnd(wire).then(fault => {
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
  return { stream, opened, failure: () => failure, ended: ending.announced };
}

function announcement(): { readonly announced: Promise<void>; readonly announce: () => void } {
  let announce: () => void = () => undefined;
  const announced = new Promise<void>(resolve => {
    announce = resolve;
  });
  return { announced, announce: () => announce() };
}

/** Lets writes pass by the queue of a stream, which takes longer than the encryption of a small request: nothing has to be waited for. */
function writeAtOnce(stream: Duplex, take: (bytes: Buffer) => void): void {
  const queued = stream.write.bind(stream);
  Object.assign(stream, {
    write(bytes: Buffer, done: () => void): boolean {
      if (stream.destroyed || stream.writableEnded) return queued(bytes, done);
      take(bytes);
      done();
      return true;
    },
  });
}

/** There is nearly always one part only. */
function joined(parts: readonly Buffer[]): Buffer {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
}
