import { constants, type DefaultRules, isAbsent, setDefault } from '../../apiserver/objects/default-rules.js';

/** Source: kubernetes pkg/apis/certificates/v1beta1/defaults.go, and the markers in the types. */
export const certificatesDefaults: DefaultRules = {
  'certificates/v1beta1.CertificateSigningRequestSpec': spec => {
    if (isAbsent(spec, 'usages')) spec.set('usages', ['digital signature', 'key encipherment']);
    setDefault(spec, 'signerName', 'kubernetes.io/legacy-unknown');
  },
  'certificates/v1beta1.CertificateSigningRequestCondition': constants({ status: 'True' }),
  'certificates/v1alpha1.PodCertificateRequestSpec': constants({ maxExpirationSeconds: 86400n }),
  'certificates/v1beta1.PodCertificateRequestSpec': constants({ maxExpirationSeconds: 86400n }),
  'certificates/v1.PodCertificateRequestSpec': constants({ maxExpirationSeconds: 86400n }),
};
