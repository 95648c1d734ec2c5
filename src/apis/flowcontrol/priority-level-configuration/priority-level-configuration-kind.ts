import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { flowControl } from '../flow-control-strategy.js';
import { checkFlowConditions } from '../flow-schema/flow-schema-validation.js';
import { priorityLevelRules } from './priority-level-configuration-validation.js';

/** PriorityLevelConfiguration. */
export const priorityLevelConfigurationKind: KindDefinition = {
  refine: flowControl,
  validation: priorityLevelRules,
  subresources: { status: { update: [checkFlowConditions] } },
  hasGeneration: true,
  resetsStatus: true,
};
