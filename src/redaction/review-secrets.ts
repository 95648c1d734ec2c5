import { writeValue } from '../go/json/write.js';
import { isList, isMap, mapAt, stringAt, type Value } from '../go/value.js';
import { jsonOf } from './secrets.js';

/** Is the object of this review a Secret? */
export function isAboutSecret(review: Value | undefined): boolean {
  const kind = mapAt(review, 'request', 'kind');
  return stringAt(kind, 'kind') === 'Secret' && stringAt(kind, 'group') === '';
}

/** Returns an answer with the operations of its patch replaced: it contains them as base64-encoded JSON. */
export function withPatch(answer: Value, replace: (operations: Value[]) => Value[]): Value {
  const response = mapAt(answer, 'response');
  const patch = response?.get('patch');
  if (!isMap(answer) || response === undefined || typeof patch !== 'string') return answer;
  const operations = jsonOf(Buffer.from(patch, 'base64').toString('utf8'));
  if (!isList(operations)) return answer;
  const clean = writeValue(replace(operations), 'kept');
  if (clean === writeValue(operations, 'kept')) return answer;
  return new Map([...answer, ['response', new Map([...response, ['patch', Buffer.from(clean).toString('base64')]])]]);
}
