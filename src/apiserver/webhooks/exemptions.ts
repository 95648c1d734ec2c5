import type { GroupVersionKind } from '../../kubernetes/group-version.js';

const configurationKinds = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/**
 * Reports whether webhooks are never called for this kind. Otherwise a broken one could not be removed. Source: apiserver predicates/rules
 * IsExemptAdmissionConfigurationResource.
 */
export function isExemptFromWebhooks({ group, kind }: GroupVersionKind): boolean {
  return group === 'admissionregistration.k8s.io' && configurationKinds.has(kind);
}
