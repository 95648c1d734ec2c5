import { countGeneration } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import { parseInt64 } from '../../../go/parse-integer.js';
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
import { rollbackAnnotation } from '../apps-conversions.js';
import { checkIntOrPercent, checkNotMoreThanAll, intOrStringValue } from '../int-or-percent.js';

/** Source: apps/validation ValidateDeployment. */
export const deploymentRules: KindRules = {
  create: checkDeployment,
  update: ['changes', checkDeployment, (object, old) => keepSelector(object, old, 'apps/v1.DeploymentSpec')],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    ...ofChanged(object, old, () => templateWarnings(object.child('spec', 'template'))),
  ],
};

function checkDeployment(deployment: FieldPath): void {
  const spec = deployment.child('spec');
  checkNonNegative(spec.child('replicas'));
  checkRequiredSelector(spec, 'deployment');
  checkSelectedTemplate(spec, 'ReplicaSet');
  checkDeploymentStrategy(spec.child('strategy'));
  checkNonNegative(spec.child('minReadySeconds'));
  checkNonNegative(spec.child('revisionHistoryLimit'));
  checkRollback(deployment);
  const deadline = spec.child('progressDeadlineSeconds');
  if (!deadline.isSet()) return;
  checkNonNegative(deadline);
  if (deadline.number() <= spec.number('minReadySeconds')) deadline.invalid('must be greater than minReadySeconds');
}

/** Validates the annotation that is the field `rollbackTo` of the internal type. Source: apps/validation ValidateRollback. */
function checkRollback(deployment: FieldPath): void {
  const annotation = deployment.child('metadata', 'annotations').key(rollbackAnnotation);
  const revision = parseInt64(annotation.text());
  if (typeof revision === 'bigint' && revision < 0n)
    annotation.shownAt('spec.rollback.version').invalid(revision, 'must be greater than or equal to 0');
}

function checkDeploymentStrategy(strategy: FieldPath): void {
  const rolling = strategy.child('rollingUpdate');
  if (strategy.text('type') === 'Recreate') {
    if (rolling.isSet()) rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
  } else if (strategy.text('type') === 'RollingUpdate') {
    if (!rolling.isSet()) rolling.required('this should be defaulted and never be nil');
    else {
      const [unavailable, surge] = [rolling.child('maxUnavailable'), rolling.child('maxSurge')];
      checkIntOrPercent(unavailable);
      checkIntOrPercent(surge);
      if (amountIn(unavailable) === 0n && amountIn(surge) === 0n)
        unavailable.invalid(intOrStringValue(unavailable), 'may not be 0 when `maxSurge` is 0');
      checkNotMoreThanAll(unavailable);
    }
  } else strategy.notSupported(internalValue(strategy.server, 'apps/v1.DeploymentStrategy', strategy.value), ['Recreate', 'RollingUpdate']);
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
    const status = object.child('status');
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
