import { commonStrategy } from '../apiserver/registry/common-strategy.js';
import { customStrategy } from '../apiserver/registry/custom-strategy.js';
import type { Refinement, Strategy } from '../apiserver/registry/strategy.js';
import type { ValueMap } from '../go/value.js';
import type { Resource } from '../kubernetes/resource-table.js';
import { admissionPolicy } from './admissionregistration/admission-policy/admission-policy-strategy.js';
import { webhookConfiguration } from './admissionregistration/webhook-configuration/webhook-configuration-strategy.js';
import { customResourceDefinition } from './apiextensions/custom-resource-definition/custom-resource-definition-strategy.js';
import { daemonSet } from './apps/daemon-set/daemon-set-strategy.js';
import { deployment } from './apps/deployment/deployment-strategy.js';
import { horizontalPodAutoscaler } from './autoscaling/horizontal-pod-autoscaler/horizontal-pod-autoscaler-strategy.js';
import { job } from './batch/job/job-strategy.js';
import { certificateSigningRequest } from './certificates/certificate-signing-request/certificate-signing-request-strategy.js';
import { limitRange } from './core/limit-range/limit-range-strategy.js';
import { namespace } from './core/namespace/namespace-strategy.js';
import { node } from './core/node/node-strategy.js';
import { persistentVolume } from './core/persistent-volume/persistent-volume-strategy.js';
import { persistentVolumeClaim } from './core/persistent-volume-claim/persistent-volume-claim-strategy.js';
import { pod } from './core/pod/pod-strategy.js';
import { podTemplate } from './core/pod-template/pod-template-strategy.js';
import { service } from './core/service/service-strategy.js';
import { serviceAccount } from './core/service-account/service-account-strategy.js';
import { withoutDisabledFields } from './disabled-fields.js';
import { endpointSlice } from './discovery/endpoint-slice/endpoint-slice-strategy.js';
import { flowControl } from './flowcontrol/flow-control-strategy.js';
import { ipAddress } from './networking/ip-address/ip-address-strategy.js';
import { networkPolicy } from './networking/network-policy/network-policy-strategy.js';
import { roleBinding } from './rbac/role-binding/role-binding-strategy.js';
import { resourceClaim, resourceClaimTemplate } from './resource/resource-claim/resource-claim-strategy.js';
import { priorityClass } from './scheduling/priority-class/priority-class-strategy.js';
import { csiDriver } from './storage/csi-driver/csi-driver-strategy.js';

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
