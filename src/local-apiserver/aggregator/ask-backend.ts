import type { ValueMap } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import { type HttpReply, headerOfRequest } from '../http/exchange.js';
import { readPassedBody } from '../http/read-passed-body.js';
import { type Passing, passRequestOn } from './pass-on.js';

/** A question of this API server to the service of an APIService. */
export interface Question {
  readonly path: string;
  readonly user: UserInfo;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface BackendReply {
  readonly status: number;
  /** Of a header, in lower case; empty without one. */
  readonly header: (name: string) => string;
  readonly body: string;
}

/** Asks a service a question of this API server, whether or not the service is available. Status 503 where there is no answer. */
export async function askBackend(apiService: ValueMap, { path, user, headers }: Question, passing: Passing): Promise<BackendReply> {
  const request = { method: 'GET', url: path, headers, peer: undefined, body: () => Promise.resolve(new Uint8Array()) };
  const reply = await passRequestOn(apiService, { request, user, auditId: undefined }, { ...passing, deadlineMs: answerMs });
  const named = reply.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return { status: reply.status, header: name => headerOfRequest({ headers: named }, name) ?? '', body: await readText(reply) };
}

/** Source: kube-aggregator pkg/apiserver/handler_discovery.go. */
const answerMs = 5000;

/** Discovery of all groups of a large server has less than a megabyte. */
const maxBytes = 32 * 1024 * 1024;

/** Returns the body. Rejects if it breaks off, is too large, or does not end in time. */
async function readText({ body, passedOn }: HttpReply): Promise<string> {
  if (passedOn === undefined) return String(body);
  const end = Date.now() + answerMs;
  const timer = setTimeout(passedOn.release, answerMs);
  const whole = readPassedBody(passedOn, size => {
    if (size > maxBytes || Date.now() > end) throw new Error('a service does not end its answer');
  });
  return (await whole.finally(() => clearTimeout(timer))).toString('utf8');
}
