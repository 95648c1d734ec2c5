import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';

/** PodCertificateRequest. */
export const podCertificateRequestKind: KindDefinition = { keepsMetadataInStatus: true };
