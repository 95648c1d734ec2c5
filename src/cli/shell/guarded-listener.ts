import type { EventEmitter } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { systemReason } from '../../files/system-reason.js';
import { oneLine } from '../../writers/printable.js';
import type { OutputStream } from './surroundings.js';

const maxShown = 100;

/** Returns a listener whose exceptions are answered with 500 and a line on stderr: no request ends the server. */
export function guardedListener(answer: RequestListener, stderr: Pick<OutputStream, 'write'>): RequestListener {
  // What it calls is loaded now: with too many open files, nothing can be loaded when it is needed.
  sentenceFor({}, new Error());
  return (request: IncomingMessage, response: ServerResponse) => {
    try {
      answer(request, response);
    } catch (error) {
      stderr.write(sentenceFor(request, error));
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    }
  };
}

function sentenceFor({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>, error: unknown): string {
  return `error: the request ${oneLine(`${method} ${url.slice(0, maxShown)}`)} failed: ${oneLine(systemReason(error))}\n`;
}

/** Goes on after connections that cannot be accepted, with one line on stderr for all: the system closes those beyond its limit of open files. */
export function keepAccepting(server: Pick<EventEmitter, 'on'>, stderr: Pick<OutputStream, 'write'>): void {
  let isTold = false;
  server.on('error', error => {
    if (!isTold) stderr.write(`error: a connection cannot be accepted: ${oneLine(systemReason(error))}\n`);
    isTold = true;
  });
}
