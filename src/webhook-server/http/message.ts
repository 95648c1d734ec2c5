import type { RequestTarget } from './request-target.js';

/** Header fields by lower-case name; values of equal names in the order received. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

/** Result of reading a request's body. `complete` is false when the body has more bytes than asked for. */
export interface BodyRead {
  readonly bytes: Uint8Array;
  readonly complete: boolean;
  /** Go's message for a body that cannot be read. */
  readonly error?: string | undefined;
}

/** One HTTP request, over whichever version of the protocol. */
export interface HttpRequest {
  readonly method: string;
  /** The request target as sent. */
  readonly url: string;
  readonly target: RequestTarget;
  readonly headers: HeaderFields;
  /** False: the request was complete with its head, as for Go's http.NoBody. */
  readonly hasBody: boolean;
  /** Reads at most `limit` bytes of the body; called once. */
  readBody(limit: number): Promise<BodyRead>;
}

/** The answer to a request. Date, Content-Length and connection headers are added when it is written. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** HTTP/1.1: the connection ends after the answer. */
  readonly close?: boolean;
}

/** Answers a request. Throws ConnectionAborted to end the connection, or the HTTP/2 stream, without an answer. */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** The handler gave up without an answer: Go's panic of an HTTP handler. */
export class ConnectionAborted extends Error {
  override readonly name = 'ConnectionAborted';
}

/** The first value of a header; '' when it is absent. */
export function headerOf(headers: HeaderFields, name: string): string {
  return headers.get(name)?.[0] ?? '';
}

const plainText: readonly [string, string] = ['Content-Type', 'text/plain; charset=utf-8'];

/** A text as Go's http.Error answers it: a newline is added. */
export function errorResponse(status: number, text: string): HttpResponse {
  return { status, headers: [plainText, ['X-Content-Type-Options', 'nosniff']], body: `${text}\n` };
}

/** A body whose type Go finds out by looking at it: text without control characters is plain text. */
export function sniffedText(body: string): HttpResponse {
  return { status: 200, headers: body === '' ? [] : [plainText], body };
}
