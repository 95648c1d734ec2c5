import { bundleProblem } from '../../../apis/apiextensions/custom-resource-definition/validation/conversion-strategy.js';
import { type ValueMap, valueAt } from '../../../go/value.js';
import { hasTrueCondition } from '../../../kubernetes/definition-resources.js';
import { type DefinitionCondition, hasCondition, withCondition } from './conditions.js';

const established: DefinitionCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

const invalidBundle: DefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};

/**
 * Returns a definition with accepted names as established, or with the reason why it is not; undefined if that is in its status. Source:
 * apiextensions-apiserver pkg/controller/establish/establishing_controller.go.
 */
export function asEstablished(definition: ValueMap, now: Date): ValueMap | undefined {
  if (!hasTrueCondition(definition, 'NamesAccepted') || hasTrueCondition(definition, 'Established')) return undefined;
  const isInvalid = bundleProblem(valueAt(definition, 'spec', 'conversion', 'webhook', 'clientConfig', 'caBundle')) !== undefined;
  const condition = isInvalid ? invalidBundle : established;
  return hasCondition(definition, condition) ? undefined : withCondition(definition, condition, now);
}
