import { sharedGetters } from '../../go/shared-getters.js';
import type { ValueMap } from '../../go/value.js';
import { lazy } from '../../kubernetes/memoize.js';
import type { VerbAnswer } from '../call/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { textOfShownObject } from '../storage/shown-object.js';

/** Returns the answer with an object, which is encoded lazily because most answers are not read. */
export function objectAnswer(code: number, make: () => ApiObject): VerbAnswer {
  const answered = lazy(make);
  return withDocument(
    { code, isObject: true, shown: () => ({ type: 'object', object: answered() }) },
    { body: () => textOfShownObject(answered(), 'full'), object: () => unstructured(answered()) },
  );
}

const withDocument = sharedGetters<Pick<VerbAnswer, 'body' | 'object'>>('body', 'object');

function unstructured({ codec, value }: ApiObject): ValueMap | undefined {
  return isCustomCodec(codec) ? undefined : codec.toUnstructured(value);
}

/** Returns the answer with an object that is not the result of the call: the last state of a deleted one, a token. */
export function objectBody(code: number, object: ApiObject): VerbAnswer {
  return { code, shown: () => ({ type: 'object', object }), body: object.codec.encode(object.value) };
}
