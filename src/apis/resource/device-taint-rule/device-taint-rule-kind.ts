import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { deviceTaintRuleRules } from './device-taint-rule-validation.js';

/** DeviceTaintRule. */
export const deviceTaintRuleKind: KindDefinition = {
  validation: deviceTaintRuleRules,
  keepsMetadataInStatus: true,
  hasGeneration: true,
  deletion: { returnsObject: true },
};
