import { countGeneration } from '../../../apiserver/registry/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { at } from '../../../apiserver/registry/validation/place.js';
import type { ValueMap } from '../../../go/value.js';
import { ensureMap, mapAt } from '../../../go/value.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { checkAtMost, checkCollisions, checkCounts } from '../replica-counts.js';
import { deploymentRules } from './deployment-validation.js';

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
};
