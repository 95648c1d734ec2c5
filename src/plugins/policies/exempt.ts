import type { Attributes } from '../../apiserver/admission/attributes.js';

/** Resources no policy is asked about. Source: apiserver admission/plugin/policy/generic/plugin.go, kubernetes kubeapiserver/admission/exclusion. */
const exempt: ReadonlySet<string> = new Set([
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

/** Are policies never asked about this resource? */
export function isExemptFromPolicies({ resource: { group, resource } }: Pick<Attributes, 'resource'>): boolean {
  return exempt.has(`${resource}.${group}`);
}
