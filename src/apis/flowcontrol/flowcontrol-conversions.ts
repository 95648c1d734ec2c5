import { type ConversionRules, renamed, zeroWhereAbsent } from '../../apiserver/objects/conversion-rules.js';
import { ensureMap, mapAt } from '../../go/value.js';

const keepsZeroShares = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

/** Source: kubernetes pkg/apis/flowcontrol conversion.go. */
export const flowcontrolConversions: ConversionRules = {
  'flowcontrol/v1.LimitedPriorityLevelConfiguration': zeroWhereAbsent({ nominalConcurrencyShares: 0n }),
  'flowcontrol/v1beta1.LimitedPriorityLevelConfiguration': renamed({ assuredConcurrencyShares: 'nominalConcurrencyShares' }),
  'flowcontrol/v1beta2.LimitedPriorityLevelConfiguration': renamed({ assuredConcurrencyShares: 'nominalConcurrencyShares' }),
  'flowcontrol/v1beta3.PriorityLevelConfiguration': {
    toInternal: level => mapAt(level, 'metadata', 'annotations')?.delete(keepsZeroShares),
    fromInternal: level => {
      const limited = mapAt(level, 'spec', 'limited');
      if (limited === undefined || (limited.get('nominalConcurrencyShares') ?? 0n) !== 0n) return;
      const annotations = ensureMap(ensureMap(level, 'metadata'), 'annotations');
      if (!annotations.has(keepsZeroShares)) annotations.set(keepsZeroShares, '');
    },
  },
};
