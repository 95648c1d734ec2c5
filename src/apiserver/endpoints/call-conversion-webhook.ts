import type { JsonNode } from '../../go/json/node.js';
import { readJson } from '../../go/json/reader.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import { listAt, mapAt, type RawJson, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { Effects } from '../../kubernetes/effects.js';
import { internalError } from '../../kubernetes/status-errors.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { WebhookAnswer, WebhookCall } from '../../kubernetes/webhook-call.js';
import { ConversionError } from '../conversion/conversion-error.js';
import type { ConversionWorld } from '../conversion/converter.js';
import { addressOf, serviceResolver, targetOfWebhook } from '../webhooks/client-config.js';
import { conversionScheme } from '../webhooks/decode-answer.js';
import { readReview } from '../webhooks/read-review.js';
import { clientConfigOf } from '../webhooks/webhook.js';
import { withoutWhiteSpace } from './check-serving.js';

/** Context of calls to conversion webhooks. */
export interface ConversionSurroundings {
  readonly storage: Storage;
  readonly effects: Effects;
  readonly usesEndpoints: boolean;
  /** Reports whether the call exceeded its deadline. A running conversion completes, but no further one starts. */
  readonly isOverdue: () => boolean;
}

const timeoutSeconds = 30;

/** Replaces the objects by their text as sent; a YAML response has no such text. */
function withRawObjects(review: ValueMap, text: string): ValueMap {
  const response = mapAt(review, 'response');
  if (response === undefined || !/^[ \t\r\n]*\{/.test(text) || listAt(response, 'convertedObjects').length === 0) return review;
  response.set('convertedObjects', rawConvertedObjects(text));
  return review;
}

/**
 * Returns the conversion webhook of a definition, called over the network. Source: apiextensions-apiserver conversion/webhook_converter.go.
 */
export function conversionWebhook(
  definition: ValueMap,
  { storage, effects, usesEndpoints, isOverdue }: ConversionSurroundings,
): ConversionWorld {
  const name = stringAt(definition, 'metadata', 'name');
  const clientConfig = clientConfigOf(valueAt(definition, 'spec', 'conversion', 'webhook', 'clientConfig'));
  const caBundle = withoutWhiteSpace(clientConfig.caBundle);
  const post = async (review: Pick<WebhookCall, 'apiVersion' | 'uid' | 'body'>): Promise<WebhookAnswer> => {
    const target = targetOfWebhook(
      { name: `conversion_webhook_for_${name}`, clientConfig },
      serviceResolver(storage, usesEndpoints, effects.random),
    );
    if (typeof target === 'string') return { outcome: 'noClient', message: target };
    const url = `${target.url}?timeout=${timeoutSeconds}s`;
    const address = addressOf(target, clientConfig.service, effects);
    if ('unresolvable' in address)
      return { outcome: 'failed', class: 'dns', message: `Post "${url}": ${address.unresolvable}`, durationMs: 0 };
    const at = { phase: 'conversion', configuration: name, webhook: name } as const;
    const limits = { timeoutSeconds, deadlineMs: timeoutSeconds * 1000 };
    const step = effects.steps?.inside({ kind: 'conversion', name, timeoutMs: limits.deadlineMs });
    const answer = await effects.callWebhook(
      { ...at, url, address, serverName: target.serverName, caBundle, ...limits, ...review },
      step?.stage,
    );
    step?.end(undefined, answer.outcome === 'answered' ? undefined : answer.message);
    return answer;
  };
  return {
    uid: effects.uid,
    send: async ({ version, uid, body }) => {
      if (isOverdue()) throw new ConversionError('context deadline exceeded');
      const answer = await post({ apiVersion: `apiextensions.k8s.io/${version}`, uid, body });
      // Without a client the resource is not served.
      if (answer.outcome === 'noClient') throw internalError('error resolving resource');
      if (answer.outcome === 'failed') throw new ConversionError(answer.message, answer.class);
      const expected = { group: 'apiextensions.k8s.io', version, kind: 'ConversionReview' };
      const read = readReview(
        storage.server,
        { status: answer.statusCode, headers: answer.headers, body: answer.body },
        expected,
        conversionScheme,
      );
      if ('message' in read) throw new ConversionError(read.message, read.class);
      return withRawObjects(read.review, decodeUtf8Bytes(answer.body));
    },
  };
}

/** Returns the raw text of a response's converted objects, white space included, because errors quote it. The JSON is already validated. */
function rawConvertedObjects(json: string): RawJson[] {
  const objects = member(member(readJson(json), 'response'), 'convertedObjects');
  return objects?.type === 'array' ? objects.items.map(item => ({ rawJson: json.slice(item.start, item.end) })) : [];
}

/** Returns a member of a node; the last of several with the same name. */
function member(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.type === 'object' ? node.members.findLast(m => m.key === name)?.value : undefined;
}
