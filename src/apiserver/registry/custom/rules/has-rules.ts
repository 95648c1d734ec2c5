import { listAt } from '../../../../go/value.js';
import type { StructuralSchema } from '../../../objects/structural-schema.js';

/** Reports whether a schema has rules (x-kubernetes-validations) anywhere. A definition cannot have them in allOf, anyOf, oneOf or not. */
export function hasRules({ source, properties, items, additionalProperties }: StructuralSchema): boolean {
  if (listAt(source, 'x-kubernetes-validations').length > 0) return true;
  const below = [...properties.values(), items, additionalProperties];
  return below.some(schema => typeof schema === 'object' && hasRules(schema));
}
