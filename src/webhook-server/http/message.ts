import type { RequestTarget } from './request-target.js';

/** Header fields by lower-case name; values of equal names in the order received. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

/** Result of reading a request's body. `complete` is false when the body is longer than the limit. */
export interface BodyRead {
  readonly bytes: Uint8Array;
  readonly complete: boolean;
  /** Go's message for an unreadable body. */
  readonly error?: string | undefined;
}

/** HTTP request, over any protocol version. */
export interface HttpRequest {
  readonly method: string;
  /** The request target as sent. */
  readonly url: string;
  readonly target: RequestTarget;
  readonly headers: HeaderFields;
  /** False when the request was complete with its head, as for Go's http.NoBody. */
  readonly hasBody: boolean;
  /** Reads at most `limit` bytes of the body; called once. */
  readBody(limit: number): Promise<BodyRead>;
}

/** HTTP response. Date, Content-Length and connection headers are added when it is written. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** HTTP/1.1: whether the connection is closed after the response. */
  readonly close?: boolean;
}

/** Answers a request. Throws ConnectionAborted to end the connection, or the HTTP/2 stream, without an answer. */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** Thrown by a handler to end without an answer, as a panic of a Go HTTP handler. */
export class ConnectionAborted extends Error {
  override readonly name = 'ConnectionAborted';
}

/** Returns the first value of a header; '' when it is absent. */
export function headerOfMessage(headers: HeaderFields, name: string): string {
  return headers.get(name)?.[0] ?? '';
}

const plainText: readonly [string, string] = ['Content-Type', 'text/plain; charset=utf-8'];

/** Returns an error response like Go's http.Error, with a newline added. */
export function errorResponse(status: number, text: string): HttpResponse {
  return { status, headers: [plainText, ['X-Content-Type-Options', 'nosniff']], body: `${text}\n` };
}

/** Returns a response whose content type is detected as in Go: text without control characters is plain text. */
export function sniffedText(body: string): HttpResponse {
  return { status: 200, headers: body === '' ? [] : [plainText], body };
}
