import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';

/** An API server to ask. */
export interface Target {
  readonly url: string;
  readonly token: string;
}

/** A reply as a client gets it. */
export interface Reply {
  readonly status: number;
  /** As received, in order. */
  readonly headers: readonly string[];
  readonly body: string;
}

export interface Sent {
  readonly body?: object | string | undefined;
  readonly headers?: readonly string[] | undefined;
}

/** Sends a request over HTTP/1.1 as an administrator; status 0 for a connection that the server closed. */
export function send(target: Target, method: string, path: string, { body, headers = [] }: Sent = {}): Promise<Reply> {
  return new Promise(resolve => {
    const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
    const named = [
      ['Host', new URL(target.url).host],
      ...(headers.some(header => /^authorization:/i.test(header)) ? [] : [['Authorization', `Bearer ${target.token}`]]),
      ...(text === undefined ? [] : [['Content-Length', String(Buffer.byteLength(text))]]),
      ...(typeof body === 'object' && !headers.some(header => /^content-type:/i.test(header))
        ? [['Content-Type', 'application/json']]
        : []),
      ...headers.map(header => [header.slice(0, header.indexOf(':')), header.slice(header.indexOf(':') + 1).trim()]),
    ].flat() as string[];
    const sent = request(target.url + path, { method, headers: named, rejectUnauthorized: false, agent: false }, response => {
      void readReply(response).then(resolve);
    });
    sent.on('error', () => resolve({ status: 0, headers: [], body: '' }));
    sent.end(text);
  });
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const headers: string[] = [];
  for (let i = 0; i + 1 < response.rawHeaders.length; i += 2) headers.push(`${response.rawHeaders[i]}: ${response.rawHeaders[i + 1]}`);
  let body = '';
  try {
    for await (const chunk of response) body += String(chunk);
  } catch {
    body += '<aborted>';
  }
  return { status: response.statusCode ?? 0, headers, body };
}
