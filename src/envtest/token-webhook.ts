import { parseDuration } from '../go/duration.js';
import { isList, isMap, type Value, valueAt } from '../go/value.js';
import type { FlagValues } from '../kubernetes/server-options.js';
import type { AskForToken, TokenAnswer } from '../local-apiserver/access/token-answer.js';
import { genericWebhook } from './webhooks/generic-webhook.js';

/** Source: apiserver authentication/token/cache/cached_token_authenticator.go sharedLookupTimeout, util/webhook/webhook.go defaultRequestTimeout. */
const times = { timeoutMs: 30_000, totalMs: 30_000 };
const maxKept = 4096;

/**
 * Returns the authentication by `--authentication-token-webhook-config-file`; undefined without it. Answers are cached; a webhook that fails is
 * an invalid token, and asked again. Throws StartError. Source: apiserver plugin/pkg/authenticator/token/webhook, authentication/token/cache.
 */
export function tokenWebhook(flags: FlagValues, ownAudiences: readonly string[], cwd: string): AskForToken | undefined {
  const last = (name: string): string | undefined => flags.get(name)?.at(-1) || undefined;
  const file = last('authentication-token-webhook-config-file');
  if (file === undefined) return undefined;
  const post = genericWebhook(file, 'authentication', cwd);
  const version = last('authentication-token-webhook-version') ?? 'v1beta1';
  const keptMs = Number(parseDuration(last('authentication-token-webhook-cache-ttl') ?? '2m')) / 1e6;
  const known = new Map<string, { readonly answer: Promise<TokenAnswer>; until: number }>();

  const ask = async (token: string, audiences: readonly string[]): Promise<TokenAnswer> => {
    const review = {
      kind: 'TokenReview',
      apiVersion: `authentication.k8s.io/${version}`,
      metadata: {},
      spec: { token, audiences },
      status: { user: {} },
    };
    try {
      return answerIn(await post(JSON.stringify(review), times), audiences, ownAudiences);
    } catch (error) {
      return { errors: [error instanceof Error ? error.message : String(error)] };
    }
  };

  return (token, audiences) => {
    const key = JSON.stringify([token, audiences]);
    const found = known.get(key);
    if (found !== undefined && found.until > Date.now()) return found.answer;
    const answer = ask(token, audiences).then(result => {
      entry.until = 'errors' in result && result.errors.length > 0 ? 0 : Date.now() + keptMs;
      return result;
    });
    // Those who ask meanwhile wait for the same answer.
    const entry = { answer, until: Number.POSITIVE_INFINITY };
    if (known.size >= maxKept) known.clear();
    known.set(key, entry);
    return answer;
  };
}

/** A review without audiences is for those of the API server. Throws for an answer of another form. */
function answerIn(review: Value, wanted: readonly string[], own: readonly string[]): TokenAnswer {
  const status = isMap(review) ? (review.get('status') ?? new Map()) : undefined;
  if (!isMap(status)) throw new TypeError('the answer is not a TokenReview');
  const named = textsOf(status.get('audiences'));
  const audiences = wanted.filter(audience => (named.length === 0 ? own : named).includes(audience));
  const error = textOrEmpty(status.get('error'));
  if (status.get('authenticated') !== true) return { errors: error === '' ? [] : [error] };
  if (audiences.length === 0) return { errors: [] };
  const member = (name: string): Value | undefined => valueAt(status, 'user', name);
  const extra = member('extra') ?? new Map();
  if (!isMap(extra)) throw new TypeError('expected an object');
  const user = {
    username: textOrEmpty(member('username')),
    uid: textOrEmpty(member('uid')),
    groups: textsOf(member('groups')),
    extra: new Map([...extra].map(([key, list]) => [key, textsOf(list)] as const)),
  };
  return { user, audiences };
}

/** Go's zero value for null. Throws for another type. */
function textOrEmpty(value: Value | undefined): string {
  if (typeof (value ?? '') !== 'string') throw new TypeError('expected a string');
  return String(value ?? '');
}

function textsOf(value: Value | undefined): readonly string[] {
  const list = value ?? [];
  if (!isList(list)) throw new TypeError('expected a list');
  return list.map(textOrEmpty);
}
