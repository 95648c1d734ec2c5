import type { CallContext } from '../../apiserver/call/call-context.js';
import { attributesToValidate } from '../../apiserver/handlers/attributes-to-validate.js';
import { objectAnswer } from '../../apiserver/handlers/object-answer.js';
import type { RestStorage } from '../../apiserver/handlers/rest-storage.js';
import { withDeclared } from '../../apiserver/registry/declarative/merge-errors.js';
import { declaredErrors } from '../../apiserver/registry/declarative/validate-declaratively.js';
import { disabledFieldsOf } from '../../apiserver/registry/generic/disabled-fields.js';
import { validationOf } from '../../apiserver/registry/generic/validation-of.js';
import { kindDefinitionOf } from '../../apiserver/registry/kind-definition.js';
import { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import { copyOf, type ValueMap } from '../../go/value.js';
import { invalid } from '../../kubernetes/status-errors.js';

/**
 * Returns the storage of a review, which is validated, admitted and answered. `answer` sets its status, or returns another object; `check`
 * throws what validation does not find. Source: kubernetes pkg/registry/authorization, pkg/registry/authentication.
 */
export function reviewStorage(
  answer: (review: ValueMap, context: CallContext) => ValueMap | Promise<ValueMap>,
  check: (review: ValueMap) => void = () => undefined,
): RestStorage {
  return {
    create: async (object, { attributes }, context) => {
      const { server, endpoint } = context;
      const field = FieldPath.root(server, object.value);
      disabledFieldsOf(server, kindDefinitionOf(server, endpoint.resource))?.(object.value, undefined);
      validationOf(server, endpoint.resource)?.create(field);
      const declared = declaredErrors(server, { kind: object.codec.kind, subresource: '' }, object.value, undefined);
      const errors = server.since('v1.38') ? withDeclared(field.errors, declared) : field.errors;
      // The internal type has no kind.
      if (errors.length > 0) throw invalid({ group: object.codec.kind.group, kind: '' }, '', errors);
      check(object.value);
      await context.chain.validate(attributesToValidate({ codec: object.codec, value: copyOf(object.value) }, attributes));
      const answered = await answer(object.value, context);
      return objectAnswer(201, () => ({ codec: object.codec, value: answered }));
    },
  };
}
