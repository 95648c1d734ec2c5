import { constants, type DefaultRules, isAbsent, setDefault } from '../apiserver/objects/default-rules.js';

/** Groups with a rule or two. Source: kubernetes pkg/apis/authentication, scheduling, certificates defaults.go and the markers in their types. */
export const smallerGroupDefaults: DefaultRules = {
  'authentication/v1.TokenRequestSpec': constants({ expirationSeconds: 3600n }),
  'scheduling/v1.PriorityClass': constants({ preemptionPolicy: 'PreemptLowerPriority' }),
  'scheduling/v1beta1.PriorityClass': constants({ preemptionPolicy: 'PreemptLowerPriority' }),
  'scheduling/v1alpha2.PodGroupSpec': constants({ disruptionMode: 'Pod' }),
  'certificates/v1beta1.CertificateSigningRequestSpec': spec => {
    if (isAbsent(spec, 'usages')) spec.set('usages', ['digital signature', 'key encipherment']);
    setDefault(spec, 'signerName', 'kubernetes.io/legacy-unknown');
  },
  'certificates/v1beta1.CertificateSigningRequestCondition': constants({ status: 'True' }),
  'certificates/v1beta1.PodCertificateRequestSpec': constants({ maxExpirationSeconds: 86400n }),
};
