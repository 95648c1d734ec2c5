import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { gzipSync } from 'node:zlib';
import type { WatchFrame, WatchStream } from '../../apiserver/report/serving.js';
import { encodeByteString } from '../../go/byte-string.js';
import { detectContentType } from '../../go/detect-content-type.js';
import { memoize } from '../../kubernetes/memoize.js';
import { type Backlog, newEventQueue } from './event-queue.js';
import { bytesOfBody, gzipBytes, type HttpReply, isLargeBody, type PassedBody } from './exchange.js';

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

/** Sends a reply; resolves when it is written, or when the stream has ended. */
export async function sendReply(request: Request, response: Response, reply: HttpReply, backlog: Backlog): Promise<void> {
  if (reply.status === 0) {
    breakOff(request, response);
    return;
  }
  if (reply.stream !== undefined) return sendStream(request, response, { ...reply, stream: reply.stream }, backlog);
  if (reply.passedOn !== undefined) return sendPassedOn(request, response, { ...reply, passedOn: reply.passedOn });
  const zipped = isZipped(request, reply);
  const body = zipped ? zip(reply.body) : bytesOfBody(reply.body);
  const isBodyless = reply.status === 204 || reply.status === 304;
  const headers = [
    ...reply.headers.filter(([name]) => reply.status !== 204 || name !== 'Content-Type'),
    ...(zipped ? [['Content-Encoding', 'gzip'] as const, ['Vary', 'Accept-Encoding'] as const] : []),
    // Without a body nothing says how long that of a GET is.
    ...(isBodyless || (request.method === 'HEAD' && body.length === 0) ? [] : [['Content-Length', String(body.length)] as const]),
  ];
  writeHead(response, reply.status, headers);
  response.end(request.method === 'HEAD' || isBodyless ? '' : body);
  if (!request.readableEnded) readRest(request, response);
}

/** Max bytes of an unread body to skip in order to keep the connection. Source: Go net/http server.go maxPostHandlerReadBytes. */
const maxSkippedBytes = 256 * 1024;

/** Skips the rest of a body, which would be parsed as the next request; ends the connection, or the HTTP/2 stream, if it is too long. */
function readRest(request: Request, response: Response): void {
  let skipped = 0;
  request.on('data', (chunk: Buffer) => {
    skipped += chunk.length;
    if (skipped <= maxSkippedBytes) return;
    request.pause();
    const end = (): void => {
      if ('stream' in response) response.stream?.close();
      else request.socket.destroySoon();
    };
    if (response.writableFinished) end();
    else response.once('finish', end);
  });
  request.resume();
}

function isZipped({ headers, method }: Request, { status, body }: HttpReply): boolean {
  if (method !== 'GET' || status !== 200 || !isLongerThan(body, gzipBytes)) return false;
  const accepted = headers['accept-encoding'];
  return typeof accepted === 'string' && accepted.split(',').some(part => part.trim() === 'gzip');
}

function isLongerThan(body: HttpReply['body'], bytes: number): boolean {
  return isLargeBody(body) || (body.length * maxBytesPerUnit > bytes && Buffer.byteLength(body) > bytes);
}

/** Of a UTF-16 unit in UTF-8. */
const maxBytesPerUnit = 3;

function zip(body: HttpReply['body']): Uint8Array {
  return isLargeBody(body) ? body.zipped() : gzipSync(body, { level: 1 });
}

function writeHead(response: Response, status: number, headers: readonly (readonly [string, string])[]): void {
  const merged = new Map<string, string | string[]>();
  for (const [name, value] of headers) {
    // Node writes Latin-1.
    const text = encodeByteString(value);
    const before = merged.get(name);
    merged.set(name, before === undefined ? text : [before, text].flat());
  }
  for (const [name, value] of merged) response.setHeader(name, value);
  response.statusCode = status;
}

/** Returns events as one text, once for all watches that get them. */
const joinFrames = memoize((frames: readonly WatchFrame[]): WatchFrame => {
  const [first, ...others] = frames;
  return first !== undefined && others.length === 0 ? first : Buffer.concat(frames.map(frame => Buffer.from(frame)));
});

/** Sends a body as another server sends it. One that breaks breaks the connection. Source: Go net/http/httputil ReverseProxy. */
async function sendPassedOn(
  request: Request,
  response: Response,
  { status, headers, passedOn }: HttpReply & { readonly passedOn: PassedBody },
): Promise<void> {
  response.once('close', passedOn.release);
  try {
    const first = needsType({ status, headers }) ? await passedOn.read() : undefined;
    writeHead(response, status, first === undefined ? headers : [...headers, ['Content-Type', detectContentType(first)]]);
    sendHead(response, status);
    for (let bytes = first ?? (await passedOn.read()); bytes !== undefined && !response.closed; bytes = await passedOn.read())
      if (!(response as ServerResponse).write(bytes)) await awaitDrain(response);
    response.end();
    if (!request.readableEnded) readRest(request, response);
  } catch {
    breakOff(request, response);
  }
}

/** Reports whether the type of a body has to be guessed. Source: Go net/http server.go chunkWriter. */
function needsType({ status, headers }: Pick<HttpReply, 'status' | 'headers'>): boolean {
  return status >= 200 && status !== 204 && status !== 304 && !headers.some(([name]) => /^content-(?:type|encoding)$/i.test(name));
}

/** Ends the connection, or only the stream of HTTP/2, as Go's server does after a panic. */
function breakOff(request: Request, response: Response): void {
  if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else request.socket.destroy();
}

/** Waits until more can be sent, or the client has disconnected. */
function awaitDrain(response: Response): Promise<void> {
  return new Promise(resolve => {
    const settle = (): void => {
      response.off('drain', settle);
      response.off('close', settle);
      resolve();
    };
    response.on('drain', settle);
    response.on('close', settle);
  });
}

/** Sends the head immediately, because clients wait for it. */
function sendHead(response: Response, status: number): void {
  if ('flushHeaders' in response) response.flushHeaders();
  else response.stream.respond({ ':status': status, ...response.getHeaders() });
}

async function sendStream(
  request: Request,
  response: Response,
  { status, headers, stream }: HttpReply & { readonly stream: WatchStream },
  backlog: Backlog,
): Promise<void> {
  writeHead(response, status, headers);
  sendHead(response, status);
  const queue = newEventQueue((frames, written) => void (response as ServerResponse).write(joinFrames(frames), written), backlog);
  await new Promise<void>(resolve => {
    let stop: () => void = () => undefined;
    let isOver = false;
    const finish = (): void => {
      if (isOver) return;
      isOver = true;
      stop();
      queue.clear();
      resolve();
    };
    response.on('close', finish);
    const send = (frames: readonly WatchFrame[]): boolean => {
      if (isOver) return false;
      if (queue.send(frames)) return true;
      request.socket?.destroy();
      finish();
      return false;
    };
    const end = (): void => {
      if (isOver) return;
      stop();
      queue.finish(() => {
        response.end();
        finish();
      });
    };
    stop = stream.start({ send, end });
    if (isOver) stop();
  });
}
