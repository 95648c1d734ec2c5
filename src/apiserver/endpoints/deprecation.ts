import { listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { kubernetesMinor } from '../../kubernetes/kubernetes-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { compareVersions } from '../../kubernetes/version-order.js';

/** Built-in kinds that are on their way out, by apiVersion and kind: since which minor version, from which on they are gone, what to use. */
const deprecatedKinds: ReadonlyMap<string, Deprecation> = new Map<string, Deprecation>([
  ['v1 Endpoints', { since: 33, words: 'in v1.33+; use discovery.k8s.io/v1 EndpointSlice' }],
  ['v1 ComponentStatus', { since: 19, words: 'in v1.19+' }],
  ...leaving('networking.k8s.io/v1beta1', 34, ['IPAddress', 'ServiceCIDR']),
  ...leaving('certificates.k8s.io/v1alpha1', 34, ['ClusterTrustBundle']),
  ...leaving('storagemigration.k8s.io/v1alpha1', 33, ['StorageVersionMigration']),
  ...leaving('admissionregistration.k8s.io/v1alpha1', 35, ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding']),
  ...leaving('coordination.k8s.io/v1alpha2', 35, ['LeaseCandidate']),
  ...leaving('coordination.k8s.io/v1beta1', 36, ['LeaseCandidate']),
  ...leaving('resource.k8s.io/v1alpha3', 36, ['DeviceTaintRule']),
  ...leaving('resource.k8s.io/v1beta1', 35, ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice']),
  ...leaving('resource.k8s.io/v1beta2', 36, ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice']),
  ...leaving('storage.k8s.io/v1alpha1', 32, ['VolumeAttributesClass'], '; use storage.k8s.io/v1 VolumeAttributesClass'),
  ...leaving('storage.k8s.io/v1beta1', 34, ['VolumeAttributesClass'], '; use storage.k8s.io/v1 VolumeAttributesClass'),
]);

/** Versions go three minor versions after they were deprecated. Source: kubernetes api zz_generated.prerelease-lifecycle.go. */
function leaving(groupVersion: string, since: number, kinds: readonly string[], advice = ''): [string, Deprecation][] {
  return kinds.map(kind => [`${groupVersion} ${kind}`, { since, words: `in v1.${since}+, unavailable in v1.${since + 3}+${advice}` }]);
}

interface Deprecation {
  /** The minor that first warns. */
  readonly since: number;
  readonly words: string;
}

/** The warning every call on a deprecated version gets; undefined for others. Source: apiserver handlers, endpoints/deprecation. */
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

/** Names the version to use instead: the first by Kubernetes' order that is served and not deprecated itself. */
function defaultWarning(kind: GroupVersionKind, definition: ValueMap): string {
  const usable = listAt(definition, 'spec', 'versions').filter(v => valueAt(v, 'served') === true && valueAt(v, 'deprecated') !== true);
  const [newest] = usable.map(v => stringAt(v, 'name')).sort(compareVersions);
  const words = `${apiVersionOf(kind)} ${kind.kind} is deprecated`;
  return newest === undefined ? words : `${words}; use ${kind.group}/${newest} ${kind.kind}`;
}
