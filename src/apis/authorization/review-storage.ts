import type { CallContext } from '../../apiserver/call/call-context.js';
import { attributesToValidate } from '../../apiserver/handlers/attributes-to-validate.js';
import { objectAnswer } from '../../apiserver/handlers/object-answer.js';
import type { RestStorage } from '../../apiserver/handlers/rest-storage.js';
import { validationOf } from '../../apiserver/registry/generic/validation-of.js';
import { placeOf } from '../../apiserver/registry/validation/place.js';
import type { ValueMap } from '../../go/value.js';
import { invalid } from '../../kubernetes/status-errors.js';

/**
 * Returns the storage of a review, which is validated, admitted and answered. `answer` sets its status, or returns another object; `check`
 * throws what validation does not find. Source: kubernetes pkg/registry/authorization, pkg/registry/authentication.
 */
export function reviewStorage(
  answer: (review: ValueMap, context: CallContext) => ValueMap,
  check: (review: ValueMap) => void = () => undefined,
): RestStorage {
  return {
    create: async (object, { attributes }, context) => {
      const { server, endpoint } = context;
      const place = placeOf(server, object.value);
      validationOf(server, endpoint.resource)?.create(place);
      // The internal type has no kind.
      if (place.errors.length > 0) throw invalid({ group: object.codec.kind.group, kind: '' }, '', place.errors);
      check(object.value);
      await context.chain.validate(attributesToValidate(object, attributes));
      const answered = answer(object.value, context);
      return objectAnswer(201, () => ({ codec: object.codec, value: answered }));
    },
  };
}
