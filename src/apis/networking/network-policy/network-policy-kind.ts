import { countGeneration } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { writeValue } from '../../../go/json/write.js';
import type { Value, ValueMap } from '../../../go/value.js';
import { mapAt } from '../../../go/value.js';
import { networkPolicyRules } from './network-policy-validation.js';

/**
 * Strategy of network policies: every difference raises the generation, also between an empty and an absent list. Source: kubernetes
 * pkg/registry/networking/networkpolicy/strategy.go.
 */
const networkPolicy: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old) => {
    const specOf = (from: ValueMap): ValueMap => new Map<string, Value>([['podSelector', new Map()], ...(mapAt(from, 'spec') ?? [])]);
    const texts = [object, old].map(from => writeValue(specOf(from), 'sorted'));
    if (texts[0] !== texts[1]) countGeneration(object, old);
  },
});

/** NetworkPolicy. */
export const networkPolicyKind: KindDefinition = {
  refine: networkPolicy,
  validation: networkPolicyRules,
  checkedTwiceUntil: 'v1.35',
  hasGeneration: true,
};
