import type { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { WatchFrame, WatchStream } from '../../apiserver/report/serving.js';
import { detectContentType } from '../../go/detect-content-type.js';
import { memoize } from '../../kubernetes/memoize.js';
import { type Backlog, newEventQueue } from './event-queue.js';
import { bytesOfBody, gzipBytes, type HttpReply, isLargeBody, type PassedBody } from './exchange.js';
import type { Responder } from './responder.js';

/** Sends a reply; resolves when it is written, or when the stream has ended. */
export async function sendReply(responder: Responder, reply: HttpReply, backlog: Backlog): Promise<void> {
  if (reply.status === 0) {
    responder.breakOff();
    return;
  }
  if (reply.endsSession === true) responder.endSession();
  if (reply.stream !== undefined) return sendStream(responder, { ...reply, stream: reply.stream }, backlog);
  if (reply.passedOn !== undefined) return sendPassedOn(responder, { ...reply, passedOn: reply.passedOn });
  const { method, response } = responder;
  const zipped = isZipped(responder, reply);
  const body = zipped ? zip(reply.body) : bytesOfBody(reply.body);
  const isBodyless = reply.status === 204 || reply.status === 304;
  const headers = [
    ...reply.headers.filter(([name]) => reply.status !== 204 || name !== 'Content-Type'),
    ...(zipped ? [['Content-Encoding', 'gzip'] as const, ['Vary', 'Accept-Encoding'] as const] : []),
    // Without a body nothing says how long that of a GET is.
    ...(isBodyless || (method === 'HEAD' && body.length === 0) ? [] : [['Content-Length', String(body.length)] as const]),
  ];
  responder.writeHead(reply.status, headers);
  response.end(method === 'HEAD' || isBodyless ? '' : body);
  skipRest(responder);
}

/** Max bytes of an unread body to skip in order to keep the connection. Source: Go net/http server.go maxPostHandlerReadBytes. */
const maxSkippedBytes = 256 * 1024;

/** Skips the rest of a body, which would be parsed as the next request; ends the connection, or the HTTP/2 stream, if it is too long. */
function skipRest({ request, response, isBodyless, endUnread }: Responder): void {
  if (isBodyless || request.readableEnded) return;
  let skipped = 0;
  request.on('data', (chunk: Buffer) => {
    skipped += chunk.length;
    if (skipped <= maxSkippedBytes) return;
    request.pause();
    if (response.writableFinished) endUnread();
    else response.once('finish', endUnread);
  });
  request.resume();
}

function isZipped({ acceptEncoding, method }: Responder, { status, body }: HttpReply): boolean {
  if (method !== 'GET' || status !== 200 || !isLongerThan(body, gzipBytes)) return false;
  return acceptEncoding?.split(',').some(part => part.trim() === 'gzip') === true;
}

function isLongerThan(body: HttpReply['body'], bytes: number): boolean {
  return isLargeBody(body) || (body.length * maxBytesPerUnit > bytes && Buffer.byteLength(body) > bytes);
}

/** Of a UTF-16 unit in UTF-8. */
const maxBytesPerUnit = 3;

function zip(body: HttpReply['body']): Uint8Array {
  return isLargeBody(body) ? body.zipped() : gzipSync(body, { level: 1 });
}

/** Returns events as one text, once for all watches that get them. */
const joinFrames = memoize((frames: readonly WatchFrame[]): WatchFrame => {
  const [first, ...others] = frames;
  return first !== undefined && others.length === 0 ? first : Buffer.concat(frames.map(frame => Buffer.from(frame)));
});

/** Sends a body as another server sends it. One that breaks breaks the connection. Source: Go net/http/httputil ReverseProxy. */
async function sendPassedOn(
  responder: Responder,
  { status, headers, passedOn }: HttpReply & { readonly passedOn: PassedBody },
): Promise<void> {
  const { response } = responder;
  response.once('close', passedOn.release);
  try {
    const first = needsType({ status, headers }) ? await passedOn.read() : undefined;
    responder.writeHead(status, first === undefined ? headers : [...headers, ['Content-Type', detectContentType(first)]]);
    responder.flushHead();
    for (let bytes = first ?? (await passedOn.read()); bytes !== undefined && !response.closed; bytes = await passedOn.read())
      if (!response.write(bytes)) await awaitDrain(response);
    response.end();
    skipRest(responder);
  } catch {
    responder.breakOff();
  }
}

/** Reports whether the type of a body has to be guessed. Source: Go net/http server.go chunkWriter. */
function needsType({ status, headers }: Pick<HttpReply, 'status' | 'headers'>): boolean {
  return status >= 200 && status !== 204 && status !== 304 && !headers.some(([name]) => /^content-(?:type|encoding)$/i.test(name));
}

/** Waits until more can be sent, or the client has disconnected. */
function awaitDrain(response: Writable): Promise<void> {
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

async function sendStream(
  responder: Responder,
  { status, headers, stream }: HttpReply & { readonly stream: WatchStream },
  backlog: Backlog,
): Promise<void> {
  const { response } = responder;
  responder.writeHead(status, headers);
  // Clients wait for the head.
  responder.flushHead();
  const queue = newEventQueue((frames, written) => void response.write(joinFrames(frames), written), backlog);
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
      responder.disconnect();
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
