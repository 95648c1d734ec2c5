import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';

/** PodGroup. */
export const podGroupKind: KindDefinition = { keepsMetadataInStatus: true };
