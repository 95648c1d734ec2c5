import { countGeneration } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { mapAt, sameValue, type Value, type ValueMap } from '../../../go/value.js';
import { networkPolicyRules } from './network-policy-validation.js';

/**
 * Strategy of network policies: every difference raises the generation, also between an empty and an absent list. Source: kubernetes
 * pkg/registry/networking/networkpolicy/strategy.go.
 */
const networkPolicy: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old) => {
    const specOf = (from: ValueMap): ValueMap => new Map<string, Value>([['podSelector', new Map()], ...(mapAt(from, 'spec') ?? [])]);
    if (!sameValue(specOf(object), specOf(old))) countGeneration(object, old);
  },
});

/** NetworkPolicy. */
export const networkPolicyKind: KindDefinition = {
  refine: networkPolicy,
  validation: networkPolicyRules,
  checkedTwiceUntil: 'v1.35',
  hasGeneration: true,
};
