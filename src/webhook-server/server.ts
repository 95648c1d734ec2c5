import { writeValue } from '../go/json/write.js';
import { joinHostPort } from '../go/net/host-port.js';
import { isMap, stringAt, toValue, type Value } from '../go/value.js';
import { answerConversion, type ObjectConverter } from './answer-conversion.js';
import type { HandlerAnswer, HandlerCase } from './handler.js';
import { listen } from './http/listener.js';
import { ConnectionAborted, type HttpRequest, type HttpResponse, headerOfMessage } from './http/message.js';
import { NoReview, readReviewOf } from './read-review.js';

export interface ServerOptions {
  readonly handler: HandlerCase;
  /** Converter for ConversionReviews; without one they are not answered. */
  readonly convert?: ObjectConverter;
  /** PEM texts. */
  readonly cert: string;
  readonly key: string;
  /** Listen address. */
  readonly host: string;
  /** Port; 0 for any free one. */
  readonly port: number;
  /** Offers HTTP/2 besides HTTP/1.1; true by default. */
  readonly http2?: boolean;
}

export interface RunningServer {
  /** Origin, such as `https://127.0.0.1:41234`, to which the path of a phase is appended. */
  readonly origin: string;
  readonly port: number;
  /** Waits for running requests, for a second at most, and frees the port. */
  close(): Promise<void>;
}

/** Paths for the reviews of each phase. */
export const phasePaths = { mutating: '/mutate', validating: '/validate' } as const;

/** Path for ConversionReviews. */
export const conversionPath = '/convert';

const maxBodyBytes = 8 * 1024 * 1024;
const longestFarewellMs = 1000;

/** Starts the reference webhook server; rejects with the system's error when it cannot listen or the key pair is invalid. */
export async function startServer({ cert, key, host, port, http2 = true, ...answers }: ServerOptions): Promise<RunningServer> {
  const tls = { cert, key, ...(http2 ? {} : { ALPNProtocols: ['http/1.1'] }) };
  const listener = await listen({ handle: request => answer(request, answers), host, port, tls, onFault: () => undefined });
  const { address } = listener;
  return {
    origin: `https://${joinHostPort(address, listener.port)}`,
    port: listener.port,
    close: () => listener.close(longestFarewellMs),
  };
}

type Answers = Pick<ServerOptions, 'handler' | 'convert'>;

/** Returns the server's answer to a request. */
export async function answer(request: AnsweredRequest, answers: Answers): Promise<HttpResponse> {
  const { status, body } = await answerRequest(request, answers);
  const type = status === 200 ? 'application/json' : 'text/plain; charset=utf-8';
  return { status, headers: [['Content-Type', type]], body };
}

type AnsweredRequest = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'readBody'>;

async function answerRequest(request: AnsweredRequest, answers: Answers): Promise<{ readonly status: number; readonly body: string }> {
  const answerBody = answererAt(request.url.split('?')[0] ?? '', answers);
  if (answerBody === undefined) return { status: 404, body: `not found: this server handles ${pathsOf(answers)}\n` };
  if (request.method !== 'POST') return { status: 405, body: 'method not allowed: reviews must be sent with POST\n' };
  if (!/^application\/json\b/.test(headerOfMessage(request.headers, 'content-type')))
    return { status: 415, body: 'unsupported media type: reviews must be application/json\n' };
  const { bytes, complete, error } = await request.readBody(maxBodyBytes);
  if (error !== undefined) throw new ConnectionAborted(error);
  if (!complete) return { status: 413, body: `request body larger than ${maxBodyBytes} bytes\n` };
  try {
    return { status: 200, body: answerBody(Buffer.from(bytes).toString('utf8')) };
  } catch (failure) {
    return failure instanceof NoReview ? { status: 400, body: `${failure.message}\n` } : { status: 500, body: `${String(failure)}\n` };
  }
}

/** Returns the handler of a path. Reviews sent to any other path are validating ones. */
function answererAt(path: string, { handler, convert }: Answers): ((body: string) => string) | undefined {
  if (path === phasePaths.mutating) return body => answerReview(body, 'mutating', handler);
  if (path === phasePaths.validating || path === '/') return body => answerReview(body, 'validating', handler);
  return path === conversionPath && convert !== undefined ? body => answerConversion(body, convert) : undefined;
}

function pathsOf({ convert }: Answers): string {
  const { mutating, validating } = phasePaths;
  return convert === undefined ? `${mutating} and ${validating}` : `${mutating}, ${validating} and ${conversionPath}`;
}

const reviewVersions = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** Returns the answer to an AdmissionReview, in its version. Throws NoReview. */
export function answerReview(body: string, phase: 'mutating' | 'validating', handler: HandlerCase): string {
  const review = readReviewOf(body, 'AdmissionReview', reviewVersions);
  const request = review.get('request');
  if (!isMap(request)) throw new NoReview('the AdmissionReview has no request');
  const response = responseOf(stringAt(request, 'uid'), handler(request, phase));
  return writeValue(
    new Map<string, Value>([
      ['kind', 'AdmissionReview'],
      ['apiVersion', stringAt(review, 'apiVersion')],
      ['response', response],
    ]),
    'kept',
  );
}

function responseOf(uid: string, answer: HandlerAnswer): Value {
  const { allowed, warnings } = answer;
  const status = answer.allowed ? undefined : { code: answer.code, reason: answer.reason, message: answer.message };
  const patch = answer.allowed && answer.patch !== undefined && answer.patch.length > 0 ? answer.patch : undefined;
  return toValue({
    uid,
    allowed,
    ...(status === undefined ? {} : { status }),
    ...(patch === undefined ? {} : { patch: base64Of([...patch]), patchType: 'JSONPatch' }),
    ...(warnings === undefined || warnings.length === 0 ? {} : { warnings }),
  });
}

function base64Of(patch: Value[]): string {
  return Buffer.from(writeValue(patch, 'kept')).toString('base64');
}
