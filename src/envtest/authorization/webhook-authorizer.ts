import { PendingAnswer } from '../../apiserver/admission/pending-answer.js';
import type { Authorizer, AuthorizerAnswer, AuthorizerQuestion } from '../../cel/library/authorizer.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, stringAt, type Value, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { PostReview } from '../webhooks/generic-webhook.js';
import { type ReviewVersion, reviewSpec, reviewText } from './access-review.js';
import type { ReviewMatch } from './review-conditions.js';

/** Options of one webhook. */
export interface WebhookAuthorizerOptions {
  readonly version: ReviewVersion;
  readonly timeoutMs: number;
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  /** Whether a webhook that fails denies. */
  readonly deniesOnError: boolean;
  /** Conditions under which it is asked; undefined: always. */
  readonly match?: ((question: AuthorizerQuestion) => ReviewMatch) | undefined;
}

/** An answer, or the review that is under way. */
interface Entry {
  answer: AuthorizerAnswer | undefined;
  /** Milliseconds since 1970 until which the answer is kept. */
  until: number;
  /** Steps that still need the answer. */
  readers: number;
  readonly settled: Promise<void>;
}

const maxEntries = 8192;

/** Default of --request-timeout. */
const requestTimeoutMs = 60_000;

/** Attributes of a longer request are not cached. Source: apiserver plugin/pkg/authorizer/webhook/webhook.go maxControlledAttrCacheSize. */
const maxCachedLength = 10_000;

/**
 * Returns the authorizer that asks a webhook. It throws PendingAnswer while it does not know the answer. Source: apiserver
 * plugin/pkg/authorizer/webhook/webhook.go Authorize.
 */
export function webhookAuthorizer(server: ApiServer, post: PostReview, options: WebhookAuthorizerOptions): Authorizer {
  const entries = new Map<string, Entry>();
  return {
    authorize: question => {
      const match = options.match?.(question) ?? { matches: true };
      if ('error' in match) return { allowed: false, denied: options.deniesOnError, reason: '', error: match.error };
      if (!match.matches) return { allowed: false, reason: '', error: undefined };
      const spec = reviewSpec(server, question, options.version);
      const key = writeValue(spec, 'kept');
      const known = entries.get(key);
      const isKnown = known !== undefined && (known.answer === undefined || known.readers > 0 || known.until > Date.now());
      if (isKnown && known.answer !== undefined) return known.answer;
      const entry = isKnown ? known : ask(spec, question);
      if (!isKnown) keep(entries, key, entry);
      entry.readers += 1;
      throw new PendingAnswer(entry.settled, () => {
        entry.readers -= 1;
      });
    },
  };

  function ask(spec: Value, question: AuthorizerQuestion): Entry {
    const settled = post(reviewText(spec, options.version), { timeoutMs: options.timeoutMs, totalMs: requestTimeoutMs })
      .then(review => {
        entry.answer = answerIn(review, options.version);
        const kept = entry.answer.allowed ? options.authorizedMs : options.unauthorizedMs;
        entry.until = isCached(question) ? Date.now() + kept : 0;
      })
      .catch((error: unknown) => {
        entry.answer = {
          allowed: false,
          denied: options.deniesOnError,
          reason: '',
          error: error instanceof Error ? error.message : String(error),
        };
      });
    const entry: Entry = { answer: undefined, until: 0, readers: 0, settled };
    return entry;
  }
}

/** Keeps an entry, in place of those that are over. */
function keep(entries: Map<string, Entry>, key: string, entry: Entry): void {
  if (entries.size >= maxEntries) {
    const now = Date.now();
    for (const [old, { until, readers }] of entries) if (readers === 0 && until <= now) entries.delete(old);
    const [oldest] = entries.keys();
    if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest);
  }
  entries.set(key, entry);
}

function isCached(question: AuthorizerQuestion): boolean {
  const texts =
    'path' in question ? [question.path] : [question.namespace, question.group, question.resource, question.subresource, question.name];
  return [question.verb, ...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0) < maxCachedLength;
}

const bothMessage = 'webhook subject access review returned both allow and deny response';

function answerIn(review: Value, version: ReviewVersion): AuthorizerAnswer {
  if (!isMap(review)) throw new Error('the answer is not a SubjectAccessReview');
  const kind = stringAt(review, 'kind');
  if (kind !== '' && kind !== 'SubjectAccessReview') {
    const found = `${stringAt(review, 'apiVersion').split('/').at(-1) ?? ''}.${kind}`;
    throw new Error(`converting (${found}) to (${version}.SubjectAccessReview): unknown conversion`);
  }
  const [allowed, denied] = ['allowed', 'denied'].map(name => valueAt(review, 'status', name) === true);
  const reason = stringAt(review, 'status', 'reason');
  if (denied === true) return { allowed: false, denied, reason, error: allowed === true ? bothMessage : undefined };
  return { allowed: allowed === true, reason, error: undefined };
}
