import { countGeneration } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
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
import { ensureMap, mapAt, type ValueMap } from '../../../go/value.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { templateWarnings } from '../../core/pod/validation/pod-warnings.js';
import {
  amountIn,
  checkRequiredSelector,
  checkSelectedTemplate,
  keepSelector,
  nameWarning,
  ofChanged,
} from '../../core/pod-template/selected-templates.js';
import { checkAtMost, checkCollisions, checkCounts } from '../../core/replication-controller/replica-counts.js';
import { checkIntOrPercent, checkNotMoreThanAll } from '../int-or-percent.js';

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

/**
 * Strategy of deployments: changes of the annotations raise the generation too. Source: kubernetes
 * pkg/registry/apps/deployment/strategy.go.
 */
const deployment: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource === 'status') {
      const labels = mapAt(old, 'metadata', 'labels');
      if (labels === undefined) ensureMap(object, 'metadata').delete('labels');
      else ensureMap(object, 'metadata').set('labels', labels);
      return;
    }
    if (!sameAnnotations(object, old)) countGeneration(object, old);
  },
});

function sameAnnotations(a: ValueMap, b: ValueMap): boolean {
  const texts = [a, b].map(o => JSON.stringify([...(mapAt(o, 'metadata', 'annotations') ?? [])].sort()));
  return texts[0] === texts[1];
}

/** Source: apps/validation ValidateDeploymentStatusUpdate. */
const deploymentStatus: readonly UpdateStep[] = [
  'changes',
  object => {
    const status = at(object, 'status');
    checkCounts(status, [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ]);
    checkAtMost(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas');
  },
  checkCollisions,
];

/** Deployment. */
export const deploymentKind: KindDefinition = {
  refine: deployment,
  validation: deploymentRules,
  subresources: { status: { update: deploymentStatus } },
  gatedFields: [...templateGatedFields, { gates: ['DeploymentReplicaSetTerminatingReplicas'], paths: ['status.terminatingReplicas'] }],
  hasGeneration: true,
  resetsStatus: true,
  deletion: { zeroMembers: { spec: { replicas: 0 } } },
  resetFields: { status: ['spec', 'metadata.labels'] },
};
