import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { certificateSigningRequest } from './certificate-signing-request-strategy.js';
import { certificateApproval, certificateRequestRules, certificateStatus } from './certificate-signing-request-validation.js';

/** CertificateSigningRequest. */
export const certificateSigningRequestKind: KindDefinition = {
  refine: certificateSigningRequest,
  validation: certificateRequestRules,
  nameProblems: pathSegmentProblems,
  subresources: { status: { update: certificateStatus }, approval: { update: certificateApproval } },
  resetsStatus: true,
};
