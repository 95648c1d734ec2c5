import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  isSet,
  numberAt,
  numberOf,
  type Place,
  textAt,
} from '../../../apiserver/registry/validation/place.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import { templateWarnings } from '../../core/pod/validation/pod-warnings.js';
import { checkIntOrPercent, checkNotMoreThanAll } from '../int-or-percent.js';
import { amountIn, checkRequiredSelector, checkSelectedTemplate, keepSelector, nameWarning, ofChanged } from '../selected-templates.js';

/** Source: apps/validation ValidateDeployment. */
export const deploymentRules: KindRules = {
  create: object => checkDeployment(at(object, 'spec')),
  update: ['changes', object => checkDeployment(at(object, 'spec')), (object, old) => keepSelector(object, old, 'apps/v1.DeploymentSpec')],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    ...ofChanged(object, old, () => templateWarnings(at(object, 'spec', 'template'))),
  ],
};

function checkDeployment(spec: Place): void {
  checkNonNegative(at(spec, 'replicas'));
  checkRequiredSelector(spec, 'deployment');
  checkSelectedTemplate(spec, 'ReplicaSet');
  checkDeploymentStrategy(at(spec, 'strategy'));
  checkNonNegative(at(spec, 'minReadySeconds'));
  checkNonNegative(at(spec, 'revisionHistoryLimit'));
  const deadline = at(spec, 'progressDeadlineSeconds');
  if (!isSet(deadline)) return;
  checkNonNegative(deadline);
  if (numberOf(deadline) <= numberAt(spec, 'minReadySeconds')) addInvalid(deadline, 'must be greater than minReadySeconds');
}

function checkDeploymentStrategy(strategy: Place): void {
  const rolling = at(strategy, 'rollingUpdate');
  if (textAt(strategy, 'type') === 'Recreate') {
    if (isSet(rolling)) addForbidden(rolling, "may not be specified when strategy `type` is 'Recreate'");
  } else if (textAt(strategy, 'type') === 'RollingUpdate') {
    if (!isSet(rolling)) addRequired(rolling, 'this should be defaulted and never be nil');
    else {
      const [unavailable, surge] = [at(rolling, 'maxUnavailable'), at(rolling, 'maxSurge')];
      checkIntOrPercent(unavailable);
      checkIntOrPercent(surge);
      if (amountIn(unavailable) === 0n && amountIn(surge) === 0n)
        addInvalid(unavailable, 'may not be 0 when `maxSurge` is 0', unavailableValue(unavailable));
      checkNotMoreThanAll(unavailable);
    }
  } else
    addUnsupported(strategy, ['Recreate', 'RollingUpdate'], internalValue(strategy.server, 'apps/v1.DeploymentStrategy', strategy.value));
}

function unavailableValue(place: Place): string | bigint {
  return typeof place.value === 'string' ? place.value : numberOf(place);
}
