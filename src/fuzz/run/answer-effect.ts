import { applyJsonPatch, decodeJsonPatch } from '../../apiserver/patches/json-patch.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, mapAt, type Value, type ValueMap } from '../../go/value.js';
import type { WebhookExchange } from '../../kubernetes/webhook-call.js';

/** Reports whether two answers to the same review have the same effect: keys may come in another order, and a patch may get to its result in another way. */
export function hasSameEffect(one: WebhookExchange, other: WebhookExchange): boolean {
  const [text, otherText] = [exchangeText(one, 'patch'), exchangeText(other, 'patch')];
  return text === otherText || exchangeText(one, 'result') === exchangeText(other, 'result');
}

/** Returns the uid of an answer. */
export function uidOf({ answer }: WebhookExchange): unknown {
  return answer.outcome === 'answered' ? mapAt(parsedObject(Buffer.from(answer.body).toString('utf8')), 'response')?.get('uid') : undefined;
}

function exchangeText({ call, answer }: WebhookExchange, shown: 'patch' | 'result'): string {
  if (answer.outcome !== 'answered') return answer.outcome;
  const text = Buffer.from(answer.body).toString('utf8');
  const value = parsedObject(text);
  if (value === undefined) return `${answer.statusCode} ${text}`;
  const response = mapAt(value, 'response');
  const patch = response?.get('patch');
  const result = shown === 'result' && typeof patch === 'string' ? resultOf(patch, call.body) : undefined;
  if (result !== undefined) response?.set('patch', result);
  return `${answer.statusCode} ${writeValue(value, 'sorted')}`;
}

/** Returns the object of a review after a patch; undefined if the patch cannot be applied to it. */
function resultOf(patch: string, review: string): Value | undefined {
  const object = mapAt(parsedObject(review), 'request', 'object');
  if (object === undefined) return undefined;
  try {
    const operations = decodeJsonPatch(Buffer.from(patch, 'base64').toString('utf8'));
    return readUnstructured(applyJsonPatch(writeValue(object, 'kept'), operations));
  } catch {
    return undefined;
  }
}

function parsedObject(text: string): ValueMap | undefined {
  try {
    const value = readUnstructured(text);
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
