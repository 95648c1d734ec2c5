import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import { parseDuration } from '../go/duration.js';
import type { UserInfo } from '../kubernetes/api-call.js';
import type { FlagValues } from '../kubernetes/server-options.js';
import { readWebhookSettings } from './documents/webhook-settings.js';
import { answerText } from './etcd/answer-text.js';

/** Returns the user of a token that the API server does not know itself; undefined if it is invalid. */
export type ReviewToken = (token: string) => Promise<UserInfo | undefined>;

const timeoutMs = 30_000;
/** A limit of this program. */
const maxAnswerBytes = 1024 * 1024;
const maxKept = 4096;

/**
 * Returns the authentication by `--authentication-token-webhook-config-file`; undefined without it. Answers are cached; a webhook that fails is
 * an invalid token. Throws StartError. Source: apiserver plugin/pkg/authenticator/token/webhook, authentication/token/cache.
 */
export function tokenWebhook(flags: FlagValues, audiences: readonly string[], cwd: string): ReviewToken | undefined {
  const last = (name: string): string | undefined => flags.get(name)?.at(-1) || undefined;
  const file = last('authentication-token-webhook-config-file');
  if (file === undefined) return undefined;
  const post = poster(file, cwd);
  const version = last('authentication-token-webhook-version') ?? 'v1beta1';
  const keptMs = Number(parseDuration(last('authentication-token-webhook-cache-ttl') ?? '2m')) / 1e6;
  const known = new Map<string, { readonly user: Promise<UserInfo | undefined>; readonly until: number }>();
  return token => {
    const now = Date.now();
    const found = known.get(token);
    if (found !== undefined && found.until > now) return found.user;
    const review = {
      kind: 'TokenReview',
      apiVersion: `authentication.k8s.io/${version}`,
      metadata: {},
      spec: { token, audiences },
      status: { user: {} },
    };
    const user = post(JSON.stringify(review))
      .then(text => userIn(text, audiences))
      .catch(() => undefined);
    if (known.size >= maxKept) known.clear();
    known.set(token, { user, until: now + keptMs });
    return user;
  };
}

interface ReviewStatus {
  readonly authenticated?: boolean;
  readonly audiences?: readonly string[];
  readonly user?: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
}

function userIn(text: string, wanted: readonly string[]): UserInfo | undefined {
  const { status }: { readonly status?: ReviewStatus } = JSON.parse(text);
  const audiences = status?.audiences ?? [];
  const isMeant = audiences.length === 0 || audiences.some(audience => wanted.includes(audience));
  if (status?.authenticated !== true || !isMeant) return undefined;
  const { username, uid, groups, extra } = status.user ?? {};
  const lists = Object.entries(extra ?? {}).map(([key, list]) => [key, textsOf(list)] as const);
  return { username: textOrEmpty(username), uid: textOrEmpty(uid), groups: textsOf(groups), extra: new Map(lists) };
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
