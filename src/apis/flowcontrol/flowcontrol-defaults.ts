import { constants, type DefaultRules, setDefault } from '../../apiserver/objects/default-rules.js';
import { mapAt } from '../../go/value.js';

/** Source: kubernetes pkg/apis/flowcontrol defaults.go. */
export const flowcontrolDefaults: DefaultRules = {
  ...inVersion('v1', 'nominalConcurrencyShares'),
  ...inVersion('v1beta1', 'assuredConcurrencyShares'),
  ...inVersion('v1beta2', 'assuredConcurrencyShares'),
  ...inVersion('v1beta3', undefined),
  'flowcontrol/v1beta3.PriorityLevelConfiguration': level => {
    const limited = mapAt(level, 'spec', 'limited');
    const keepsZero = mapAt(level, 'metadata', 'annotations')?.has('flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares') ?? false;
    if (limited !== undefined && !keepsZero) setDefault(limited, 'nominalConcurrencyShares', 30n);
  },
};

/** Returns the rules of a version; `shares` names the field that has 30 where it is absent. */
function inVersion(version: string, shares: string | undefined): DefaultRules {
  return {
    [`flowcontrol/${version}.FlowSchemaSpec`]: constants({ matchingPrecedence: 1000n }),
    [`flowcontrol/${version}.ExemptPriorityLevelConfiguration`]: constants({ nominalConcurrencyShares: 0n, lendablePercent: 0n }),
    [`flowcontrol/${version}.LimitedPriorityLevelConfiguration`]: constants({ ...(shares && { [shares]: 30n }), lendablePercent: 0n }),
    [`flowcontrol/${version}.QueuingConfiguration`]: constants({ handSize: 8n, queues: 64n, queueLengthLimit: 50n }),
  };
}
