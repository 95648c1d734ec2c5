import { type ChunkedReader, createChunkedReader } from './chunked-body.js';
import type { BodyRead } from './message.js';
import type { BodyFraming } from './request-head.js';

/** Body of one HTTP/1 request while it is received. */
export interface IncomingBody {
  /** Consumes bytes from the connection; returns how many belong to this body. */
  push(bytes: Uint8Array): number;
  /** Called when the client closes its side. */
  end(): void;
  /** Whether all bytes of the body were received. */
  readonly isComplete: boolean;
  /** Go's message when the coding is invalid or the client has disconnected. */
  readonly error: string | undefined;
  /** Resolves when the body is complete, invalid, or longer than `limit`. */
  read(limit: number): Promise<BodyRead>;
  /** Whether more bytes are needed by a pending read. */
  readonly isWanted: boolean;
}

/** Returns a body in one of HTTP/1's framings; bytes are buffered until they are read. */
export function createIncomingBody(framing: BodyFraming): IncomingBody {
  return new FramedBody(framing);
}

class FramedBody implements IncomingBody {
  private parts: Uint8Array[] = [];
  private length = 0;
  private remaining: number;
  private hasEnded = false;
  private limit = 0;
  private finish: ((read: BodyRead) => void) | undefined;
  private readonly chunked: ChunkedReader | undefined;

  constructor(framing: BodyFraming) {
    this.remaining = framing.type === 'length' ? framing.length : 0;
    this.chunked = framing.type === 'chunked' ? createChunkedReader(bytes => this.keep(bytes)) : undefined;
  }

  get isComplete(): boolean {
    return this.chunked === undefined ? this.remaining === 0 : this.chunked.done;
  }

  get error(): string | undefined {
    return this.chunked?.error ?? (this.hasEnded && !this.isComplete ? 'unexpected EOF' : undefined);
  }

  get isWanted(): boolean {
    return this.finish !== undefined;
  }

  push(bytes: Uint8Array): number {
    const taken = this.chunked === undefined ? Math.min(bytes.length, this.remaining) : this.chunked.push(bytes);
    if (this.chunked === undefined && taken > 0) {
      this.remaining -= taken;
      this.keep(taken === bytes.length ? bytes : bytes.subarray(0, taken));
    }
    this.settle();
    return taken;
  }

  end(): void {
    this.hasEnded = true;
    this.settle();
  }

  read(limit: number): Promise<BodyRead> {
    return new Promise(resolve => {
      this.limit = limit;
      this.finish = resolve;
      this.settle();
    });
  }

  private keep(bytes: Uint8Array): void {
    this.parts.push(bytes);
    this.length += bytes.length;
  }

  private settle(): void {
    const { finish, isComplete, error, length, limit, parts } = this;
    if (finish === undefined || !(isComplete || error !== undefined || length > limit)) return;
    const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    this.finish = undefined;
    this.parts = [];
    // Bytes after the limit are dropped: a reader of the rest starts at zero.
    this.length = 0;
    finish({ bytes: bytes.subarray(0, limit), complete: isComplete && length <= limit, error: length > limit ? undefined : error });
  }
}
