import { lazy } from '../../kubernetes/memoize.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom/custom-codec.js';
import type { VerbAnswer } from './call-context.js';

/** The answer with an object, which is made, written and shown without its type only when somebody asks for that: most are never looked at. */
export function objectAnswer(code: number, make: () => ApiObject): VerbAnswer {
  const answered = lazy(make);
  return {
    code,
    isObject: true,
    shown: () => ({ type: 'object', object: answered() }),
    get body() {
      const { codec, value } = answered();
      return codec.encode(value);
    },
    get object() {
      const { codec, value } = answered();
      return isCustomCodec(codec) ? undefined : codec.toUnstructured(value);
    },
  };
}
