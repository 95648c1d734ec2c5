import { createChunkedReader } from '../webhook-server/http/chunked-body.js';
import { isAmbiguous, type MessageHead } from './is-ambiguous.js';

/** One HTTP/1 message as it was received. */
export interface HttpMessage extends MessageHead {
  /** Without framing; undefined if longer than `maxBodyBytes`. */
  readonly body: Buffer | undefined;
}

/** Observes one direction of a connection; the bytes are forwarded elsewhere. */
export interface MessageReader {
  push(bytes: Buffer): void;
  /** Called at the end of the stream, which ends a response without a length. */
  end(): void;
}

export interface MessageOptions {
  readonly onMessage: (message: HttpMessage) => void;
  /** Called when the first bytes of a message arrive. */
  readonly onStart?: () => void;
  /** For responses: reports whether this one has no body regardless of its headers, such as a response to HEAD. */
  readonly isBodiless?: () => boolean;
  /** Called once at data that is not HTTP/1, or a request of which servers do not agree where it ends. */
  readonly onLost?: () => void;
  readonly type: 'request' | 'response';
}

/** Reviews have at most a few megabytes. */
const maxBodyBytes = 32 * 1024 * 1024;
const maxHeadBytes = 256 * 1024;

/** Returns a message reader. At data that is not HTTP/1, and at ambiguous requests, it stops without an error: the connection continues unobserved. */
export function createMessageReader(options: MessageOptions): MessageReader {
  let pending: Buffer = Buffer.alloc(0);
  let message: { readonly head: MessageHead; readonly body: BodySink } | undefined;
  let isLost = false;
  const lose = (): void => {
    isLost = true;
    options.onLost?.();
  };

  const finish = (): void => {
    if (message === undefined) return;
    const { head, body } = message;
    message = undefined;
    options.onMessage({ ...head, body: body.bytes() });
  };
  /** Returns the remaining bytes; undefined if more are needed. */
  const step = (bytes: Buffer): Buffer | undefined => {
    if (message === undefined) {
      const end = endOfHead(bytes);
      if (end < 0) {
        if (bytes.length > maxHeadBytes) lose();
        return undefined;
      }
      const head = headOf(bytes.toString('latin1', 0, end));
      const framing = head === undefined ? undefined : framingOf(head, options);
      if (head === undefined || framing === undefined) {
        lose();
        return undefined;
      }
      // An informational response precedes the final one.
      if (framing !== 'informational') message = { head, body: bodySink(framing) };
      if (message?.body.isComplete() === true) finish();
      return bytes.subarray(end);
    }
    const used = message.body.push(bytes);
    if (used === undefined) {
      lose();
      return undefined;
    }
    if (message.body.isComplete()) finish();
    return bytes.subarray(used);
  };
  return {
    push(bytes) {
      if (isLost) return;
      if (message === undefined && pending.length === 0) options.onStart?.();
      let rest: Buffer = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
      pending = Buffer.alloc(0);
      while (rest.length > 0 && !isLost) {
        const next = step(rest);
        if (next === undefined) {
          pending = rest;
          return;
        }
        rest = next;
      }
    },
    end() {
      if (message?.body.endsWithStream === true) finish();
    },
  };
}

function endOfHead(bytes: Buffer): number {
  const end = bytes.indexOf('\r\n\r\n');
  return end < 0 ? -1 : end + 4;
}

function headOf(text: string): MessageHead | undefined {
  const [start = '', ...lines] = text.trimEnd().split('\r\n');
  if (!/^(?:HTTP\/1\.[01] \d{3}|[A-Z]+ \S+ HTTP\/1\.[01]$)/.test(start)) return undefined;
  const headers = lines.map(line => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(colon, 0)), line.slice(colon + 1).trim()] as const;
  });
  return { start, headers };
}

type Framing = 'informational' | 'chunked' | 'stream' | number;

/** Undefined if the connection switches protocols, and for a request that is ambiguous. */
function framingOf({ start, headers }: MessageHead, { type, isBodiless }: MessageOptions): Framing | undefined {
  if (type === 'request' && isAmbiguous({ start, headers })) return undefined;
  const status = type === 'response' ? Number(start.slice(9, 12)) : 0;
  if (status === 101) return undefined;
  if (type === 'response' && status < 200) return 'informational';
  if (status === 204 || status === 304 || isBodiless?.() === true) return 0;
  const values = (name: string): string[] => headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);
  if (values('transfer-encoding').some(value => /\bchunked$/i.test(value))) return 'chunked';
  const [length] = values('content-length');
  if (length !== undefined) return /^\d+$/.test(length) ? Number(length) : undefined;
  return type === 'request' ? 0 : 'stream';
}

/** Collects a body. */
interface BodySink {
  /** Returns the number of bytes that belong to it; undefined if its encoding is invalid. */
  push(bytes: Buffer): number | undefined;
  isComplete(): boolean;
  bytes(): Buffer | undefined;
  readonly endsWithStream: boolean;
}

function bodySink(framing: Exclude<Framing, 'informational'>): BodySink {
  const parts: Uint8Array[] = [];
  let length = 0;
  const keep = (bytes: Uint8Array): void => {
    length += bytes.length;
    if (length <= maxBodyBytes) parts.push(bytes);
    else parts.length = 0;
  };
  const chunked = framing === 'chunked' ? createChunkedReader(keep) : undefined;
  const left = (): number => (typeof framing === 'number' ? framing - length : Number.POSITIVE_INFINITY);
  return {
    push(bytes) {
      if (chunked !== undefined) {
        const used = chunked.push(bytes);
        return chunked.error === undefined ? used : undefined;
      }
      const used = Math.min(bytes.length, left());
      keep(used === bytes.length ? bytes : bytes.subarray(0, used));
      return used;
    },
    isComplete: () => (chunked === undefined ? left() === 0 : chunked.done),
    bytes: () => (length > maxBodyBytes ? undefined : Buffer.concat(parts)),
    endsWithStream: framing === 'stream',
  };
}
