import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { at, isSet, type Place } from '../../../apiserver/registry/validation/place.js';

/** Validation of service accounts, which only covers metadata. Source: kubernetes pkg/registry/core/serviceaccount/strategy.go. */
export const serviceAccountRules: KindRules = {
  create: () => undefined,
  update: ['changes', 'metadata'],
  warnings: (account, old) => {
    const key = 'kubernetes.io/enforce-mountable-secrets';
    const has = (place: Place): boolean => isSet(at(place, 'metadata', 'annotations', key));
    return has(account) && (old === undefined || !has(old))
      ? [`metadata.annotations[${key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`]
      : [];
  },
};
