import type { Duplex } from 'node:stream';
import type { ConnectionDeadlines } from './deadlines.js';
import { ConnectionAborted, type HttpHandler, type HttpRequest, type HttpResponse } from './message.js';
import { createIncomingBody, type IncomingBody } from './request-body.js';
import { parseFields, parseRequestLine, RefusedRequest, type RequestFields, type RequestLine, requestRefusal } from './request-head.js';
import { responseText } from './write-response.js';

/** Served HTTP/1 connection. */
export interface ServedConnection {
  /** Closes the connection after the answer to the running request, if any. */
  close(): void;
}

export interface ConnectionOptions {
  readonly handle: HttpHandler;
  readonly deadlines: ConnectionDeadlines;
  /** Called when a handler fails with an error other than ConnectionAborted. */
  readonly onFault: (error: unknown) => void;
}

/** Go's limit of the head: the server's 1 MiB and the size of one buffer. */
const maxHeadBytes = 1024 * 1024 + 4096;
/** Max bytes that Go's server reads of an unread body to keep the connection. */
const maxUnreadBytes = 256 * 1024;
const readHeaderMs = 32_000;
const idleMs = 90_000;
/** Delay before Go closes a connection whose client may still be sending. */
const lingerMs = 500;

/** Serves HTTP/1 on a connection like Go's server: its limits, timeouts and error messages. Source: net/http conn.serve. */
export function serveConnection(socket: Duplex, options: ConnectionOptions): ServedConnection {
  const connection = new Http1Connection(socket, options);
  return { close: () => connection.shutDown() };
}

const lineFeed = 0x0a;

class Http1Connection {
  private pending: Buffer = Buffer.alloc(0);
  private searchedTo = 0;
  private line: RequestLine | undefined;
  private lineEnd = 0;
  private body: IncomingBody | undefined;
  private isBusy = false;
  private isClosing = false;
  private hasEnded = false;
  private lastMethod = '';

  constructor(
    private readonly socket: Duplex,
    private readonly options: ConnectionOptions,
  ) {
    this.expect(readHeaderMs);
    socket.on('data', (bytes: Buffer) => this.take(bytes));
    socket.on('end', () => this.clientEnded());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      options.deadlines.delete(socket);
      this.body?.end();
    });
  }

  shutDown(): void {
    this.isClosing = true;
    if (!this.isBusy && this.pending.length === 0) this.socket.destroy();
  }

  private expect(ms: number): void {
    this.options.deadlines.set(this.socket, ms);
  }

  private take(bytes: Buffer): void {
    if (this.body !== undefined && this.pending.length === 0) {
      const taken = this.body.push(bytes);
      this.pending = taken === bytes.length ? this.pending : bytes.subarray(taken);
      if (this.body !== undefined && !this.body.isWanted && !this.body.isComplete) this.socket.pause();
      return;
    }
    if (this.pending.length === 0 && !this.isBusy && this.line === undefined) this.expect(readHeaderMs);
    this.pending = this.pending.length === 0 ? bytes : Buffer.concat([this.pending, bytes]);
    if (this.isBusy) this.socket.pause();
    else this.readHead();
  }

  private clientEnded(): void {
    this.hasEnded = true;
    this.body?.end();
    if (this.isBusy) return;
    if (this.pending.length === 0) this.socket.end();
    else this.refuse(new RefusedRequest('400 Bad Request'));
  }

  /** Starts a request once its head is complete. */
  private readHead(): void {
    try {
      this.skipLineEnds();
      this.readLine();
      const end = this.endOfHead();
      if (end < 0) {
        if (this.pending.length >= maxHeadBytes) throw new RefusedRequest('431 Request Header Fields Too Large');
        return;
      }
      if (end > maxHeadBytes) throw new RefusedRequest('431 Request Header Fields Too Large');
      const { line } = this;
      if (line === undefined) return;
      const text = this.pending.toString('latin1', this.lineEnd, end);
      const fields = parseFields(linesOf(text), line);
      this.pending = this.pending.subarray(end);
      this.line = undefined;
      this.searchedTo = 0;
      void this.serve(line, fields);
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      this.refuse(error);
    }
  }

  private refuse(error: RefusedRequest): void {
    this.socket.write(requestRefusal(error));
    this.linger();
  }

  /** Skips up to four line ends after a POST body, which old clients send and Go accepts. */
  private skipLineEnds(): void {
    if (this.lastMethod !== 'POST' || this.line !== undefined || this.searchedTo > 0) return;
    let at = 0;
    while (at < 4 && (this.pending[at] === 0x0d || this.pending[at] === lineFeed)) at += 1;
    if (at > 0) this.pending = this.pending.subarray(at);
  }

  private readLine(): void {
    if (this.line !== undefined) return;
    const end = this.pending.indexOf(lineFeed);
    if (end < 0) return;
    this.line = parseRequestLine(this.pending.toString('latin1', 0, end).replace(/\r$/, ''));
    this.lineEnd = end + 1;
    this.searchedTo = end;
  }

  /** Returns the end of the empty line after the head; -1 while it is missing. */
  private endOfHead(): number {
    if (this.line === undefined) return -1;
    for (let at = this.searchedTo; ; ) {
      const next = this.pending.indexOf(lineFeed, at);
      if (next < 0) return -1;
      this.searchedTo = next;
      if (this.pending[next + 1] === lineFeed) return next + 2;
      if (this.pending[next + 1] === 0x0d && this.pending[next + 2] === lineFeed) return next + 3;
      if (next + 2 >= this.pending.length) return -1;
      at = next + 1;
    }
  }

  private async serve(line: RequestLine, fields: RequestFields): Promise<void> {
    this.isBusy = true;
    this.lastMethod = line.method;
    this.options.deadlines.delete(this.socket);
    const body = createIncomingBody(fields.framing);
    this.body = body;
    if (this.hasEnded) body.end();
    this.feedBody();
    const request: HttpRequest = {
      method: line.method,
      url: line.url,
      target: line.target,
      headers: fields.headers,
      hasBody: fields.framing.type !== 'none',
      readBody: limit => this.readBody(limit, fields, line),
    };
    let response: HttpResponse;
    try {
      const answer = fields.expects === 'unknown' ? expectationFailed : this.options.handle(request);
      response = answer instanceof Promise ? await answer : answer;
    } catch (error) {
      if (!(error instanceof ConnectionAborted)) this.options.onFault(error);
      this.socket.destroy();
      return;
    }
    const isDrained = body.isComplete || (await this.drain(body, fields));
    this.answer(response, { line, close: fields.close || !isDrained || response.close === true });
  }

  private readBody(limit: number, fields: RequestFields, { version }: RequestLine) {
    const { body } = this;
    if (body === undefined) return Promise.resolve({ bytes: new Uint8Array(), complete: true });
    if (fields.expects === 'continue' && version === 11 && fields.framing.type !== 'none')
      this.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    const reading = body.read(limit);
    this.resume();
    return reading;
  }

  private feedBody(): void {
    if (this.body === undefined || this.pending.length === 0) return;
    const taken = this.body.push(this.pending);
    this.pending = this.pending.subarray(taken);
  }

  /** Reads the rest of the body; returns false when it is too long to keep the connection, or invalid. */
  private async drain(body: IncomingBody, fields: RequestFields): Promise<boolean> {
    if (fields.expects === 'continue' || body.error !== undefined) return false;
    const reading = body.read(maxUnreadBytes);
    this.resume();
    return (await reading).complete;
  }

  /** Resuming a socket that flows would cost a tick. */
  private resume(): void {
    if (this.socket.isPaused()) this.socket.resume();
  }

  private answer(response: HttpResponse, { line, close }: { readonly line: RequestLine; readonly close: boolean }): void {
    const ends = close || this.isClosing;
    if (this.socket.destroyed) return;
    this.socket.write(responseText(response, { version: line.version, method: line.method, close: ends }));
    this.isBusy = false;
    const isComplete = this.body?.isComplete ?? true;
    this.body = undefined;
    if (ends) {
      if (isComplete) this.socket.end();
      else this.linger();
      return;
    }
    this.expect(this.pending.length > 0 ? readHeaderMs : idleMs);
    this.resume();
    if (this.pending.length > 0) this.readHead();
    else if (this.hasEnded) this.socket.end();
  }

  /** Half-closes the connection, and reads for a moment what the client still sends: a reset could lose the answer. */
  private linger(): void {
    this.isBusy = true;
    this.pending = Buffer.alloc(0);
    this.socket.removeAllListeners('data');
    this.socket.resume();
    this.socket.end();
    this.expect(lingerMs);
  }
}

const expectationFailed: HttpResponse = { status: 417, headers: [], body: '', close: true };

/** Returns the lines of a head up to the empty one. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map(line => (line.endsWith('\r') ? line.slice(0, -1) : line));
  return lines.slice(0, lines.indexOf(''));
}
