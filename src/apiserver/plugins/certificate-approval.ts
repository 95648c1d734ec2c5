import { stringAt } from '../../kubernetes/value.js';
import type { AdmissionPlugin } from '../admission/chain.js';
import { concerns } from './main-object.js';
import { presumePermission } from './presumed-permission.js';

/** Who approves a request must be allowed to for its signer, which is presumed. Source: kubernetes plugin/pkg/admission/certificates/approval. */
export const certificateApproval: AdmissionPlugin = {
  name: 'CertificateApproval',
  operations: ['UPDATE'],
  validate: (attributes, { record }) => {
    if (attributes.subresource !== 'approval' || !concerns(attributes, 'certificatesigningrequests.certificates.k8s.io')) return;
    presumePermission(
      attributes,
      record,
      `approve requests with signerName ${stringAt(attributes.oldObject?.value, 'spec', 'signerName')}`,
    );
  },
};
