import type { Socket } from 'node:net';
import {
  controlFrame,
  controls,
  dataFrame,
  finFlag,
  numbers,
  resetFrame,
  resetStatus,
  SpdyReader,
  streamOf,
} from '../../encoding/spdy/spdy-frames.js';
import { SpdyHeaderWriter } from '../../encoding/spdy/spdy-headers.js';
import { connectToPort, type ForwardedPorts, type Pausable, passTo } from './pod-target.js';
import { SpdyHeaderReader } from './spdy-header-reader.js';

/** Connection that SPDY's frames come over. */
export interface SpdyWire extends Pausable {
  /** Returns whether more may be sent now. */
  readonly send: (bytes: Uint8Array) => boolean;
  readonly onDrain: (react: () => void) => void;
  readonly close: () => void;
}

/** One connection to a port: its two streams, and the connection that its data go to. */
interface Pair {
  readonly id: string;
  readonly port: number;
  readonly streams: Map<StreamType, number>;
  target: Socket | undefined;
}

type StreamType = 'data' | 'error';

/** Max streams at a time. */
const maxStreams = 1000;

/** Forwards the ports of a pod over SPDY/3.1, each connection in a stream for data and one for an error. Source: kubelet pkg/cri/streaming/portforward/httpstream.go, moby/spdystream. */
export class SpdyPorts {
  readonly #wire: SpdyWire;
  readonly #forwarded: ForwardedPorts;
  readonly #frames = new SpdyReader();
  readonly #readHeaders = new SpdyHeaderReader();
  readonly #writeHeaders = new SpdyHeaderWriter();
  readonly #pairs = new Map<string, Pair>();
  readonly #pairOf = new Map<number, Pair>();
  #lastStream = 0;
  #isLeaving = false;

  constructor(wire: SpdyWire, forwarded: ForwardedPorts) {
    this.#wire = wire;
    this.#forwarded = forwarded;
  }

  receive(bytes: Buffer): void {
    for (const part of this.#frames.read(bytes)) {
      if (part.kind === 'fault') return void this.#wire.close();
      if (part.kind === 'data') this.#pass(part.stream, part.bytes, part.isLast);
      else this.#control(part.type, part.payload, part.flags);
    }
  }

  /** Ends the connections of all ports: the client is gone. */
  end(): void {
    for (const { target } of this.#pairs.values()) target?.destroy();
  }

  #control(type: number, payload: Buffer, flags: number): void {
    const stream = streamOf(payload);
    if (type === controls.openStream) this.#open(stream, payload.subarray(10), flags);
    // Pings of clients have odd numbers.
    else if (type === controls.ping && stream % 2 === 1) this.#wire.send(controlFrame(controls.ping, payload));
    else if (type === controls.reset) this.#drop(stream);
    else if (type === controls.goAway) {
      this.#isLeaving = true;
      this.#leave();
    }
  }

  #open(stream: number, block: Buffer, flags: number): void {
    const headers = this.#readHeaders.read(block);
    if (headers === undefined) return void this.#wire.close();
    if (stream % 2 === 0 || stream <= this.#lastStream || this.#pairOf.size >= maxStreams || this.#isLeaving)
      return void this.#wire.send(resetFrame(stream, resetStatus.protocolError));
    this.#lastStream = stream;
    const [port, type] = [Number(headers.get('port')), headers.get('streamtype')];
    if (!(Number.isInteger(port) && port > 0 && port < 65_536) || (type !== 'data' && type !== 'error'))
      return void this.#wire.send(resetFrame(stream, resetStatus.cancel));
    this.#wire.send(controlFrame(controls.reply, Buffer.concat([numbers(stream), this.#writeHeaders.write([])])));
    // Old clients send no id: the error stream comes first, and the number of the other one is the next.
    const id = headers.get('requestid') || String(type === 'error' ? stream : stream - 2);
    this.#add({ id, port, type, stream });
    if ((flags & finFlag) !== 0) this.#pass(stream, Buffer.alloc(0), true);
  }

  #add({
    id,
    port,
    type,
    stream,
  }: {
    readonly id: string;
    readonly port: number;
    readonly type: StreamType;
    readonly stream: number;
  }): void {
    const pair = this.#pairs.get(id) ?? { id, port, streams: new Map<StreamType, number>(), target: undefined };
    this.#pairs.set(id, pair);
    const error = pair.streams.get('error');
    if (pair.streams.has(type)) {
      if (error !== undefined)
        this.#wire.send(dataFrame(error, Buffer.from(`error processing stream for request ${id}: ${type} stream already assigned`)));
      return;
    }
    pair.streams.set(type, stream);
    this.#pairOf.set(stream, pair);
    if (pair.streams.size === 2) this.#connect(pair);
  }

  #connect(pair: Pair): void {
    const [data = 0, error = 0] = [pair.streams.get('data'), pair.streams.get('error')];
    const { send, onDrain } = this.#wire;
    pair.target = connectToPort(this.#forwarded, pair.port, {
      data: bytes => !this.#pairs.has(pair.id) || send(dataFrame(data, bytes)),
      drain: onDrain,
      end: failure => {
        if (!this.#pairs.has(pair.id)) return;
        const nothing = Buffer.alloc(0);
        const last =
          failure === undefined
            ? [dataFrame(data, nothing, finFlag), dataFrame(error, nothing, finFlag)]
            : [dataFrame(error, Buffer.from(failure)), ...[data, error].map(stream => resetFrame(stream, resetStatus.cancel))];
        for (const frame of last) send(frame);
        this.#remove(pair);
      },
    });
  }

  /** Passes data on to the pod. A pod that does not read makes all streams of the connection wait, as the kubelet does. */
  #pass(stream: number, bytes: Buffer, isLast: boolean): void {
    const pair = this.#pairOf.get(stream);
    if (pair === undefined || pair.streams.get('data') !== stream) return;
    const { target } = pair;
    if (target === undefined) {
      this.#wire.send(resetFrame(stream, resetStatus.protocolError));
      return void this.#remove(pair);
    }
    passTo(target, bytes, this.#wire);
    if (isLast) target.end();
  }

  #drop(stream: number): void {
    const pair = this.#pairOf.get(stream);
    if (pair === undefined) return;
    this.#remove(pair);
    pair.target?.destroy();
  }

  #remove(pair: Pair): void {
    this.#pairs.delete(pair.id);
    for (const stream of pair.streams.values()) this.#pairOf.delete(stream);
    this.#leave();
  }

  /** A client that has taken its leave closes the connection when its streams have ended; so does this side. */
  #leave(): void {
    if (this.#isLeaving && this.#pairs.size === 0) this.#wire.close();
  }
}
