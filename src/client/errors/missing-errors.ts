import type { KnownError } from './known-error.js';

const noKind = '^(?:resource mapping not found for name: .*?|unable to recognize .*?)?no matches for kind ';

/** Versions that Kubernetes has removed, with their replacements. */
const removed: readonly (readonly [string, string, string])[] = [
  ['extensions/v1beta1', 'Ingress', 'networking.k8s.io/v1'],
  ['networking.k8s.io/v1beta1', 'Ingress|IngressClass', 'networking.k8s.io/v1'],
  ['(?:extensions/v1beta1|apps/v1beta1|apps/v1beta2)', 'Deployment|DaemonSet|ReplicaSet|StatefulSet', 'apps/v1'],
  ['extensions/v1beta1', 'NetworkPolicy', 'networking.k8s.io/v1'],
  ['(?:policy|extensions)/v1beta1', 'PodSecurityPolicy', 'the labels pod-security.kubernetes.io/enforce of namespaces'],
  ['policy/v1beta1', 'PodDisruptionBudget', 'policy/v1'],
  ['batch/v1beta1', 'CronJob', 'batch/v1'],
  ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', 'apiextensions.k8s.io/v1'],
  ['admissionregistration.k8s.io/v1beta1', '(?:Mutating|Validating)WebhookConfiguration', 'admissionregistration.k8s.io/v1'],
  ['apiregistration.k8s.io/v1beta1', 'APIService', 'apiregistration.k8s.io/v1'],
  ['rbac.authorization.k8s.io/v1(?:alpha1|beta1)', '(?:Cluster)?Role(?:Binding)?', 'rbac.authorization.k8s.io/v1'],
  ['autoscaling/v2beta[12]', 'HorizontalPodAutoscaler', 'autoscaling/v2'],
  ['certificates.k8s.io/v1beta1', 'CertificateSigningRequest', 'certificates.k8s.io/v1'],
  ['coordination.k8s.io/v1beta1', 'Lease', 'coordination.k8s.io/v1'],
  ['discovery.k8s.io/v1beta1', 'EndpointSlice', 'discovery.k8s.io/v1'],
  ['events.k8s.io/v1beta1', 'Event', 'events.k8s.io/v1'],
  ['storage.k8s.io/v1beta1', 'StorageClass|CSIDriver|CSINode|VolumeAttachment|CSIStorageCapacity', 'storage.k8s.io/v1'],
  ['scheduling.k8s.io/v1(?:alpha1|beta1)', 'PriorityClass', 'scheduling.k8s.io/v1'],
  ['node.k8s.io/v1beta1', 'RuntimeClass', 'node.k8s.io/v1'],
  ['flowcontrol.apiserver.k8s.io/v1beta[123]', 'FlowSchema|PriorityLevelConfiguration', 'flowcontrol.apiserver.k8s.io/v1'],
];

function removedVersion([version, kind, instead]: (typeof removed)[number]): KnownError {
  const pattern = `${noKind}"(?<kind>${kind})" in version "(?<version>${version.replaceAll('.', '\\.')})"`;
  return {
    id: 'removed-version',
    fault: 'manifest',
    text: new RegExp(pattern, 's'),
    why: 'this Kubernetes no longer serves {version} {kind}',
    try: `use ${instead}; a Helm release that was installed with the old version is corrected with the plugin mapkubeapis`,
    command: ['kubectl', 'api-resources'],
  };
}

const builtInVersion = String.raw`(?:(?:apps|batch|autoscaling|policy|extensions|(?:admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration)\.k8s\.io)/)?v\d+(?:(?:alpha|beta)\d+)?`;

/** Errors about kinds, resources and objects that do not exist. */
export const missingErrors: readonly KnownError[] = [
  {
    id: 'removed-version-in-release',
    fault: null,
    text: /^unable to build kubernetes objects from (?:current|old) release manifest: .*?no matches for kind "(?<kind>[^"]*)" in version "(?<version>[^"]*)"/s,
    why: 'the release that Helm has stored, not the new chart, contains {kind} of {version}, which this cluster does not serve any more',
    try: 'correct the stored release with the plugin mapkubeapis, then upgrade; next time upgrade the chart before the cluster',
    command: ['helm', 'get', 'manifest', 'RELEASE'],
  },
  ...removed.map(removedVersion),
  {
    id: 'no-kind',
    fault: null,
    text: new RegExp(`${noKind}"(?<kind>[^"]*)" in version "(?<version>${builtInVersion})"`, 's'),
    why: 'the cluster does not serve {kind} of {version}, which is an API group of Kubernetes itself',
    try: 'correct apiVersion or kind; if both are right, this version of Kubernetes does not have them yet, or not any more',
    command: ['kubectl', 'api-resources'],
  },
  {
    id: 'no-kind',
    fault: null,
    text: new RegExp(`${noKind}"(?<kind>[^"]*)" in (?:version|group) "(?<version>[^"]*)"`, 's'),
    why: 'the cluster does not serve {kind} of {version}',
    try: 'apply its CustomResourceDefinition first, or correct apiVersion; a definition that exists may not be established (an invalid caBundle, taken names), which its conditions show; here pass it with --state',
    command: ['kubectl', 'api-resources'],
  },
  {
    id: 'unknown-resource',
    fault: null,
    text: /^(?:error: )?the server doesn't have a resource type "(?<resource>[^"]*)"/,
    why: 'the cluster does not serve a resource named {resource}',
    try: 'check the name and the version of the cluster, and whether the CustomResourceDefinition is applied and established',
    command: ['kubectl', 'api-resources'],
  },
  {
    id: 'namespace-missing',
    fault: null,
    text: /^namespaces "(?<namespace>[^"]*)" not found/,
    why: 'the namespace {namespace} does not exist',
    try: 'create it first, or correct the namespace; here pass it with --state',
    command: ['kubectl', 'get', 'namespace', '{namespace}'],
  },
  {
    id: 'not-served',
    fault: null,
    isGeneral: true,
    text: /^the server could not find the requested resource/,
    why: 'a server responded with 404; without the rest of the line, it can be the API server (a version that is not served, an older or newer client) or a webhook',
    try: 'pass the whole line, with the call that failed',
  },
  {
    id: 'group-not-served',
    fault: null,
    text: /^(?:[Dd]iscovery failed for some groups, \d+ failing: )?unable to retrieve the complete list of server APIs: (?<group>[^:\s]+): the server could not find the requested resource/,
    why: 'the version {group} is listed, but the server that serves it responds with 404: it was just removed or added, or an extension API server does not have this version',
    try: 'repeat it; if it stays, compare its APIService with the versions that the extension serves',
    command: ['kubectl', 'get', 'apiservices'],
  },
  {
    id: 'aggregated-api-down',
    fault: 'cluster',
    text: /^(?:(?:[Dd]iscovery failed for some groups, \d+ failing: )?unable to retrieve the complete list of server APIs: |couldn't get resource list for )(?<group>[^:\s]+): (?:the server is currently unable to handle the request|an error on the server|stale GroupVersion discovery|Get )/,
    why: 'the API service of {group} does not answer, so nobody can list all resources: namespaces stay Terminating, and clients fail',
    try: 'repair its service, or delete the APIService if what it belonged to is gone',
    command: ['kubectl', 'get', 'apiservices'],
  },
  {
    id: 'api-service-unreachable',
    fault: 'cluster',
    text: /^(?:(?<service>\S+) failed with: )?failing or missing response from (?<url>https?:\/\/\S+?)(?::|$)/,
    why: 'the API server gets no response from an extension API server at {url}: its pods, the network policy, the firewall or the caBundle of the APIService',
    try: 'check its pods and the port of its pods; the conditions of the APIService show the rest',
    command: ['kubectl', 'get', 'apiservices'],
  },
  {
    id: 'no-kind',
    fault: null,
    text: /^API did not recognize GroupVersionKind from manifest/,
    why: 'Terraform finds no such kind in the cluster when it plans',
    try: 'apply the CustomResourceDefinition in an earlier run; kubernetes_manifest needs it while planning',
    command: ['kubectl', 'api-resources'],
  },
  {
    id: 'not-found',
    fault: null,
    isGeneral: true,
    text: /^(?<resource>\S+) "(?<name>[^"]*)" not found/,
    why: 'there is no {resource} with the name {name}, in this namespace if it has one',
    try: 'create it first, or correct the name and the namespace; here pass it with --state',
  },
];
