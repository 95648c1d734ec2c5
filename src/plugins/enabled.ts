import type { Operation } from '../apiserver/admission/attributes.js';
import type { AdmissionPhase, AdmissionPlugin, HandledRequests, WebhookPlugins } from '../apiserver/admission/chain.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import type { KubernetesMinor } from '../kubernetes/kubernetes-version.js';
import { memoize } from '../kubernetes/memoize.js';
import type { ApiServerOptions } from '../kubernetes/server-options.js';
import { mutatingAdmissionPolicy, validatingAdmissionPolicy } from './admission-policies.js';
import { alwaysAdmit, alwaysDeny } from './always.js';
import { alwaysPullImages } from './always-pull-images.js';
import { certificateApprovalPlugin, certificateSigning, certificateSubjectRestriction, clusterTrustBundleAttest } from './certificates.js';
import { defaultIngressClass, defaultStorageClass } from './default-classes.js';
import { denyServiceExternalIPs } from './deny-service-external-ips.js';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.js';
import { limitRanger } from './limit-ranger.js';
import { namespaceAutoProvision, namespaceExists, namespaceLifecycle } from './namespaces.js';
import { nodeDeclaredFeatureValidator } from './node-declared-feature-validator.js';
import { eventRateLimit, imagePolicyWebhook, inert, nodeRestriction } from './not-reproduced-plugins.js';
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.js';
import { podGroupProtection } from './pod-group-protection.js';
import { podNodeSelector } from './pod-node-selector.js';
import { podResizeValidator } from './pod-resize-validator.js';
import { podSecurity } from './pod-security.js';
import { podTopologyLabels } from './pod-topology-labels.js';
import { priority } from './priority.js';
import { resourceQuota } from './resource-quota.js';
import { runtimeClass } from './runtime-class.js';
import { serviceAccountPlugin } from './service-account.js';
import { taintNodesByCondition } from './taint-nodes-by-condition.js';
import { defaultTolerationSeconds, extendedResourceToleration, podTolerationRestriction } from './tolerations.js';
import { persistentVolumeClaimResize, storageObjectInUseProtection } from './volumes.js';

/** Plugin, or a placeholder of one that calls webhooks. */
type Entry = AdmissionPlugin | keyof WebhookPlugins;

/** A plugin, whether it runs without flags, and the first and the last minor that has it. */
type Row = readonly ['on' | 'off', Entry, KubernetesMinor?, KubernetesMinor?];

/** Plugins in the API server's order. Source: kubernetes pkg/kubeapiserver/options/plugins.go. */
const inOrder: readonly Row[] = [
  ['off', alwaysAdmit],
  ['off', namespaceAutoProvision],
  ['on', namespaceLifecycle],
  ['off', namespaceExists],
  ['off', limitPodHardAntiAffinityTopology],
  ['on', limitRanger],
  ['on', serviceAccountPlugin],
  ['off', nodeRestriction],
  ['on', taintNodesByCondition],
  ['off', alwaysPullImages],
  ['off', imagePolicyWebhook],
  ['on', podSecurity],
  ['off', podNodeSelector],
  ['on', priority],
  ['on', defaultTolerationSeconds],
  ['off', podTolerationRestriction],
  ['off', eventRateLimit],
  ['off', extendedResourceToleration],
  ['on', defaultStorageClass],
  ['on', storageObjectInUseProtection],
  ['on', podGroupProtection, 'v1.36'],
  ['off', ownerReferencesPermissionEnforcement],
  ['on', persistentVolumeClaimResize],
  ['on', runtimeClass],
  ['on', certificateApprovalPlugin],
  ['on', certificateSigning],
  ['on', clusterTrustBundleAttest],
  ['on', certificateSubjectRestriction],
  ['on', defaultIngressClass],
  ['off', denyServiceExternalIPs],
  ['on', podTopologyLabels],
  // They do nothing, so their order does not matter.
  ...inert.map(({ plugin, minor }) => ['on', plugin, minor, minor] as const),
  // Before it looked at ResourceSlices, too, it handled no creates.
  ['on', { ...nodeDeclaredFeatureValidator, operations: ['UPDATE'] }, 'v1.35', 'v1.36'],
  ['on', nodeDeclaredFeatureValidator, 'v1.37'],
  ['on', podResizeValidator, 'v1.36'],
  ['on', mutatingAdmissionPolicy],
  ['on', 'mutating'],
  ['on', validatingAdmissionPolicy],
  ['on', 'validating'],
  ['on', resourceQuota],
  ['off', alwaysDeny],
];

/** Returns the plugins that run, in the API server's order, by its options; with `handled`, those that handle such requests. */
export function enabledPlugins(
  server: ApiServer,
  options: ApiServerOptions,
  webhooks: WebhookPlugins,
  handled?: HandledRequests,
): AdmissionPlugin[] {
  const entries =
    handled === undefined ? enabledEntries(server)(options) : handlingEntries(server)(options)[handled.phase][handled.operation];
  return entries.map(entry => (typeof entry === 'string' ? webhooks[entry] : entry));
}

/** Memoized, because all calls of a state have the same options. */
const enabledEntries = memoize((server: ApiServer) =>
  memoize(({ enabledPlugins, disabledPlugins }: ApiServerOptions): readonly Entry[] => {
    const [on, off] = [new Set(enabledPlugins), new Set(disabledPlugins)];
    const isOn = ([byDefault, entry]: Row): boolean => on.has(nameOf(entry)) || (byDefault === 'on' && !off.has(nameOf(entry)));
    return inOrder.filter(row => isOn(row) && isThere(server, row)).map(([, entry]) => entry);
  }),
);

/** Most plugins handle few requests: asking each of them in every call takes longer than running those that do. */
const handlingEntries = memoize((server: ApiServer) =>
  memoize((options: ApiServerOptions) => {
    const entries = enabledEntries(server)(options);
    const byOperation = (phase: AdmissionPhase): Readonly<Record<Operation, readonly Entry[]>> => {
      const handling = (operation: Operation) => entries.filter(entry => handles(entry, { operation, phase }));
      return { CONNECT: handling('CONNECT'), CREATE: handling('CREATE'), DELETE: handling('DELETE'), UPDATE: handling('UPDATE') };
    };
    return { admit: byOperation('admit'), validate: byOperation('validate') };
  }),
);

/** Webhooks are called for all operations. */
function handles(entry: Entry, { operation, phase }: HandledRequests): boolean {
  if (typeof entry === 'string') return entry === (phase === 'admit' ? 'mutating' : 'validating');
  return entry.operations.includes(operation) && entry[phase] !== undefined;
}

function isThere(server: ApiServer, [, , first, last]: Row): boolean {
  return (first === undefined || server.since(first)) && (last === undefined || server.until(last));
}

function nameOf(entry: Entry): string {
  return typeof entry === 'string' ? webhookNames[entry] : entry.name;
}

const webhookNames: Readonly<Record<keyof WebhookPlugins, string>> = {
  mutating: 'MutatingAdmissionWebhook',
  validating: 'ValidatingAdmissionWebhook',
};

/** Returns the names of the plugins that run, in the API server's order. */
export function enabledPluginNames(server: ApiServer, options: ApiServerOptions): string[] {
  return enabledEntries(server)(options).map(nameOf);
}

/** Returns kube-apiserver's startup error for these options; none when they are valid. Source: apiserver server/options/admission.go Validate. */
export function refusedPluginFlags(
  server: ApiServer,
  { enabledPlugins, disabledPlugins }: Pick<ApiServerOptions, 'enabledPlugins' | 'disabledPlugins'>,
): string[] {
  const known = new Set(pluginNames(server));
  const unknown = (flag: string, names: readonly string[]): string[] =>
    names.filter(name => !known.has(name)).map(name => `${flag} plugin ${JSON.stringify(name)} is unknown`);
  const both = [...new Set(enabledPlugins)].filter(name => disabledPlugins.includes(name)).sort();
  const overlap = both.length === 0 ? [] : [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`];
  return [...unknown('enable-admission-plugins', enabledPlugins), ...unknown('disable-admission-plugins', disabledPlugins), ...overlap];
}

/** Returns the names of all plugins that flags may turn on or off, in the API server's order. */
export function pluginNames(server: ApiServer): string[] {
  return inOrder.filter(value => isThere(server, value)).map(([, entry]) => nameOf(entry));
}
