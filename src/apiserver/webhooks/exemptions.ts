import type { ApiServer } from '../../kubernetes/api-server.js';
import { isVirtual } from '../../kubernetes/virtual-resources.js';
import type { Attributes } from '../admission/attributes.js';

const configurationKinds = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/**
 * Reports whether webhooks are never called for this request. Otherwise a broken one could not be removed, or could refuse all
 * authentication. Source: apiserver admission/plugin/webhook/generic/webhook.go Dispatch, predicates/rules
 * IsExemptAdmissionConfigurationResource.
 */
export function isExemptFromWebhooks(server: ApiServer, { kind, resource }: Pick<Attributes, 'kind' | 'resource'>): boolean {
  if (kind.group === 'admissionregistration.k8s.io' && configurationKinds.has(kind.kind)) return true;
  return isVirtual(resource) && server.isEnabled('ExcludeAdmissionWebhookVirtualResources');
}
