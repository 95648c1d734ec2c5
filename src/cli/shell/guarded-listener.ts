import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { systemReason } from '../../files/system-reason.js';
import { oneLine } from '../../reports/printable.js';
import type { OutputStream } from './surroundings.js';

const maxShown = 100;

/** Returns a listener whose exceptions are answered with 500 and a line on stderr: no request ends the server. */
export function guardedListener(answer: RequestListener, stderr: Pick<OutputStream, 'write'>): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    try {
      answer(request, response);
    } catch (error) {
      const shown = oneLine(`${request.method ?? ''} ${(request.url ?? '').slice(0, maxShown)}`);
      stderr.write(`error: the request ${shown} failed: ${oneLine(systemReason(error))}\n`);
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    }
  };
}
