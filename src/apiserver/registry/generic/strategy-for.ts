import type { ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { FieldError } from '../../../kubernetes/field-error.js';
import { memoize, memoizeStrings } from '../../../kubernetes/memoize.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import { withDeclared } from '../declarative/merge-errors.js';
import { declaredTypes } from '../declarative/steps.js';
import { declaredErrors } from '../declarative/validate-declaratively.js';
import { kindDefinitionOf } from '../kind-definition.js';
import type { Strategy } from '../strategy.js';
import { commonStrategy } from './common-strategy.js';
import { customStrategy } from './custom-strategy.js';
import { withoutDisabledFields } from './disabled-fields.js';

/** Returns the strategy of a resource or of one of its subresources; custom resources need their definition. */
export function strategyFor(server: ApiServer, resource: Resource, subresource: string, definition?: ValueMap): Strategy {
  return definition === undefined ? builtInStrategies(server)(resource)(subresource) : customStrategy(resource, subresource, definition);
}

/** A call needs the strategy of its resource several times. */
const builtInStrategies = memoize((server: ApiServer) =>
  memoize((resource: Resource) =>
    memoizeStrings(Number.POSITIVE_INFINITY, (subresource): Strategy => {
      const kind = kindDefinitionOf(server, resource);
      const base = commonStrategy(server, resource, subresource);
      return withDeclaredErrors(server, withoutDisabledFields(server, kind.refine?.(base) ?? base, kind), resource, subresource);
    }),
  ),
);

/** Groups without declarative validation. */
const validatedByHand = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Since v1.37 all kinds of the other groups are validated declaratively, too, in v1.36 those that ask for it. */
function withDeclaredErrors(server: ApiServer, strategy: Strategy, { kind }: Resource, subresource: string): Strategy {
  if (validatedByHand.has(kind.group)) return strategy;
  if (!server.since('v1.37') && declaredTypes(server)?.typeOf(kind, subresource) === undefined) return strategy;
  const errorsOf = (object: ValueMap, old?: ValueMap): FieldError[] => declaredErrors(server, { kind, subresource }, object, old);
  return {
    ...strategy,
    validate: (object, context) => withDeclared(strategy.validate(object, context), errorsOf(object)),
    validateUpdate: (object, old, context) => withDeclared(strategy.validateUpdate(object, old, context), errorsOf(object, old)),
  };
}
