import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { podCertificateRequestRules } from './pod-certificate-request-validation.js';

/** PodCertificateRequest. */
export const podCertificateRequestKind: KindDefinition = {
  validation: podCertificateRequestRules,
  keepsMetadataInStatus: true,
  allowsUnconditionalUpdate: false,
};
