import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { flowControl } from '../flow-control-strategy.js';
import { checkFlowConditions, flowSchemaRules } from './flow-schema-validation.js';

/** FlowSchema. */
export const flowSchemaKind: KindDefinition = {
  refine: flowControl,
  validation: flowSchemaRules,
  subresources: { status: { update: [checkFlowConditions] } },
  hasGeneration: true,
  resetsStatus: true,
  resetFields: { status: ['spec', 'metadata'] },
};
