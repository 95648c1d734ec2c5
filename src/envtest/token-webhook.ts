import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import { parseDuration } from '../go/duration.js';
import type { FlagValues } from '../kubernetes/server-options.js';
import type { AskForToken, TokenAnswer } from '../local-apiserver/access/token-answer.js';
import { readWebhookSettings } from './documents/webhook-settings.js';
import { answerText } from './etcd/answer-text.js';

const timeoutMs = 30_000;
/** A limit of this program. */
const maxAnswerBytes = 1024 * 1024;
const maxKept = 4096;

/**
 * Returns the authentication by `--authentication-token-webhook-config-file`; undefined without it. Answers are cached; a webhook that fails is
 * an invalid token. Throws StartError. Source: apiserver plugin/pkg/authenticator/token/webhook, authentication/token/cache.
 */
export function tokenWebhook(flags: FlagValues, ownAudiences: readonly string[], cwd: string): AskForToken | undefined {
  const last = (name: string): string | undefined => flags.get(name)?.at(-1) || undefined;
  const file = last('authentication-token-webhook-config-file');
  if (file === undefined) return undefined;
  const post = poster(file, cwd);
  const version = last('authentication-token-webhook-version') ?? 'v1beta1';
  const keptMs = Number(parseDuration(last('authentication-token-webhook-cache-ttl') ?? '2m')) / 1e6;
  const known = new Map<string, { readonly answer: Promise<TokenAnswer>; readonly until: number }>();
  return (token, audiences) => {
    const now = Date.now();
    const key = JSON.stringify([token, audiences]);
    const found = known.get(key);
    if (found !== undefined && found.until > now) return found.answer;
    const review = {
      kind: 'TokenReview',
      apiVersion: `authentication.k8s.io/${version}`,
      metadata: {},
      spec: { token, audiences },
      status: { user: {} },
    };
    const answer = post(JSON.stringify(review))
      .then(text => answerIn(text, audiences, ownAudiences))
      .catch((error: unknown): TokenAnswer => ({ errors: [error instanceof Error ? error.message : String(error)] }));
    if (known.size >= maxKept) known.clear();
    known.set(key, { answer, until: now + keptMs });
    return answer;
  };
}

interface ReviewStatus {
  readonly authenticated?: boolean;
  readonly error?: string;
  readonly audiences?: readonly string[];
  readonly user?: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
}

/** A review without audiences is for those of the API server. */
function answerIn(text: string, wanted: readonly string[], own: readonly string[]): TokenAnswer {
  const { status }: { readonly status?: ReviewStatus } = JSON.parse(text);
  const named = status?.audiences ?? [];
  const audiences = wanted.filter(audience => (named.length === 0 ? own : named).includes(audience));
  if (status?.authenticated !== true) return { errors: [textOrEmpty(status?.error)].filter(error => error !== '') };
  if (audiences.length === 0) return { errors: [] };
  const { username, uid, groups, extra } = status.user ?? {};
  const lists = Object.entries(extra ?? {}).map(([key, list]) => [key, textsOf(list)] as const);
  return { user: { username: textOrEmpty(username), uid: textOrEmpty(uid), groups: textsOf(groups), extra: new Map(lists) }, audiences };
}

/** Go's zero value for null. Throws for another type. */
function textOrEmpty(value: unknown): string {
  if (typeof (value ?? '') !== 'string') throw new TypeError('expected a string');
  return String(value ?? '');
}

function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value ?? [])) throw new TypeError('expected a list');
  return Array.isArray(value) ? value.map(textOrEmpty) : [];
}

/** Posts a body to the server of a kubeconfig, and returns the body of a successful response. */
function poster(file: string, cwd: string): (body: string) => Promise<string> {
  const { server, authority, insecure, serverName, certificate, key, token } = readWebhookSettings(file, 'authentication', cwd);
  const url = new URL(server);
  const send = url.protocol === 'http:' ? httpRequest : httpsRequest;
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  const tls = {
    // Not the default of Node, which is empty in the folder of executables.
    ca: authority ?? [...rootCertificates],
    cert: certificate,
    key,
    rejectUnauthorized: !insecure,
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
  return body =>
    new Promise((resolve, reject) => {
      const sent = send(
        url,
        {
          method: 'POST',
          headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
          signal: AbortSignal.timeout(timeoutMs),
          ...tls,
        },
        response => resolve(readSuccessText(response)),
      );
      sent.on('error', reject);
      sent.end(body);
    });
}

async function readSuccessText(response: IncomingMessage): Promise<string> {
  const text = await answerText(response, maxAnswerBytes);
  if (response.statusCode === 200 || response.statusCode === 201) return text;
  throw new Error(`status ${response.statusCode}`);
}
