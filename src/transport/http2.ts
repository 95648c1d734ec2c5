import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { Readable } from 'node:stream';
import { quoteByteString } from '../go/byte-string.js';
import { setOwnMember } from '../go/own-members.js';
import { requestUri } from '../go/url/url.js';
import { type Deadline, sleep } from './deadline.js';
import type { Http2Wire } from './handshake.js';
import { type HttpExchanger, type Response, unpacked } from './http-connection.js';
import { createInbox, type Inbox } from './inbox.js';
import { hostHeader, isStreamed, sentHeader, type TransportRequest } from './request.js';
import { type Header, headerValues } from './response-head.js';
import { asTransportError, TransportError, unexpectedEndOfStream } from './transport-error.js';

/**
 * HTTP/2 over a TLS socket that has negotiated it. Used for loopback URLs only: for others the API server offers just HTTP/1.1. Source of
 * the messages: golang.org/x/net/http2.
 */
export function http2Connection({ socket, wire, ended, failure }: Http2Wire): HttpExchanger {
  const state: State = {
    goAway: undefined,
    ended: undefined,
    isWireEnded: false,
    streams: new Map(),
    connectionError: () => failure() ?? unexpectedEndOfStream(),
  };
  const session = connect('https://localhost', { createConnection: () => socket, settings: { enablePush: false } });
  session.on('goaway', (code, lastStream, debug) => {
    state.goAway ??= { code, lastStream, debug: debug === undefined ? '' : Buffer.from(debug).toString('latin1') };
  });
  session.on('error', error => endAll(state, goAwayError(state) ?? failure(error) ?? unexpectedEndOfStream()));
  // Node does not see the end of a stream that it does not own; earlier bytes are still on their way.
  ended.then(() => {
    state.isWireEnded = true;
    setImmediate(() => session.destroy());
  });
  session.on('close', () => endAll(state, goAwayError(state) ?? state.connectionError()));

  let limit = initialStreams;
  session.once('remoteSettings', settings => {
    limit = Math.min(settings.maxConcurrentStreams ?? maxStreams, maxStreams);
  });
  return useOf({ session, state, wire, limit: () => limit, users: 0 });
}

/** Max requests at a time: before the server's settings, and without a limit in them. Source: x/net/http2 transport.go. */
const [initialStreams, maxStreams] = [100, 1000];

interface Connection {
  readonly session: ClientHttp2Session;
  readonly state: State;
  readonly wire: Http2Wire['wire'];
  readonly limit: () => number;
  users: number;
}

/** Returns one use of a connection, for one request at a time. */
function useOf(connection: Connection): HttpExchanger {
  const { session, state, wire } = connection;
  const own = new Set<ClientHttp2Stream>();
  const isQuiet = (): boolean => state.ended === undefined && state.goAway === undefined && !session.closed && !session.destroyed;
  let isLeft = false;
  connection.users += 1;
  const leave = (): void => {
    if (!isLeft) connection.users -= 1;
    isLeft = true;
  };
  return {
    async roundTrip(request, bounds) {
      for (let retries = 0; ; retries += 1) {
        try {
          return unpacked(await open(connection, own, request), request, bounds);
        } catch (error) {
          if (!isRefusal(asTransportError(error)) || retries > maxRetries) throw error;
          await pause(retries, bounds.deadline);
        }
      }
    },
    isQuiet,
    hold: held => void (held ? wire.socket.ref() : wire.socket.unref()),
    destroy(reason) {
      leave();
      const error = reason ?? unexpectedEndOfStream();
      if (connection.users > 0) {
        for (const stream of own) state.streams.get(stream)?.(error);
        for (const stream of own) stream.close(constants.NGHTTP2_CANCEL);
        return;
      }
      endAll(state, error);
      session.destroy();
      wire.socket.destroy();
    },
    shared: {
      join: () => (isQuiet() && connection.users < connection.limit() ? useOf(connection) : undefined),
      leave: () => {
        if (connection.users === 1 && !isLeft) return false;
        leave();
        return true;
      },
    },
  };
}

interface State {
  goAway: { readonly code: number; readonly lastStream: number; readonly debug: string } | undefined;
  ended: TransportError | undefined;
  isWireEnded: boolean;
  /** Callbacks of pending streams. */
  readonly streams: Map<ClientHttp2Stream, (error: TransportError) => void>;
  /** Returns why the connection ended. */
  connectionError(): TransportError;
}

function endAll(state: State, error: TransportError): void {
  state.ended ??= error;
  for (const end of [...state.streams.values()]) end(state.ended);
}

function goAwayError({ goAway }: State): TransportError | undefined {
  if (goAway === undefined) return undefined;
  const { code, lastStream, debug } = goAway;
  const details = `LastStreamID=${lastStream}, ErrCode=${codeName(code)}, debug=${quoteByteString(debug)}`;
  return new TransportError('http', `http2: server sent GOAWAY and closed the connection; ${details}`);
}

/** A busy server has not processed the request. Source: x/net/http2 canRetryError. */
function isRefusal({ message }: TransportError): boolean {
  return /^stream error: stream ID \d+; (?:REFUSED_STREAM|PROTOCOL_ERROR; received from peer)/.test(message);
}

const maxRetries = 6;

/** Waits 0 s, then 1 s, 2 s, 4 s ... Source: x/net/http2 RoundTripOpt. */
async function pause(retries: number, deadline: Deadline): Promise<void> {
  if (retries > 0) await sleep(1_000 * 2 ** (retries - 1), deadline);
}

function open({ session, state }: Connection, own: Set<ClientHttp2Stream>, request: TransportRequest): Promise<Response> {
  const lost = () => (state.isWireEnded || session.destroyed ? state.connectionError() : undefined);
  return new Promise((resolve, reject) => {
    if (state.ended !== undefined) return reject(state.ended);
    // Node tells later, by an event, that the session has ended.
    if (session.closed || session.destroyed) return reject(goAwayError(state) ?? state.connectionError());
    const stream = session.request(outgoing(request), { endStream: request.body === undefined });
    const inbox = createInbox();
    let isAnswered = false;
    let isComplete = false;
    let missing = Number.NaN;
    const end = (error: TransportError | undefined): void => {
      state.streams.delete(stream);
      inbox.end(error);
      if (error !== undefined) reject(error);
    };
    state.streams.set(stream, end);
    own.add(stream);
    // The types lack the third argument: names and values as received.
    stream.on('response', (headers: IncomingHttpHeaders, flags: number, raw?: readonly string[]) => {
      const header = raw === undefined ? [] : fieldsOf(raw);
      isAnswered = true;
      missing = announcedLength(header) ?? Number.NaN;
      resolve(
        responseOf(Number(headers[':status'] ?? 0), header, {
          inbox,
          hasBody: (flags & endStreamFlag) === 0,
          isComplete: () => isComplete,
        }),
      );
    });
    stream.on('data', (bytes: Buffer) => {
      missing -= bytes.length;
      inbox.push(bytes);
    });
    stream.on('end', () => {
      // Node also ends a stream when it, or its connection, is reset.
      if (!isAnswered || stream.rstCode !== 0 || state.isWireEnded) return;
      isComplete = true;
      end(undefined);
    });
    stream.on('error', () => undefined);
    stream.on('close', () => {
      own.delete(stream);
      if (!isComplete) end(state.ended ?? goAwayError(state) ?? lengthError(stream, missing) ?? lost() ?? streamError(stream));
    });
    if (isStreamed(request.body))
      Readable.from(request.body.chunks)
        .on('error', () => stream.close(constants.NGHTTP2_CANCEL))
        .pipe(stream);
    else if (request.body !== undefined) stream.end(request.body);
  });
}

const endStreamFlag = 0x1;

function outgoing(request: TransportRequest): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    ':authority': hostHeader(request.hostHeader ?? request.url.host),
    ':method': request.method,
    ':path': requestUri(request.url),
    ':scheme': 'https',
  };
  const values = new Map<string, string[]>();
  for (const [name, value] of sentHeader(request)) values.set(name.toLowerCase(), [...(values.get(name.toLowerCase()) ?? []), value]);
  for (const [name, all] of values) setOwnMember(headers, name, all.length === 1 ? all[0] : all);
  return headers;
}

function fieldsOf(raw: readonly string[]): Header {
  const fields: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (!name.startsWith(':')) fields.push([name, raw[at + 1] ?? '']);
  }
  return fields;
}

interface Incoming {
  readonly inbox: Inbox;
  readonly hasBody: boolean;
  isComplete(): boolean;
}

function responseOf(statusCode: number, header: Header, { inbox, hasBody, isComplete }: Incoming): Response {
  const contentLength = announcedLength(header) ?? (hasBody ? -1 : 0);
  return { statusCode, header, contentLength, body: { read: inbox.read }, isReusable: isComplete };
}

function announcedLength(header: Header): number | undefined {
  const [length = '', ...others] = headerValues(header, 'content-length');
  return others.length === 0 && /^\d+$/.test(length) ? Number(length) : undefined;
}

/** Node itself closes a stream whose body does not have the announced length. */
function lengthError({ rstCode }: ClientHttp2Stream, missing: number): TransportError | undefined {
  if (rstCode !== 1 || Number.isNaN(missing)) return undefined;
  if (missing > 0) return unexpectedEndOfStream();
  return new TransportError('body', 'net/http: server replied with more than declared Content-Length; truncated');
}

function streamError(stream: ClientHttp2Stream): TransportError {
  return new TransportError('http', `stream error: stream ID ${stream.id}; ${codeName(stream.rstCode ?? 0)}; received from peer`);
}

function codeName(code: number): string {
  return codeNames[code] ?? `unknown error code 0x${code.toString(16)}`;
}

/** Source: RFC 9113 7. */
const codeNames: readonly string[] = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];
