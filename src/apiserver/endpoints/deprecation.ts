import { listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { deprecatedKinds } from '../../kubernetes/deprecated-kinds.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { kubernetesMinor } from '../../kubernetes/kubernetes-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { compareVersions } from '../../kubernetes/version-order.js';

<<<<<<< HEAD
/** The warning every call on a deprecated version gets; undefined for others. Source: apiserver handlers, endpoints/deprecation. */
=======
/** Deprecated built-in kinds, by apiVersion and kind, with the versions and replacement in the warning. */
const deprecatedKinds: ReadonlyMap<string, string> = new Map([
  ['v1 Endpoints', 'in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
  ['v1 ComponentStatus', 'in v1.19+'],
  ...leaving('networking.k8s.io/v1beta1', 34, ['IPAddress', 'ServiceCIDR']),
  ...leaving('certificates.k8s.io/v1alpha1', 34, ['ClusterTrustBundle']),
  ...leaving('admissionregistration.k8s.io/v1alpha1', 35, ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding']),
  ...leaving('coordination.k8s.io/v1alpha2', 35, ['LeaseCandidate']),
  ...leaving('coordination.k8s.io/v1beta1', 36, ['LeaseCandidate']),
  ...leaving('resource.k8s.io/v1alpha3', 36, ['DeviceTaintRule']),
  ...leaving('resource.k8s.io/v1beta1', 35, ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice']),
  ...leaving('resource.k8s.io/v1beta2', 36, ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice']),
  ['storage.k8s.io/v1beta1 VolumeAttributesClass', 'in v1.34+, unavailable in v1.37+; use storage.k8s.io/v1 VolumeAttributesClass'],
]);

/**
 * Returns deprecated kinds that are removed three minor versions after the deprecation. Source: kubernetes api
 * zz_generated.prerelease-lifecycle.go.
 */
function leaving(groupVersion: string, since: number, kinds: readonly string[]): [string, string][] {
  return kinds.map(kind => [`${groupVersion} ${kind}`, `in v1.${since}+, unavailable in v1.${since + 3}+`]);
}

/**
 * Returns the warning for a call on a deprecated version; undefined for other versions. Source: apiserver handlers, endpoints/deprecation.
 */
>>>>>>> lang
export function deprecationWarning({ kind }: Resource, definition: ValueMap | undefined): string | undefined {
  if (definition === undefined) {
    const name = `${apiVersionOf(kind)} ${kind.kind}`;
    const deprecation = deprecatedKinds.get(name);
    const minor = Number(kubernetesMinor().slice('v1.'.length));
    return deprecation === undefined || minor < deprecation.since ? undefined : `${name} is deprecated ${deprecation.words}`;
  }
  const version = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === kind.version);
  if (version === undefined || valueAt(version, 'deprecated') !== true) return undefined;
  const given = valueAt(version, 'deprecationWarning');
  return typeof given === 'string' ? given : defaultWarning(kind, definition);
}

/** Returns the default warning, which names the replacement: the first served version in Kubernetes' order that is not deprecated. */
function defaultWarning(kind: GroupVersionKind, definition: ValueMap): string {
  const usable = listAt(definition, 'spec', 'versions').filter(v => valueAt(v, 'served') === true && valueAt(v, 'deprecated') !== true);
  const [newest] = usable.map(v => stringAt(v, 'name')).sort(compareVersions);
  const words = `${apiVersionOf(kind)} ${kind.kind} is deprecated`;
  return newest === undefined ? words : `${words}; use ${kind.group}/${newest} ${kind.kind}`;
}
