import { internalValue } from '../go-value.js';
import type { KindRules } from '../kind-rules.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  isSet,
  lengthOf,
  mapOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
} from '../place.js';
import { checkPodTemplate } from '../pods/pod-template.js';
import { templateWarnings } from '../pods/pod-warnings.js';
import { checkNonNegative } from '../rules.js';
import { checkIntOrPercent, checkNotMoreThanAll } from './int-or-percent.js';
import {
  amountIn,
  checkRequiredSelector,
  checkSelectedTemplate,
  checkTemplateOf,
  keepSelector,
  nameWarning,
  ofChanged,
  sortedJson,
} from './selected-templates.js';

/** Source: apps/validation ValidateDeployment. */
export const deploymentRules: KindRules = {
  create: object => checkDeployment(at(object, 'spec')),
  update: ['changes', object => checkDeployment(at(object, 'spec')), (object, old) => keepSelector(object, old, 'apps/v1.DeploymentSpec')],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    ...ofChanged(object, old, () => templateWarnings(at(object, 'spec', 'template'))),
  ],
};

/** Source: apps/validation ValidateReplicaSet. */
export const replicaSetRules: KindRules = {
  create: object => checkReplicaSet(at(object, 'spec')),
  update: ['changes', object => checkReplicaSet(at(object, 'spec')), (object, old) => keepSelector(object, old, 'apps/v1.ReplicaSetSpec')],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    ...ofChanged(object, old, () => templateWarnings(at(object, 'spec', 'template'))),
  ],
};

/** Source: core/validation ValidateReplicationController. */
export const replicationControllerRules: KindRules = {
  create: object => checkReplicationController(at(object, 'spec')),
  update: ['changes', object => checkReplicationController(at(object, 'spec'))],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    // On an update upstream takes the stored template for the new one.
    ...ofChanged(object, old, () => templateWarnings(at(old ?? object, 'spec', 'template'))),
  ],
};

/** Source: core/validation ValidatePodTemplate. */
export const podTemplateRules: KindRules = {
  create: object => checkPodTemplate(at(object, 'template')),
  update: ['changes', object => checkPodTemplate(at(object, 'template'))],
  warnings: (object, old) => ofChanged(object, old, () => templateWarnings(at(object, 'template'))),
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
  } else addUnsupported(strategy, ['Recreate', 'RollingUpdate'], internalValue('apps/v1.DeploymentStrategy', strategy.value));
}

function unavailableValue(place: Place): string | bigint {
  return typeof place.value === 'string' ? place.value : numberOf(place);
}

function checkReplicaSet(spec: Place): void {
  checkNonNegative(at(spec, 'replicas'));
  checkNonNegative(at(spec, 'minReadySeconds'));
  checkRequiredSelector(spec, 'deployment');
  checkSelectedTemplate(spec, 'ReplicaSet');
}

function checkReplicationController(spec: Place): void {
  checkNonNegative(at(spec, 'minReadySeconds'));
  const selector = at(spec, 'selector');
  if (lengthOf(selector) === 0) addRequired(selector);
  const replicas = at(spec, 'replicas');
  if (!isSet(replicas)) addRequired(replicas);
  else checkNonNegative(replicas);
  if (!hasSet(spec, 'template')) {
    addRequired(at(spec, 'template'));
    return;
  }
  const labels = at(spec, 'template', 'metadata', 'labels');
  if (![...mapOf(selector)].every(([key, value]) => mapOf(labels).get(key) === value))
    addInvalid(labels, '`selector` does not match template `labels`', isSet(labels) ? sortedJson(labels) : null);
  checkTemplateOf(spec, 'ReplicationController');
}
