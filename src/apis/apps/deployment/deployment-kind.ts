import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { deploymentStatus } from './deployment-status-validation.js';
import { deployment } from './deployment-strategy.js';
import { deploymentRules } from './deployment-validation.js';

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
