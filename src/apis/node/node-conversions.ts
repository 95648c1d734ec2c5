import type { ConversionRules } from '../../apiserver/objects/conversion-rules.js';
import { ensureMap, isMap } from '../../go/value.js';

/** Source: kubernetes pkg/apis/node/v1alpha1/conversion.go. */
export const nodeConversions: ConversionRules = {
  'node/v1alpha1.RuntimeClass': {
    toInternal: runtimeClass => {
      const spec = runtimeClass.get('spec');
      runtimeClass.delete('spec');
      if (isMap(spec)) for (const [key, value] of spec) runtimeClass.set(key === 'runtimeHandler' ? 'handler' : key, value);
    },
    fromInternal: runtimeClass => {
      const spec = ensureMap(runtimeClass, 'spec');
      for (const key of ['handler', 'overhead', 'scheduling']) {
        const value = runtimeClass.get(key);
        if (value !== undefined) spec.set(key === 'handler' ? 'runtimeHandler' : key, value);
      }
    },
  },
};
