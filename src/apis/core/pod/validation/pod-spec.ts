import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../../apiserver/registry/validation/go-value.js';
import { checkLabels, checkName, checkOneOf } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import { addQuantities, compareQuantities, parseQuantity, type Quantity, quantityText } from '../../../../kubernetes/quantity.js';
import { checkAffinity } from './affinity.js';
import { checkResources } from './container-resources.js';
import { checkContainers, checkEphemeralContainers, checkInitContainers } from './containers.js';
import { checkEvictionResponders } from './eviction-responders.js';
import { containerLists, operatingSystem, type PodContext } from './pod-context.js';
import { checkDnsConfig, checkHostAliases, checkHostNetworkPorts, checkHostnameOverride, checkHostUsers } from './pod-network.js';
import { checkGates, checkTolerations, checkTopologySpread } from './scheduling.js';
import { checkForbiddenOnWindows, checkPodSecurityContext, checkPrivilegedProfiles, checkSharedProcesses } from './security-context.js';
import { checkVolumes } from './volumes.js';
import { checkHostProcess } from './windows-options.js';

/** Owner of a spec: a pod, by name, or a template. */
export interface SpecOwner {
  readonly isPod: boolean;
  readonly podName: string;
  readonly annotations: FieldPath;
}

/** Validates the spec of a pod or of a template, in the order of the API server's checks. Source: core/validation ValidatePodSpec. */
export function checkPodSpec(spec: FieldPath, owner: SpecOwner): void {
  if (!spec.has('terminationGracePeriodSeconds')) spec.child('terminationGracePeriodSeconds').required();
  const volumes = checkVolumes(spec.child('volumes'), owner);
  const claimNames = new Set(
    spec
      .items('resourceClaims')
      .map(claim => claim.text('name'))
      .filter(name => name !== ''),
  );
  const context: PodContext = { ...owner, spec, volumes, claimNames, hostUsers: spec.child('hostUsers').value !== false };
  checkResourceClaims(spec.child('resourceClaims'));
  checkContainers(spec.child('containers'), context);
  checkInitContainers(spec, context);
  checkEphemeralContainers(spec, context);
  checkPodResources(spec, claimNames);
  checkHostNetworkPorts(spec, owner.isPod);
  checkOneOf(spec.child('restartPolicy'), ['Always', 'OnFailure', 'Never']);
  checkOneOf(spec.child('dnsPolicy'), ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']);
  checkLabels(spec.child('nodeSelector'));
  checkPodSecurityContext(spec);
  const containers = allContainers(spec);
  checkPrivilegedProfiles(spec, containers);
  if (spec.server.since('v1.37')) checkSharedProcesses(spec, spec.path);
  checkAffinity(spec.child('affinity'));
  checkDnsConfig(spec);
  checkGates(spec);
  checkTopologySpread(spec.child('topologySpreadConstraints'));
  checkHostProcess(spec, containers);
  checkHostUsers(spec);
  checkHostnameOverride(spec);
  checkNames(spec);
  checkTolerations(spec.child('tolerations'));
  checkHostAliases(spec.child('hostAliases'));
  checkLateMembers(spec);
  checkSystem(spec, containers);
  checkFileKeyVolumes(spec, containers);
  checkEvictionResponders(spec);
}

/** Returns all containers of a spec, init containers first. */
export function allContainers(spec: FieldPath): FieldPath[] {
  const containers: FieldPath[] = [];
  for (const list of containerLists) for (const container of spec.items(list)) containers.push(container);
  return containers;
}

function checkResourceClaims(claims: FieldPath): void {
  const seen = new Set<string>();
  for (const claim of claims.items()) {
    const [name, given, template] = [claim.child('name'), claim.child('resourceClaimName'), claim.child('resourceClaimTemplateName')];
    if (name.text() === '') name.required();
    else if (seen.has(name.text())) name.duplicate();
    else checkName(name, dns1123LabelProblems);
    seen.add(name.text());
    const whole = internalValue(claims.server, 'core/v1.PodResourceClaim', claim.value);
    if (given.isSet() && template.isSet())
      claim.invalid(whole, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified');
    if (!given.isSet() && !template.isSet()) claim.invalid(whole, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    for (const reference of [given, template]) if (reference.isSet()) checkName(reference, dns1123SubdomainProblems);
  }
}

/** Source: validatePodResources. */
function checkPodResources(spec: FieldPath, claimNames: ReadonlySet<string>): void {
  const resources = spec.child('resources');
  if (!resources.isSet()) return;
  if (operatingSystem(spec) === 'windows') {
    resources.forbidden('may not be set for a windows pod');
    return;
  }
  if (resources.has('claims')) resources.child('claims').forbidden('claims may not be set for Resources at pod-level');
  checkResources(resources, claimNames, true);
  checkPodLevelAmounts(spec);
}

function checkNames(spec: FieldPath): void {
  for (const name of ['serviceAccountName', 'nodeName']) if (spec.text(name) !== '') checkName(spec.child(name), dns1123SubdomainProblems);
  const deadline = spec.child('activeDeadlineSeconds');
  if (deadline.isSet() && (deadline.number() < 1n || deadline.number() > 2_147_483_647n))
    deadline.invalid('must be between 1 and 2147483647, inclusive');
  for (const name of ['hostname', 'subdomain']) if (spec.text(name) !== '') checkName(spec.child(name), dns1123LabelProblems);
}

function checkLateMembers(spec: FieldPath): void {
  if (spec.text('priorityClassName') !== '') checkName(spec.child('priorityClassName'), dns1123SubdomainProblems);
  if (spec.has('runtimeClassName')) checkName(spec.child('runtimeClassName'), dns1123SubdomainProblems);
  if (spec.has('preemptionPolicy')) checkOneOf(spec.child('preemptionPolicy'), ['PreemptLowerPriority', 'Never']);
  // Overhead is validated as limits, with their names.
  const overhead = spec.child('overhead');
  if (overhead.isSet()) checkResources(overhead.withValue(new Map([['limits', overhead.value ?? null]])), new Set());
}

function checkSystem(spec: FieldPath, containers: readonly FieldPath[]): void {
  if (!spec.has('os')) return;
  const name = spec.child('os', 'name');
  if (name.text() === '') name.required();
  else if (name.text() === 'linux') {
    for (const context of [spec.child('securityContext'), ...containers.map(container => container.child('securityContext'))])
      if (context.has('windowsOptions')) context.child('windowsOptions').forbidden('windows options cannot be set for a linux pod');
  } else if (name.text() === 'windows') checkForbiddenOnWindows(spec, containers);
  // The path is that of the parent.
  else spec.child('os').notSupported(name.text(), ['linux', 'windows']);
}

/** Validates that environment files are in empty directories. Source: validateFileKeyRefVolumes. */
function checkFileKeyVolumes(spec: FieldPath, containers: readonly FieldPath[]): void {
  for (const variable of containers.flatMap(container => container.items('env'))) {
    const reference = variable.child('valueFrom', 'fileKeyRef');
    if (!reference.isSet()) continue;
    const name = reference.child('volumeName');
    const volume = spec.items('volumes').findLast(candidate => candidate.text('name') === name.text());
    if (volume === undefined) name.notFound();
    else if (!volume.has('emptyDir')) name.invalid('referenced volume must be of type emptyDir');
  }
}

/** Validates that pod-level resources are sufficient for the containers. Source: validatePodResourceConsistency. */
function checkPodLevelAmounts(spec: FieldPath): void {
  const resources = spec.child('resources');
  for (const [name, sum] of together(spec, 'requests')) compare(resources, 'requests', { name, sum });
  for (const [name, sum] of together(spec, 'limits')) if (name.startsWith('hugepages-')) compare(resources, 'limits', { name, sum });
  for (const [index, container] of spec.items('containers').entries()) {
    for (const [name, limit] of container.child('resources').entries('limits')) {
      const ofPod = resources.text('limits', name);
      if (ofPod !== '' && compareQuantities(limit.text(), ofPod) > 0)
        limit
          .shownAt(`${resources.path}.containers[${index}][${name}].limits`)
          .invalid(`must be less than or equal to pod limits of ${ofPod}`);
    }
  }
}

function compare(resources: FieldPath, kind: string, { name, sum }: { readonly name: string; readonly sum: Quantity }): void {
  const own = resources.child(kind, name);
  if (own.text() !== '' && compareQuantities(sum, own.text()) > 0)
    own
      .shownAt(`${resources.path}.${kind}[${name}]`)
      .invalid(`must be greater than or equal to aggregate container ${kind} of ${quantityText(sum)}`);
}

/** Returns the sum of the containers and sidecars, or the max that an init container needs with the sidecars started before it. */
function together(spec: FieldPath, kind: string): ReadonlyMap<string, Quantity> {
  const amounts = (container: FieldPath): (readonly [string, Quantity])[] =>
    container
      .child('resources')
      .entries(kind)
      .map(([name, field]) => [name, parseQuantity(field.text())] as const);
  const sums = new Map<string, Quantity>();
  const sidecars = new Map<string, Quantity>();
  const most = new Map<string, Quantity>();
  for (const entry of spec.items('containers').flatMap(amounts)) add(sums, entry);
  for (const container of spec.items('initContainers')) {
    const isSidecar = container.text('restartPolicy') === 'Always';
    for (const [name, amount] of amounts(container)) {
      const before = sidecars.get(name);
      const needed = before === undefined ? amount : addQuantities(before, amount);
      if (isSidecar) {
        add(sidecars, [name, amount]);
        add(sums, [name, amount]);
      }
      raise(most, [name, needed]);
    }
  }
  for (const entry of most) raise(sums, entry);
  return sums;
}

function add(sums: Map<string, Quantity>, [name, amount]: readonly [string, Quantity]): void {
  const before = sums.get(name);
  sums.set(name, before === undefined ? amount : addQuantities(before, amount));
}

function raise(most: Map<string, Quantity>, [name, amount]: readonly [string, Quantity]): void {
  const before = most.get(name);
  if (before === undefined || compareQuantities(amount, before) > 0) most.set(name, amount);
}
