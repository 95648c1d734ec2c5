import { applyJsonPatch, decodeJsonPatch } from '../../apiserver/patches/json-patch.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, mapAt, type Value, type ValueMap } from '../../go/value.js';
import type { Exchange } from '../../kubernetes/webhook-call.js';

/** Reports whether two answers to the same review have the same effect: keys may come in another order, and a patch may get to its result in another way. */
export function hasSameEffect(one: Exchange, other: Exchange): boolean {
  const [text, otherText] = [textOf(one, 'patch'), textOf(other, 'patch')];
  return text === otherText || textOf(one, 'result') === textOf(other, 'result');
}

/** Returns the uid of an answer. */
export function uidOf({ answer }: Exchange): unknown {
  return answer.outcome === 'answered' ? mapAt(parsed(Buffer.from(answer.body).toString('utf8')), 'response')?.get('uid') : undefined;
}

function textOf({ call, answer }: Exchange, shown: 'patch' | 'result'): string {
  if (answer.outcome !== 'answered') return answer.outcome;
  const text = Buffer.from(answer.body).toString('utf8');
  const value = parsed(text);
  if (value === undefined) return `${answer.statusCode} ${text}`;
  const response = mapAt(value, 'response');
  const patch = response?.get('patch');
  const result = shown === 'result' && typeof patch === 'string' ? resultOf(patch, call.body) : undefined;
  if (result !== undefined) response?.set('patch', result);
  return `${answer.statusCode} ${writeValue(value, 'sorted')}`;
}

/** Returns the object of a review after a patch; undefined if the patch cannot be applied to it. */
function resultOf(patch: string, review: string): Value | undefined {
  const object = mapAt(parsed(review), 'request', 'object');
  if (object === undefined) return undefined;
  try {
    const operations = decodeJsonPatch(Buffer.from(patch, 'base64').toString('utf8'));
    return readUnstructured(applyJsonPatch(writeValue(object, 'kept'), operations));
  } catch {
    return undefined;
  }
}

function parsed(text: string): ValueMap | undefined {
  try {
    const value = readUnstructured(text);
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
