import { Duplex } from 'node:stream';
import type { UpgradedSocket } from '../http/upgrade.js';
import { WebSocketClient, type WebSocketEnd } from './web-socket.js';

/** Why a stream to a pod ended, other than because the pod's server closed its connection. */
export type StreamFault =
  /** The API server or the connection to it ended without closing the stream. */
  | { readonly kind: 'lost' }
  /** The API server does not follow the protocol. */
  | { readonly kind: 'protocol'; readonly message: string }
  /** The kubelet's message: nothing listens, the container has ended. `isEarly`: before the first byte from the pod. */
  | { readonly kind: 'kubelet'; readonly message: string; readonly isEarly: boolean };

/** Channels of one forwarded port. Source: kubelet pkg/cri/streaming/portforward/websocket.go. */
const channels = { data: 0, error: 1 } as const;

/** Max bytes of a kubelet's message. */
const maxMessageBytes = 8 * 1024;

/** Max bytes of data in one sent message: as many as kubelets send. */
const maxSentBytes = 32 * 1024;

/** Protocol of the messages: the first byte is the channel, and the first two bytes of each channel are the port. */
export const channelProtocol = 'v4.channel.k8s.io';

/** Connection to a port of a pod, through the API server and the kubelet of its node. */
export class PodStream extends Duplex {
  readonly #port: number;
  readonly #faultError: (fault: StreamFault) => Error;
  readonly #socket: WebSocketClient;
  /** Bytes that each channel has received before its port is complete. */
  readonly #heads = new Map<number, Buffer>();
  #opened: () => void = () => undefined;
  #message = '';
  #hasData = false;
  #isEnded = false;
  /** Resolves when the kubelet has accepted the port; never when the stream breaks before, which its error tells. */
  readonly opened: Promise<void>;

  /** `faultError` makes the error with which the stream is destroyed. */
  constructor(socket: UpgradedSocket, port: number, faultError: (fault: StreamFault) => Error) {
    // The end of the pod's side must not end this side: what is written then is dropped.
    super({ allowHalfOpen: true });
    this.#port = port;
    this.#faultError = faultError;
    this.opened = new Promise(resolve => {
      this.#opened = resolve;
    });
    this.#socket = new WebSocketClient(socket, { onMessage: message => this.#receive(message), onEnd: how => this.#end(how) });
    this.#socket.resume();
  }

  ref(): void {
    this.#socket.hold(true);
  }

  unref(): void {
    this.#socket.hold(false);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: () => void): void {
    if (bytes.length === 0 || this.#isEnded) return void done();
    let goesOn = true;
    for (let at = 0; at < bytes.length; at += maxSentBytes)
      goesOn = this.#socket.send(Buffer.concat([Buffer.from([channels.data]), bytes.subarray(at, at + maxSentBytes)]));
    if (goesOn) done();
    else this.#socket.onDrain(done);
  }

  override _final(done: () => void): void {
    this.#socket.close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#isEnded = true;
    this.#socket.close();
    done(error);
  }

  #receive(message: Buffer): void {
    const [channel] = message;
    if (channel === undefined) return;
    if (channel !== channels.data && channel !== channels.error)
      return void this.#fail({ kind: 'protocol', message: `it sends data for channel ${channel}` });
    const bytes = this.#withoutPort(channel, message.subarray(1));
    if (bytes === undefined || bytes.length === 0) return;
    if (channel === channels.error) {
      if (this.#message.length < maxMessageBytes) this.#message += bytes.toString('utf8');
      return;
    }
    this.#hasData = true;
    if (!this.push(bytes)) this.#socket.pause();
  }

  /** Returns the bytes after the port; undefined before it is complete, and for another port. */
  #withoutPort(channel: number, bytes: Buffer): Buffer | undefined {
    const head = this.#heads.get(channel) ?? Buffer.alloc(0);
    if (head.length === 2) return bytes;
    const all = Buffer.concat([head, bytes]);
    this.#heads.set(channel, all.subarray(0, 2));
    if (all.length < 2) return undefined;
    const port = all.readUInt16LE(0);
    if (port !== this.#port) {
      this.#fail({ kind: 'protocol', message: `it forwards port ${port} instead of ${this.#port}` });
      return undefined;
    }
    if ([channels.data, channels.error].every(each => this.#heads.get(each)?.length === 2)) this.#opened();
    return all.subarray(2);
  }

  #end(how: WebSocketEnd): void {
    if (this.#isEnded) return;
    if (typeof how === 'object') return void this.#fail({ kind: 'protocol', message: how.fault });
    if (this.#message !== '') return void this.#fail({ kind: 'kubelet', message: this.#message, isEarly: !this.#hasData });
    if (how === 'lost') return void this.#fail({ kind: 'lost' });
    this.#isEnded = true;
    this.push(null);
  }

  #fail(fault: StreamFault): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.destroy(this.#faultError(fault));
  }
}
