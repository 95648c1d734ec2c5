import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { refusal } from '../apiserver/admission/name-in-refusal.js';
import { stringAt } from '../go/value.js';
import { organizationsOf } from './certificate-request.js';
import { mainObject } from './main-object.js';

const signer = 'kubernetes.io/kube-apiserver-client';

/**
 * CertificateSubjectRestriction: refuses client certificates of the group system:masters. Source: kubernetes
 * plugin/pkg/admission/certificates/subjectrestriction.
 */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  operations: ['CREATE'],
  validate: attributes => {
    const request = mainObject(attributes, 'certificatesigningrequests.certificates.k8s.io');
    if (stringAt(request, 'spec', 'signerName') !== signer) return;
    if (organizationsOf(stringAt(request, 'spec', 'request')).includes('system:masters'))
      throw refusal(attributes, `use of ${signer} signer with system:masters group is not allowed`);
  },
};
