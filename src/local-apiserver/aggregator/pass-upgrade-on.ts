import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { canonicalHeaderName } from '../../go/header-name.js';
import type { BackendCall, BackendResponse, CallBackend } from '../../kubernetes/backend-call.js';
import { type HttpReply, plainReply } from '../http/exchange.js';

/** Passes a request for another protocol on to the service of an APIService. */
export async function passUpgradeOn(call: BackendCall, callBackend: CallBackend): Promise<HttpReply> {
  const reply = await tryUpgrade(call, callBackend);
  return 'failure' in reply ? plainReply(reply.isUnsent ? 500 : 503, `${reply.failure}\n`) : reply;
}

/** Go's error of a request for another protocol. */
export interface FailedUpgrade {
  readonly failure: string;
  /** Whether no server can be asked. */
  readonly isUnsent: boolean;
}

/** Passes a request for another protocol on; the bytes of both sides then go through. Source: apimachinery util/proxy upgradeaware.go tryUpgrade. */
export async function tryUpgrade(call: BackendCall, callBackend: CallBackend): Promise<HttpReply | FailedUpgrade> {
  const hasLength = call.method === 'POST' || call.method === 'PUT' || call.method === 'PATCH';
  const answer = await callBackend({ ...call, isUpgrade: true, body: hasLength ? new Uint8Array() : undefined });
  if (answer.outcome === 'failed') {
    const { stage, message } = answer;
    return { failure: `${stage === 'connection' ? 'error dialing backend: ' : ''}${message}`, isUnsent: stage === 'transport' };
  }
  if (answer.statusCode !== 101 && answer.statusCode < 400) {
    answer.release();
    return { failure: `invalid upgrade response: status code ${answer.statusCode}`, isUnsent: false };
  }
  return { status: answer.statusCode, headers: [], body: '', takeOver: (_, socket) => void join(socket, answer) };
}

/** Writes the response, then passes bytes on until one side ends. */
async function join(socket: Duplex, answer: BackendResponse): Promise<void> {
  const { statusCode, read, write, release } = answer;
  socket.on('close', release);
  socket.on('error', release);
  socket.on('end', release);
  const lines = linesOf(answer)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.write(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\n${lines}\r\n`, 'latin1');
  if (statusCode === 101) socket.on('data', write);
  try {
    for (let bytes = await read(); bytes !== undefined; bytes = await read())
      if (!socket.write(bytes)) await new Promise<void>(resolve => socket.once('drain', resolve).once('close', resolve));
  } catch {
    // The other server's connection broke: the client's ends, too.
  }
  socket.end();
  release();
}

/** A switch is passed on as it came; Go writes other responses anew, the length first. Source: Go net/http Response.Write. */
function linesOf({ statusCode, header }: BackendResponse): BackendResponse['header'] {
  if (statusCode === 101) return header;
  const fields = header.map(([name, value]) => [canonicalHeaderName(name), value] as const);
  const length = fields.filter(([name]) => name === 'Content-Length');
  const others = fields.filter(([name]) => !/^(?:Content-Length|Transfer-Encoding|Connection)$/.test(name));
  const end = length.length === 0 ? [['Connection', 'close'] as const] : length;
  return [...end, ...others.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))];
}
