import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { systemReason } from '../../../files/system-reason.js';
import { oneLine } from '../../../writers/printable.js';
import type { OutputStream } from '../../shell/surroundings.js';

/** Answer to what a page sends. */
export interface Received {
  readonly status: number;
  readonly body: object;
}

/** Takes the JSON that a page sends; undefined if it sent none. */
export type TakeJson = (value: unknown) => Promise<Received>;

/** The API server accepts objects of 3 MiB, which are longer as a text in JSON. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Returns a listener that takes the JSON which the page itself sends, one at a time, and answers with JSON. A page of another site cannot send it: its browser names another
 * origin, and asks for permission because of the content type.
 */
export function jsonReceiver(take: TakeJson, stderr: Pick<OutputStream, 'write'>): RequestListener {
  let isBusy = false;
  const receive = async (request: IncomingMessage): Promise<Received> => {
    const body = await readBody(request);
    if (body === undefined) return { status: 413, body: { error: 'the call is too long: at most 8 MiB' } };
    if (isBusy) return { status: 409, body: { error: 'another call is in progress: wait for its answer' } };
    isBusy = true;
    try {
      return await take(jsonIn(body));
    } finally {
      isBusy = false;
    }
  };
  return (request, response) => {
    const refusal = refusalOf(request);
    if (refusal !== undefined) return answer(response, refusal);
    receive(request)
      .catch((error: unknown): Received => {
        stderr.write(`error: a call of the page failed: ${oneLine(systemReason(error))}\n`);
        return { status: 500, body: { error: 'the call failed: the terminal shows why' } };
      })
      .then(received => answer(response, received));
  };
}

function refusalOf({ headers }: IncomingMessage): Received | undefined {
  const { origin, host, 'content-type': type, 'sec-fetch-site': site } = headers;
  const isOwn = origin === `http://${host}` && (site === undefined || site === 'same-origin');
  if (!isOwn) return { status: 403, body: { error: 'not a request of the page' } };
  return type === 'application/json' ? undefined : { status: 415, body: { error: 'expected application/json' } };
}

/** Returns the body; undefined if it is too long. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function answer(response: ServerResponse, { status, body }: Received): void {
  // What is left of a refused body is not read.
  if (status === 403 || status === 413 || status === 415) response.setHeader('Connection', 'close');
  response.setHeader('Content-Type', 'application/json');
  response.statusCode = status;
  response.end(JSON.stringify(body));
}
