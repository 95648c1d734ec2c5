import { forLastText } from '../../go/once.js';
import type { HttpResponse } from './message.js';

/** Framing of one HTTP/1 response. */
export interface AnswerFraming {
  readonly version: 10 | 11;
  readonly method: string;
  readonly close: boolean;
}

/** Returns the bytes of an answer as text. Source: net/http response.finishRequest. */
export function responseText(response: HttpResponse, { version, method, close }: AnswerFraming): string {
  const { status, headers, body } = response;
  let head = `HTTP/1.${version - 10} ${status} ${statusLineText(status)}\r\n`;
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  head += `Date: ${httpDate()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  if (close && version === 11) head += 'Connection: close\r\n';
  if (!close && version === 10) head += 'Connection: keep-alive\r\n';
  return method === 'HEAD' ? `${head}\r\n` : `${head}\r\n${body}`;
}

/** Returns the current time in HTTP format; cached for a second. */
export function httpDate(): string {
  return dateOf(`${Math.floor(Date.now() / 1000)}`);
}

const dateOf = forLastText(second => new Date(Number(second) * 1000).toUTCString());

const statusTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  307: 'Temporary Redirect',
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  500: 'Internal Server Error',
};

/** Source: net/http StatusText. */
export function statusLineText(status: number): string {
  return statusTexts[status] ?? `status code ${status}`;
}
