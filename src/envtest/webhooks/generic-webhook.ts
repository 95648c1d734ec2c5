import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { readUnstructured } from '../../encoding/unstructured.js';
import { JsonSyntaxError } from '../../go/json/reader.js';
import { hostWithoutBrackets } from '../../go/net/host-port.js';
import { isMap, numberAt, stringAt, type Value } from '../../go/value.js';
import { genericServerResponse } from '../../kubernetes/server-response.js';
import { type Status, StatusError } from '../../kubernetes/status.js';
import type { WebhookAnswer, WebhookCall } from '../../kubernetes/webhook-call.js';
import { createTransport } from '../../transport/call-webhook.js';
import { readWebhookSettings } from '../documents/webhook-settings.js';

/** Times of a review in milliseconds. */
export interface ReviewTimes {
  /** For one request. */
  readonly timeoutMs: number;
  /** For all requests, and the pauses between them. */
  readonly totalMs: number;
}

/** Sends a review to a server, and returns the body of the answer. Rejects with the client library's error. */
export type PostReview = (body: string, times: ReviewTimes) => Promise<Value>;

const maxResponseBytes = 1024 * 1024;

/** Source: apiserver util/webhook/webhook.go DefaultRetryBackoffWithInitialDelay, server/options/authentication.go. */
const backoff = { firstMs: 500, factor: 1.5, jitter: 0.2, steps: 5 };

/**
 * Returns the client of the server that a kubeconfig names: TokenReviews and SubjectAccessReviews are sent again after errors that pass. Throws
 * StartError. Source: apiserver util/webhook/webhook.go LoadKubeconfig, GenericWebhook.
 */
export function genericWebhook(file: string, use: 'authentication' | 'authorization', cwd: string): PostReview {
  const settings = readWebhookSettings(file, use, cwd);
  const { certificate, key, token, insecure } = settings;
  const { callWebhook } = createTransport({
    resolve: [],
    keepConnections: true,
    allowHttp: true,
    maxResponseBytes,
    insecureSkipVerify: insecure,
    headers: [['User-Agent', 'Go-http-client/1.1']],
    ...(token === undefined ? {} : { bearerToken: token }),
    ...(certificate === undefined || key === undefined ? {} : { clientCertificate: { certificate, key } }),
  });
  const group = use === 'authentication' ? 'authentication.k8s.io/v1' : 'authorization.k8s.io/v1';
  return (body, times) => {
    const call = callTo({ ...settings, timeoutMs: times.timeoutMs }, { apiVersion: group, body });
    return retryWithBackoff(times.totalMs, async leftMs =>
      readAnswer(await callWebhook({ ...call, deadlineMs: Math.min(call.deadlineMs, leftMs) })),
    );
  };
}

/** Source: WithExponentialBackoff, which returns the last error when the time is over. */
async function retryWithBackoff(totalMs: number, send: (leftMs: number) => Promise<Value>): Promise<Value> {
  const end = performance.now() + totalMs;
  for (let step = 1, delay = backoff.firstMs; ; step += 1, delay *= backoff.factor) {
    try {
      return await send(Math.max(1, end - performance.now()));
    } catch (error) {
      const pauseMs = delay * (1 + Math.random() * backoff.jitter);
      if (!isRetried(error) || step === backoff.steps || performance.now() + pauseMs >= end) throw error;
      await setTimeout(pauseMs);
    }
  }
}

interface ReviewServer {
  readonly server: string;
  readonly serverName?: string | undefined;
  readonly authority?: string | undefined;
  readonly timeoutMs: number;
}

function callTo({ server, serverName, authority, timeoutMs }: ReviewServer, review: Pick<WebhookCall, 'apiVersion' | 'body'>): WebhookCall {
  const url = new URL(server);
  url.searchParams.set('timeout', `${timeoutMs / 1000}s`);
  const host = hostWithoutBrackets(url.hostname);
  return {
    ...review,
    phase: 'validating',
    configuration: '',
    webhook: '',
    url: url.href,
    address: { host, port: Number(url.port || (url.protocol === 'http:' ? 80 : 443)) },
    serverName: serverName ?? host,
    caBundle: authority === undefined ? undefined : Buffer.from(authority),
    timeoutSeconds: timeoutMs / 1000,
    deadlineMs: timeoutMs,
    uid: randomUUID(),
  };
}

/** Source: apiserver util/webhook/webhook.go DefaultShouldRetry, apimachinery api/errors IsInternalError, IsTimeout, IsTooManyRequests, SuggestsClientDelay. */
function isRetried(error: unknown): boolean {
  if (!(error instanceof StatusError)) return error instanceof Error && transientFaults.some(text => error.message.includes(text));
  const { code = 0, details, reason = '' } = error.status;
  const isTransient = transientReasons.has(reason) || code === 429 || (reason === '' && (code === 500 || code === 504));
  return isTransient || (details !== undefined && (reason === 'ServerTimeout' || (details.retryAfterSeconds ?? 0) > 0));
}

const transientFaults = ['connection reset by peer', 'http2: client connection lost'];
const transientReasons: ReadonlySet<string> = new Set(['InternalError', 'Timeout', 'TooManyRequests']);

function readAnswer(answer: WebhookAnswer): Value {
  if (answer.outcome !== 'answered') throw new Error(answer.message);
  const text = Buffer.from(answer.body).toString('utf8');
  if (answer.statusCode >= 200 && answer.statusCode <= 206) return readReviewObject(text);
  const header = (name: string): string => answer.headers.find(([found]) => found === name)?.[1] ?? '';
  const status = failedStatus(text);
  throw status === undefined ? plainError(answer.statusCode, text, header) : new StatusError(status);
}

function plainError(code: number, text: string, header: (name: string) => string): StatusError {
  const type = header('content-type');
  const after = header('retry-after');
  const resource = { group: '', resource: '' };
  return genericServerResponse({
    ...{ code, verb: 'POST', resource, name: '', unexpected: true },
    serverMessage: type.startsWith('text/') ? text.trim() : 'unknown',
    retryAfterSeconds: /^[+-]?\d{1,9}$/.test(after) ? Number(after) : 0,
  });
}

function readReviewObject(text: string): Value {
  try {
    return readUnstructured(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new Error(`couldn't get version/kind; json parse error: ${error.message}`);
    throw error;
  }
}

/** Returns the Status of a body; undefined for anything else. Source: client-go rest/request.go Result.Error. */
function failedStatus(text: string): Status | undefined {
  try {
    const value = readUnstructured(text);
    if (!isMap(value) || !['Status', ''].includes(stringAt(value, 'kind')) || stringAt(value, 'status') !== 'Failure') return undefined;
    const retryAfterSeconds = Number(numberAt(value, 'details', 'retryAfterSeconds'));
    return {
      ...{
        status: 'Failure',
        message: stringAt(value, 'message'),
        reason: stringAt(value, 'reason'),
        code: Number(numberAt(value, 'code')),
      },
      ...(value.has('details') ? { details: { retryAfterSeconds } } : {}),
    };
  } catch {
    return undefined;
  }
}
