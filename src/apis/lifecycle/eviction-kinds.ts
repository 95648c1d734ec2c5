import type { KindDefinition } from '../../apiserver/registry/kind-definition.js';

const common = { hasGeneration: true, resetsStatus: true, keepsMetadataInStatus: true, allowsUnconditionalUpdate: false } as const;

/** Eviction of lifecycle.k8s.io. Source: kubernetes pkg/registry/lifecycle/eviction. */
export const evictionKind: KindDefinition = {
  ...common,
  validation: { create: () => undefined, update: ['changes'] },
  notValidated: 'the validation of the status of Eviction objects is not reproduced',
};

/** EvictionRequest. Source: kubernetes pkg/registry/lifecycle/evictionrequest. */
export const evictionRequestKind: KindDefinition = {
  ...common,
  validation: { create: () => undefined, update: ['changes'] },
};
