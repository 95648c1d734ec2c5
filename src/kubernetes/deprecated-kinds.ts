import type { ApiServer } from './api-server.js';

/** Deprecated built-in kinds by apiVersion and kind: the minor version of the deprecation and of the removal, and the replacement. */
const deprecatedKinds: ReadonlyMap<string, Deprecation> = new Map<string, Deprecation>([
  ['v1 Endpoints', { since: 33, message: 'in v1.33+; use discovery.k8s.io/v1 EndpointSlice' }],
  ['v1 ComponentStatus', { since: 19, message: 'in v1.19+' }],
  ...leaving('networking.k8s.io/v1beta1', 34, ['IPAddress', 'ServiceCIDR']),
  ...leaving('certificates.k8s.io/v1alpha1', 34, ['ClusterTrustBundle']),
  ...leaving('storagemigration.k8s.io/v1alpha1', 33, ['StorageVersionMigration']),
  ...leaving('admissionregistration.k8s.io/v1alpha1', 35, ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding']),
  ...leaving('coordination.k8s.io/v1alpha2', 35, ['LeaseCandidate']),
  ...leaving('coordination.k8s.io/v1beta1', 36, ['LeaseCandidate']),
  ...leaving('resource.k8s.io/v1alpha3', 36, ['DeviceTaintRule']),
  ...leaving('resource.k8s.io/v1beta1', 35, ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice']),
  ...leaving('resource.k8s.io/v1beta2', 36, ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice']),
  ...leavingFor('admissionregistration.k8s.io', 'v1beta1', ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding']),
  ...leavingFor('certificates.k8s.io', 'v1beta1', ['ClusterTrustBundle', 'PodCertificateRequest']),
  ...leavingFor('storagemigration.k8s.io', 'v1beta1', ['StorageVersionMigration']),
  ...leaving('storage.k8s.io/v1alpha1', 32, ['VolumeAttributesClass'], '; use storage.k8s.io/v1 VolumeAttributesClass'),
  ...leaving('storage.k8s.io/v1beta1', 34, ['VolumeAttributesClass'], '; use storage.k8s.io/v1 VolumeAttributesClass'),
]);

/** Versions are removed three minor versions after their deprecation. Source: kubernetes api zz_generated.prerelease-lifecycle.go. */
function leaving(groupVersion: string, since: number, kinds: readonly string[], advice = ''): [string, Deprecation][] {
  return kinds.map(kind => [
    `${groupVersion} ${kind}`,
    { since, goneIn: since + 3, message: `in v1.${since}+, unavailable in v1.${since + 3}+${advice}` },
  ]);
}

/** Versions that v1.37 deprecates in favor of `v1`. */
function leavingFor(group: string, version: string, kinds: readonly string[]): [string, Deprecation][] {
  return kinds.flatMap(kind => leaving(`${group}/${version}`, 37, [kind], `; use ${group}/v1 ${kind}`));
}

/** Kinds that since v1.38 go away in no minor that is known, with the advice that replaces it. */
const kept: ReadonlyMap<string, string> = new Map([
  ['admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy', '; use admissionregistration.k8s.io/v1 MutatingAdmissionPolicy'],
  [
    'admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyBinding',
    '; use admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding',
  ],
  ['coordination.k8s.io/v1alpha2 LeaseCandidate', ''],
  ['resource.k8s.io/v1alpha3 DeviceTaintRule', ''],
]);

/** Returns the deprecation of a kind, by apiVersion and kind, as a minor announces it; undefined if it is not deprecated. */
export function deprecationOf(server: ApiServer, kind: string): Deprecation | undefined {
  const deprecation = deprecatedKinds.get(kind);
  const advice = server.since('v1.38') ? kept.get(kind) : undefined;
  if (deprecation === undefined || advice === undefined) return deprecation;
  return { since: deprecation.since, message: `in v1.${deprecation.since}+${advice}` };
}

export interface Deprecation {
  /** The minor that first warns. */
  readonly since: number;
  readonly message: string;
  /** The minor that no longer serves it. */
  readonly goneIn?: number;
}
