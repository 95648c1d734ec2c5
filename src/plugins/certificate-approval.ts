import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { stringAt } from '../go/value.js';
import { concerns } from './main-object.js';
import { checkSigner } from './permission.js';

/**
 * CertificateApproval: requires the permission to approve requests for the signer. Source: kubernetes
 * plugin/pkg/admission/certificates/approval.
 */
export const certificateApproval: AdmissionPlugin = {
  name: 'CertificateApproval',
  operations: ['UPDATE'],
  validate: (attributes, context) => {
    if (attributes.subresource !== 'approval' || !concerns(attributes, 'certificatesigningrequests.certificates.k8s.io')) return;
    const signer = stringAt(attributes.oldObject?.value, 'spec', 'signerName');
    checkSigner(attributes, context, { verb: 'approve', signer, action: 'approve requests with' });
  },
};
