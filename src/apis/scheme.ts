import type { ConversionRule } from '../apiserver/objects/conversion-rules.js';
import type { DefaultRule } from '../apiserver/objects/default-rules.js';
import { rulesByGroup } from '../apiserver/objects/rules-by-group.js';
import type { Scheme } from '../apiserver/objects/scheme.js';
import { admissionregistrationConversions } from './admissionregistration/admissionregistration-conversions.js';
import { admissionregistrationDefaults } from './admissionregistration/admissionregistration-defaults.js';
import { apiextensionsConversions } from './apiextensions/apiextensions-conversions.js';
import { apiextensionsDefaults } from './apiextensions/apiextensions-defaults.js';
import { apiregistrationConversions } from './apiregistration/apiregistration-conversions.js';
import { appsConversions } from './apps/apps-conversions.js';
import { appsDefaults } from './apps/apps-defaults.js';
import { authenticationConversions } from './authentication/authentication-conversions.js';
import { authenticationDefaults } from './authentication/authentication-defaults.js';
import { autoscalingConversions } from './autoscaling/autoscaling-conversions.js';
import { autoscalingDefaults } from './autoscaling/autoscaling-defaults.js';
import { scaleConversions } from './autoscaling/scale-conversions.js';
import { batchDefaults } from './batch/batch-defaults.js';
import { certificatesConversions } from './certificates/certificates-conversions.js';
import { certificatesDefaults } from './certificates/certificates-defaults.js';
import { coreConversions } from './core/core-conversions.js';
import { coreDefaults, serviceDefaults } from './core/core-defaults.js';
import { podSpecDefaults, volumeDefaults } from './core/pod/defaults/pod-spec-defaults.js';
import { podDefaults } from './core/pod/defaults/pod-template-defaults.js';
import { eventsConversions } from './events/events-conversions.js';
import { flowcontrolConversions } from './flowcontrol/flowcontrol-conversions.js';
import { flowcontrolDefaults } from './flowcontrol/flowcontrol-defaults.js';
import { listConversion } from './list-conversions.js';
import { networkingConversions } from './networking/networking-conversions.js';
import { networkingDefaults } from './networking/networking-defaults.js';
import { nodeConversions } from './node/node-conversions.js';
import { policyConversions } from './policy/policy-conversions.js';
import { rbacConversions } from './rbac/rbac-conversions.js';
import { rbacDefaults } from './rbac/rbac-defaults.js';
import { resourceConversions } from './resource/resource-conversions.js';
import { resourceDefaults } from './resource/resource-defaults.js';
import { schedulingDefaults } from './scheduling/scheduling-defaults.js';
import { storageDefaults } from './storage/storage-defaults.js';

const ownConversion = rulesByGroup<ConversionRule>({
  admissionregistration: () => [admissionregistrationConversions],
  apiextensions: () => [apiextensionsConversions],
  apiregistration: () => [apiregistrationConversions],
  apps: () => [appsConversions, scaleConversions],
  authentication: () => [authenticationConversions],
  autoscaling: () => [autoscalingConversions],
  certificates: () => [certificatesConversions],
  core: () => [coreConversions],
  discovery: () => [networkingConversions],
  events: () => [eventsConversions],
  extensions: () => [appsConversions, networkingConversions, scaleConversions],
  flowcontrol: () => [flowcontrolConversions],
  networking: () => [networkingConversions],
  node: () => [nodeConversions],
  policy: () => [policyConversions],
  rbac: () => [rbacConversions],
  resource: () => [resourceConversions],
});

/** Defaults and conversions of the built-in types. Source: kubernetes pkg/api/legacyscheme, and the install package of each group. */
export const kubernetesScheme: Scheme = {
  defaultRule: rulesByGroup<DefaultRule>({
    admissionregistration: () => [admissionregistrationDefaults],
    apiextensions: () => [apiextensionsDefaults],
    apiregistration: () => [apiextensionsDefaults],
    apps: () => [appsDefaults],
    authentication: () => [authenticationDefaults],
    autoscaling: () => [autoscalingDefaults],
    batch: () => [batchDefaults],
    certificates: () => [certificatesDefaults],
    core: () => [podDefaults, podSpecDefaults, volumeDefaults, coreDefaults, serviceDefaults],
    discovery: () => [networkingDefaults],
    extensions: () => [appsDefaults, networkingDefaults],
    flowcontrol: () => [flowcontrolDefaults],
    networking: () => [networkingDefaults],
    rbac: () => [rbacDefaults],
    resource: () => [resourceDefaults],
    scheduling: () => [schedulingDefaults],
    storage: () => [storageDefaults],
  }),
  conversionRule: structName => ownConversion(structName) ?? listConversion(structName),
  // The Events of both groups have one internal type.
  internalPackage: group => (group === '' || group === 'events.k8s.io' ? 'core' : (group.split('.', 1)[0] ?? group)),
};
