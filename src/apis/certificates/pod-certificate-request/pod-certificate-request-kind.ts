import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { podCertificateRequestRules } from './pod-certificate-request-validation.js';

/** PodCertificateRequest. */
export const podCertificateRequestKind: KindDefinition = {
  validation: podCertificateRequestRules,
  notValidated: 'the stubPKCS10Request of a PodCertificateRequest is neither parsed nor its signature verified',
  keepsMetadataInStatus: true,
  allowsUnconditionalUpdate: false,
};
