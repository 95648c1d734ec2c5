import { createChunkedReader } from './chunked-body.js';
import type { BodyRead } from './message.js';
import type { BodyFraming } from './request-head.js';

/** The body of one HTTP/1 request while its bytes come in. */
export interface IncomingBody {
  /** Takes bytes from the connection; answers how many belong to this body. */
  push(bytes: Uint8Array): number;
  /** The client sends nothing more. */
  end(): void;
  /** All bytes of the body have been taken. */
  readonly isComplete: boolean;
  /** The coding is broken, or the client has gone: Go's message. */
  readonly error: string | undefined;
  /** Resolves when the body is complete, broken, or longer than `limit`. */
  read(limit: number): Promise<BodyRead>;
  /** Bytes are wanted: somebody reads, and has not had enough. */
  readonly isWanted: boolean;
}

/** A body in one of HTTP/1's framings; bytes wait in memory until they are read. */
export function createIncomingBody(framing: BodyFraming): IncomingBody {
  let parts: Uint8Array[] = [];
  let length = 0;
  let remaining = framing.type === 'length' ? framing.length : 0;
  let ended = false;
  let limit = 0;
  let finish: ((read: BodyRead) => void) | undefined;
  const keep = (bytes: Uint8Array): void => {
    parts.push(bytes);
    length += bytes.length;
  };
  const chunked = framing.type === 'chunked' ? createChunkedReader(keep) : undefined;
  const isComplete = (): boolean => (chunked === undefined ? remaining === 0 : chunked.done);
  const error = (): string | undefined => chunked?.error ?? (ended && !isComplete() ? 'unexpected EOF' : undefined);

  const settle = (): void => {
    if (finish === undefined || !(isComplete() || error() !== undefined || length > limit)) return;
    const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    const reading = finish;
    finish = undefined;
    parts = [];
    // What follows the limit is not wanted: a reader of the rest starts at zero.
    const isWhole = isComplete() && length <= limit;
    reading({ bytes: bytes.subarray(0, limit), complete: isWhole, ...(length > limit ? {} : { error: error() }) });
    length = 0;
  };

  return {
    push(bytes) {
      const taken = chunked === undefined ? Math.min(bytes.length, remaining) : chunked.push(bytes);
      if (chunked === undefined && taken > 0) {
        remaining -= taken;
        keep(taken === bytes.length ? bytes : bytes.subarray(0, taken));
      }
      settle();
      return taken;
    },
    end() {
      ended = true;
      settle();
    },
    get isComplete() {
      return isComplete();
    },
    get error() {
      return error();
    },
    get isWanted() {
      return finish !== undefined;
    },
    read(most) {
      return new Promise(resolve => {
        limit = most;
        finish = resolve;
        settle();
      });
    },
  };
}
