import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { node } from './node-strategy.js';
import { nodeRules, nodeStatusRules } from './node-validation.js';

/** Node. */
export const nodeKind: KindDefinition = {
  refine: node,
  validation: nodeRules,
  subresources: { status: nodeStatusRules },
  gatedFields: [{ gates: ['InPlacePodVerticalScalingSchedulerPreemption'], paths: ['spec.podPreemptionPolicy'] }],
};
