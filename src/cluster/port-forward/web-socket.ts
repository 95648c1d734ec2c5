import { randomBytes } from 'node:crypto';
import { frameIn, frameOf, opcodes, payloadLength, type ReceivedFrame } from '../../encoding/web-socket-frames.js';
import type { UpgradedSocket } from '../http/upgrade.js';
import type { BytePipe, PipeEnd, PipeEvents } from './byte-pipe.js';

/** Max bytes of one received message; kubelets send 32 KiB. */
const maxMessageBytes = 1024 * 1024;
/** Max frames of one message. */
const maxFrames = 1024;
const tooLong = { fault: 'it sends messages of more than 1 MiB' };

/** Client's side of a WebSocket over an upgraded connection, with binary messages. Source: RFC 6455. */
export class WebSocketClient implements BytePipe {
  readonly #socket: UpgradedSocket;
  readonly #events: PipeEvents;
  #waiting: Buffer = Buffer.alloc(0);
  /** Frames of a message that is not complete. */
  readonly #parts: Buffer[] = [];
  #isOver = false;
  #isPaused = true;

  constructor(socket: UpgradedSocket, events: PipeEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.on('data', (chunk: Buffer) => {
      this.#waiting = this.#waiting.length === 0 ? chunk : Buffer.concat([this.#waiting, chunk]);
      this.#read();
    });
    socket.on('end', () => this.#finish());
    socket.on('close', () => this.#finish());
    socket.pause();
  }

  send(message: Uint8Array): boolean {
    return this.#write(opcodes.binary, message);
  }

  onDrain(react: () => void): void {
    this.#socket.once('drain', react);
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#read();
    if (!(this.#isPaused || this.#isOver)) this.#socket.resume();
  }

  /** Tells the server, and ends the connection. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.end(maskedFrame(opcodes.close, Buffer.from([1000 >> 8, 1000 & 0xff])), () => this.#socket.destroy());
    // A server that does not read it does not keep the process.
    this.#socket.unref?.();
  }

  hold(held: boolean): void {
    if (held) this.#socket.ref?.();
    else this.#socket.unref?.();
  }

  #write(opcode: number, payload: Uint8Array): boolean {
    return this.#isOver || this.#socket.write(maskedFrame(opcode, payload));
  }

  #read(): void {
    while (!(this.#isPaused || this.#isOver)) {
      if ((payloadLength(this.#waiting) ?? 0) > maxMessageBytes) return void this.#end(tooLong);
      const frame = frameIn(this.#waiting);
      if (frame === undefined) return;
      this.#waiting = this.#waiting.subarray(frame.size);
      const end = this.#receive(frame);
      if (end !== undefined) this.#end(end);
    }
  }

  /** Returns how the connection ends with this frame; undefined where it goes on. */
  #receive({ opcode, payload, isFinal, isMasked }: ReceivedFrame): PipeEnd | undefined {
    if (isMasked) return { fault: 'it sends masked frames' };
    if (opcode === opcodes.close) return 'closed';
    if (opcode === opcodes.ping) this.#write(opcodes.pong, payload);
    if (opcode === opcodes.ping || opcode === opcodes.pong) return undefined;
    if (opcode !== opcodes.binary && opcode !== opcodes.continuation) return { fault: `it sends frames of type ${opcode}` };
    if ((opcode === opcodes.continuation) !== this.#parts.length > 0) return { fault: 'it sends messages in an invalid order' };
    this.#parts.push(payload);
    if (this.#parts.length > maxFrames || this.#parts.reduce((sum, { length }) => sum + length, 0) > maxMessageBytes) return tooLong;
    if (isFinal) this.#events.onBytes(Buffer.concat(this.#parts.splice(0)));
    return undefined;
  }

  /** What came before the end of the connection counts. */
  #finish(): void {
    this.#isPaused = false;
    this.#read();
    this.#end('lost');
  }

  #end(how: PipeEnd): void {
    if (this.#isOver) return;
    if (how === 'closed') this.close();
    this.#isOver = true;
    this.#events.onEnd(how);
    if (how !== 'closed') this.#socket.destroy();
  }
}

function maskedFrame(opcode: number, payload: Uint8Array): Buffer {
  return frameOf(opcode, payload, randomBytes(4));
}
