import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { networkPolicy } from './network-policy-strategy.js';
import { networkPolicyRules } from './network-policy-validation.js';

/** NetworkPolicy. */
export const networkPolicyKind: KindDefinition = {
  refine: networkPolicy,
  validation: networkPolicyRules,
  checkedTwiceUntil: 'v1.35',
  hasGeneration: true,
};
