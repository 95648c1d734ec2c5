import type { Resource } from '../../kubernetes/resource-table.js';
import type { ValueMap } from '../../kubernetes/value.js';
import { commonStrategy } from './common-strategy.js';
import { customStrategy } from './custom-strategy.js';
import { withoutDisabledFields } from './disabled-fields.js';
import { admissionPolicy } from './kinds/admission-policy.js';
import { horizontalPodAutoscaler } from './kinds/autoscaler.js';
import { customResourceDefinition } from './kinds/custom-resource-definition.js';
import { job } from './kinds/job.js';
import { namespace } from './kinds/namespace.js';
import { pod } from './kinds/pod.js';
import { resourceClaim, resourceClaimTemplate } from './kinds/resource-claim.js';
import { roleBinding } from './kinds/role-binding.js';
import { service } from './kinds/service.js';
import {
  certificateSigningRequest,
  endpointSlice,
  ipAddress,
  limitRange,
  networkPolicy,
  node,
  serviceAccount,
} from './kinds/small-kinds.js';
import { persistentVolume, persistentVolumeClaim } from './kinds/storage.js';
import { webhookConfiguration } from './kinds/webhook-configuration.js';
import { csiDriver, daemonSet, deployment, flowControl, podTemplate, priorityClass } from './kinds/workloads.js';
import type { Refinement, Strategy } from './strategy.js';

/** By `resource.group`, whatever the version; a call needs one of them. */
const refinements: ReadonlyMap<string, () => Refinement> = new Map([
  ['pods.', () => pod],
  ['customresourcedefinitions.apiextensions.k8s.io', () => customResourceDefinition],
  ['jobs.batch', () => job],
  ['deployments.apps', () => deployment],
  ['daemonsets.apps', () => daemonSet],
  ['podtemplates.', () => podTemplate],
  ['priorityclasses.scheduling.k8s.io', () => priorityClass],
  ['resourceclaims.resource.k8s.io', () => resourceClaim],
  ['resourceclaimtemplates.resource.k8s.io', () => resourceClaimTemplate],
  ['csidrivers.storage.k8s.io', () => csiDriver],
  ['flowschemas.flowcontrol.apiserver.k8s.io', () => flowControl],
  ['prioritylevelconfigurations.flowcontrol.apiserver.k8s.io', () => flowControl],
  ['rolebindings.rbac.authorization.k8s.io', () => roleBinding],
  ['clusterrolebindings.rbac.authorization.k8s.io', () => roleBinding],
  ['horizontalpodautoscalers.autoscaling', () => horizontalPodAutoscaler],
  ['services.', () => service],
  ['namespaces.', () => namespace],
  ['persistentvolumes.', () => persistentVolume],
  ['persistentvolumeclaims.', () => persistentVolumeClaim],
  ['serviceaccounts.', () => serviceAccount],
  ['limitranges.', () => limitRange],
  ['ipaddresses.networking.k8s.io', () => ipAddress],
  ['nodes.', () => node],
  ['certificatesigningrequests.certificates.k8s.io', () => certificateSigningRequest],
  ['endpointslices.discovery.k8s.io', () => endpointSlice],
  ['networkpolicies.networking.k8s.io', () => networkPolicy],
  ['mutatingwebhookconfigurations.admissionregistration.k8s.io', () => webhookConfiguration],
  ['validatingwebhookconfigurations.admissionregistration.k8s.io', () => webhookConfiguration],
  ['validatingadmissionpolicies.admissionregistration.k8s.io', () => admissionPolicy],
  ['validatingadmissionpolicybindings.admissionregistration.k8s.io', () => admissionPolicy],
  ['mutatingadmissionpolicies.admissionregistration.k8s.io', () => admissionPolicy],
  ['mutatingadmissionpolicybindings.admissionregistration.k8s.io', () => admissionPolicy],
]);

/** The strategy of a resource, or of one of its subresources; custom resources need the definition behind them. */
export function strategyFor(resource: Resource, subresource: string, definition?: ValueMap): Strategy {
  if (definition !== undefined) return customStrategy(resource, subresource, definition);
  const base = commonStrategy(resource, subresource);
  const refined = refinements.get(`${resource.resource}.${resource.group}`)?.()(base) ?? base;
  return withoutDisabledFields(refined, resource);
}
