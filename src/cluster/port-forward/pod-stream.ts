import { Duplex } from 'node:stream';
import type { BytePipe, OpenPipe, PipeEnd } from './byte-pipe.js';
import type { PortEvent, PortProtocol } from './port-protocol.js';

/** Why a stream to a pod ended, other than because the pod's server closed its connection. */
export type StreamFault =
  /** The API server or the connection to it ended without closing the stream. `isEarly`: before the first byte from the pod. */
  | { readonly kind: 'lost'; readonly isEarly: boolean }
  /** The API server does not follow the protocol. */
  | { readonly kind: 'protocol'; readonly message: string }
  /** The kubelet's message: nothing listens, the container has ended. */
  | { readonly kind: 'kubelet'; readonly message: string; readonly isEarly: boolean };

/** Max bytes of a kubelet's message. */
const maxMessageBytes = 8 * 1024;

/** Max bytes of data in one sent message: as many as kubelets send. */
const maxSentBytes = 32 * 1024;

/**
 * Time between two pings, in milliseconds. An API server that has lost the kubelet closes a tunnel only when the client sends something: the lock that its end needs is
 * held by its read. Source: apiserver pkg/util/proxy/streamtunnel.go tunnelingWebsocketUpgraderConn.
 */
const pingMs = 2000;

/** Connection to a port of a pod, through the API server and the kubelet of its node. */
export class PodStream extends Duplex {
  readonly #protocol: PortProtocol;
  readonly #faultError: (fault: StreamFault) => Error;
  readonly #pipe: BytePipe;
  #opened: () => void = () => undefined;
  #message = '';
  #hasData = false;
  #isEnded = false;
  readonly #pings: NodeJS.Timeout | undefined;
  /** Resolves when the kubelet has accepted the port; never when the stream breaks before, which its error tells. */
  readonly opened: Promise<void>;

  /** `faultError` makes the error with which the stream is destroyed. */
  constructor(openPipe: OpenPipe, protocol: PortProtocol, faultError: (fault: StreamFault) => Error) {
    // The end of the pod's side must not end this side: what is written then is dropped.
    super({ allowHalfOpen: true });
    this.#protocol = protocol;
    this.#faultError = faultError;
    this.opened = new Promise(resolve => {
      this.#opened = resolve;
    });
    this.#pipe = openPipe({ onBytes: bytes => this.#receive(bytes), onEnd: how => this.#end(how) });
    for (const bytes of protocol.opening) this.#pipe.send(bytes);
    this.#pipe.resume();
    const { ping } = protocol;
    this.#pings = ping === undefined ? undefined : setInterval(() => this.#pipe.send(ping), pingMs).unref();
  }

  ref(): void {
    this.#pipe.hold(true);
  }

  unref(): void {
    this.#pipe.hold(false);
  }

  override _read(): void {
    this.#pipe.resume();
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: () => void): void {
    if (bytes.length === 0 || this.#isEnded) return void done();
    let goesOn = true;
    for (let at = 0; at < bytes.length; at += maxSentBytes)
      goesOn = this.#pipe.send(this.#protocol.encode(bytes.subarray(at, at + maxSentBytes)));
    if (goesOn) done();
    else this.#pipe.onDrain(done);
  }

  override _final(done: () => void): void {
    this.#pipe.close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#isEnded = true;
    clearInterval(this.#pings);
    this.#pipe.close();
    done(error);
  }

  #receive(bytes: Buffer): void {
    for (const event of this.#protocol.receive(bytes)) {
      if (this.#isEnded) return;
      this.#react(event);
    }
  }

  #react(event: PortEvent): void {
    if (event.kind === 'opened') this.#opened();
    else if (event.kind === 'answer') this.#pipe.send(event.bytes);
    else if (event.kind === 'fault') this.#fail({ kind: 'protocol', message: event.message });
    else if (event.kind === 'ended' || event.kind === 'failed') this.#finish(event.kind);
    else if (event.kind === 'message') {
      if (this.#message.length < maxMessageBytes) this.#message += event.bytes.toString('utf8');
    } else {
      this.#hasData = true;
      if (!this.push(event.bytes)) this.#pipe.pause();
    }
  }

  #end(how: PipeEnd): void {
    if (typeof how === 'object') this.#fail({ kind: 'protocol', message: how.fault });
    else this.#finish(how === 'closed' && this.#protocol.endsWithConnection ? 'ended' : 'failed');
  }

  #finish(how: 'ended' | 'failed'): void {
    if (this.#isEnded) return;
    if (this.#message !== '') return void this.#fail({ kind: 'kubelet', message: this.#message, isEarly: !this.#hasData });
    if (how === 'failed') return void this.#fail({ kind: 'lost', isEarly: !this.#hasData });
    this.#isEnded = true;
    clearInterval(this.#pings);
    this.push(null);
    this.#pipe.close();
  }

  #fail(fault: StreamFault): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.destroy(this.#faultError(fault));
  }
}
