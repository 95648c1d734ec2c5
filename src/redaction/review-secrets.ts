import { writeValue } from '../go/json/write.js';
import { isList, isMap, mapAt, stringAt, type Value } from '../go/value.js';
import { isTooDeep } from '../kubernetes/too-deep.js';
import { redacted } from './marker.js';
import { jsonWithoutSecretsOf } from './secrets.js';

/** Is the object of this review a Secret? */
export function isAboutSecret(review: Value | undefined): boolean {
  const kind = mapAt(review, 'request', 'kind');
  return stringAt(kind, 'kind') === 'Secret' && stringAt(kind, 'group') === '';
}

/**
 * Returns an answer with the operations of its patch replaced: it contains them as base64-encoded JSON. A patch that is nested too deeply to be
 * searched is redacted wholly.
 */
export function withPatch(answer: Value, replace: (operations: Value[]) => Value[]): Value {
  const response = mapAt(answer, 'response');
  const patch = response?.get('patch');
  if (!isMap(answer) || response === undefined || typeof patch !== 'string') return answer;
  const clean = replacedPatch(patch, replace);
  return clean === patch ? answer : new Map([...answer, ['response', new Map([...response, ['patch', clean]])]]);
}

function replacedPatch(patch: string, replace: (operations: Value[]) => Value[]): string {
  try {
    const operations = jsonWithoutSecretsOf(Buffer.from(patch, 'base64').toString('utf8'));
    if (!isList(operations)) return patch;
    const clean = writeValue(replace(operations), 'kept');
    return clean === writeValue(operations, 'kept') ? patch : Buffer.from(clean).toString('base64');
  } catch (error) {
    if (isTooDeep(error)) return redacted(patch);
    throw error;
  }
}
