import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';

/** ResourcePoolStatusRequest. */
export const resourcePoolStatusRequestKind: KindDefinition = { keepsMetadataInStatus: true };
