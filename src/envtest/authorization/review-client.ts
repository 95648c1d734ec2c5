import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { readUnstructured } from '../../encoding/unstructured.js';
import { JsonSyntaxError } from '../../go/json/reader.js';
import { hostWithoutBrackets } from '../../go/net/host-port.js';
import { isMap, stringAt, type Value } from '../../go/value.js';
import { genericServerResponse } from '../../kubernetes/server-response.js';
import type { WebhookAnswer, WebhookCall } from '../../kubernetes/webhook-call.js';
import { createTransport } from '../../transport/call-webhook.js';
import { readWebhookSettings } from '../documents/webhook-settings.js';

/** Sends a review to a server, and returns the body of the answer. Rejects with the client library's error. */
export type PostReview = (body: string, timeoutMs: number) => Promise<Value>;

const maxResponseBytes = 1024 * 1024;
const retryDelaysMs = [500, 750, 1125, 1687];

/** Returns the client of the server that a kubeconfig names. Throws StartError. Source: apiserver util/webhook/webhook.go LoadKubeconfig, WithExponentialBackoff. */
export function reviewClient(file: string, cwd: string): PostReview {
  const settings = readWebhookSettings(file, 'authorization', cwd);
  const { certificate, key, token, insecure, authority } = settings;
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
  return async (body, timeoutMs) => {
    const call = callTo(settings.server, settings.serverName, authority, { body, timeoutMs });
    let answer = await callWebhook(call);
    for (const delay of retryDelaysMs) {
      if (!isRetried(answer)) break;
      await setTimeout(delay);
      answer = await callWebhook(call);
    }
    return readAnswer(answer);
  };
}

function callTo(
  server: string,
  serverName: string | undefined,
  authority: string | undefined,
  { body, timeoutMs }: { readonly body: string; readonly timeoutMs: number },
): WebhookCall {
  const url = new URL(server);
  url.searchParams.set('timeout', `${timeoutMs / 1000}s`);
  const host = hostWithoutBrackets(url.hostname);
  return {
    phase: 'validating',
    configuration: '',
    webhook: '',
    url: url.href,
    address: { host, port: Number(url.port || (url.protocol === 'http:' ? 80 : 443)) },
    serverName: serverName ?? host,
    caBundle: authority === undefined ? undefined : Buffer.from(authority),
    timeoutSeconds: timeoutMs / 1000,
    deadlineMs: timeoutMs,
    apiVersion: 'authorization.k8s.io/v1',
    uid: randomUUID(),
    body,
  };
}

/** Source: apiserver util/webhook/webhook.go DefaultShouldRetry. */
function isRetried(answer: WebhookAnswer): boolean {
  if (answer.outcome === 'failed') return answer.message.includes('connection reset by peer');
  return answer.outcome === 'answered' && (answer.statusCode === 500 || answer.statusCode === 429 || answer.statusCode === 504);
}

function readAnswer(answer: WebhookAnswer): Value {
  if (answer.outcome !== 'answered') throw new Error(answer.message);
  const text = Buffer.from(answer.body).toString('utf8');
  const [, type = ''] = answer.headers.find(([name]) => name === 'content-type') ?? [];
  if (answer.statusCode >= 200 && answer.statusCode <= 206) return readReviewObject(text);
  throw new Error(statusMessage(text) ?? plainMessage(answer.statusCode, type.startsWith('text/') ? text.trim() : 'unknown'));
}

function plainMessage(code: number, serverMessage: string): string {
  const resource = { group: '', resource: '' };
  return genericServerResponse({ code, verb: 'POST', resource, name: '', serverMessage, retryAfterSeconds: 0, unexpected: true }).message;
}

function readReviewObject(text: string): Value {
  try {
    return readUnstructured(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new Error(`couldn't get version/kind; json parse error: ${error.message}`);
    throw error;
  }
}

/** Returns the message of a Status; undefined for anything else. */
function statusMessage(text: string): string | undefined {
  try {
    const value = readUnstructured(text);
    return isMap(value) && stringAt(value, 'kind') === 'Status' ? stringAt(value, 'message') : undefined;
  } catch {
    return undefined;
  }
}
