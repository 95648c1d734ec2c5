import { internalValue } from '../../../../apiserver/registry/validation/go-value.js';
import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addNotFound,
  addRequired,
  addUnsupported,
  at,
  entriesAt,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
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
  readonly annotations: Place;
}

/** Validates the spec of a pod or of a template, in the order of the API server's checks. Source: core/validation ValidatePodSpec. */
export function checkPodSpec(spec: Place, owner: SpecOwner): void {
  if (!hasSet(spec, 'terminationGracePeriodSeconds')) addRequired(at(spec, 'terminationGracePeriodSeconds'));
  const volumes = checkVolumes(at(spec, 'volumes'), owner);
  const claimNames = new Set(
    itemsAt(spec, 'resourceClaims')
      .map(claim => textAt(claim, 'name'))
      .filter(name => name !== ''),
  );
  const context: PodContext = { ...owner, spec, volumes, claimNames, hostUsers: at(spec, 'hostUsers').value !== false };
  checkResourceClaims(at(spec, 'resourceClaims'));
  checkContainers(at(spec, 'containers'), context);
  checkInitContainers(spec, context);
  checkEphemeralContainers(spec, context);
  checkPodResources(spec, claimNames);
  checkHostNetworkPorts(spec, owner.isPod);
  checkOneOf(at(spec, 'restartPolicy'), ['Always', 'OnFailure', 'Never']);
  checkOneOf(at(spec, 'dnsPolicy'), ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']);
  checkLabels(at(spec, 'nodeSelector'));
  checkPodSecurityContext(spec);
  checkPrivilegedProfiles(spec, allContainers(spec));
  if (spec.server.since('v1.37')) checkSharedProcesses(spec, spec.path);
  checkAffinity(at(spec, 'affinity'));
  checkDnsConfig(spec);
  checkGates(spec);
  checkTopologySpread(at(spec, 'topologySpreadConstraints'));
  checkHostProcess(spec, allContainers(spec));
  checkHostUsers(spec);
  checkHostnameOverride(spec);
  checkNames(spec);
  checkTolerations(at(spec, 'tolerations'));
  checkHostAliases(at(spec, 'hostAliases'));
  checkLateMembers(spec);
  checkSystem(spec);
  checkFileKeyVolumes(spec);
  checkEvictionResponders(spec);
}

/** Returns all containers of a spec, init containers first. */
export function allContainers(spec: Place): Place[] {
  return containerLists.flatMap(list => itemsAt(spec, list));
}

function checkResourceClaims(claims: Place): void {
  const seen = new Set<string>();
  for (const claim of indexed(claims)) {
    const [name, given, template] = [at(claim, 'name'), at(claim, 'resourceClaimName'), at(claim, 'resourceClaimTemplateName')];
    if (textOf(name) === '') addRequired(name);
    else if (seen.has(textOf(name))) addDuplicate(name);
    else checkName(name, dns1123LabelProblems);
    seen.add(textOf(name));
    const whole = internalValue(claims.server, 'core/v1.PodResourceClaim', claim.value);
    if (isSet(given) && isSet(template))
      addInvalid(claim, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified', whole);
    if (!isSet(given) && !isSet(template))
      addInvalid(claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`', whole);
    for (const reference of [given, template]) if (isSet(reference)) checkName(reference, dns1123SubdomainProblems);
  }
}

/** Source: validatePodResources. */
function checkPodResources(spec: Place, claimNames: ReadonlySet<string>): void {
  const resources = at(spec, 'resources');
  if (!isSet(resources)) return;
  if (operatingSystem(spec) === 'windows') {
    addForbidden(resources, 'may not be set for a windows pod');
    return;
  }
  if (hasSet(resources, 'claims')) addForbidden(at(resources, 'claims'), 'claims may not be set for Resources at pod-level');
  checkResources(resources, claimNames, true);
  checkPodLevelAmounts(spec);
}

function checkNames(spec: Place): void {
  for (const name of ['serviceAccountName', 'nodeName']) if (textAt(spec, name) !== '') checkName(at(spec, name), dns1123SubdomainProblems);
  const deadline = at(spec, 'activeDeadlineSeconds');
  if (isSet(deadline) && (numberOf(deadline) < 1n || numberOf(deadline) > 2_147_483_647n))
    addInvalid(deadline, 'must be between 1 and 2147483647, inclusive');
  for (const name of ['hostname', 'subdomain']) if (textAt(spec, name) !== '') checkName(at(spec, name), dns1123LabelProblems);
}

function checkLateMembers(spec: Place): void {
  if (textAt(spec, 'priorityClassName') !== '') checkName(at(spec, 'priorityClassName'), dns1123SubdomainProblems);
  if (hasSet(spec, 'runtimeClassName')) checkName(at(spec, 'runtimeClassName'), dns1123SubdomainProblems);
  if (hasSet(spec, 'preemptionPolicy')) checkOneOf(at(spec, 'preemptionPolicy'), ['PreemptLowerPriority', 'Never']);
  // Overhead is validated as limits, with their names.
  const overhead = at(spec, 'overhead');
  if (isSet(overhead)) checkResources({ ...overhead, value: new Map([['limits', overhead.value ?? null]]) }, new Set());
}

function checkSystem(spec: Place): void {
  if (!hasSet(spec, 'os')) return;
  const name = at(spec, 'os', 'name');
  if (textOf(name) === '') addRequired(name);
  else if (textOf(name) === 'linux') {
    for (const context of [at(spec, 'securityContext'), ...allContainers(spec).map(container => at(container, 'securityContext'))])
      if (hasSet(context, 'windowsOptions')) addForbidden(at(context, 'windowsOptions'), 'windows options cannot be set for a linux pod');
  } else if (textOf(name) === 'windows') checkForbiddenOnWindows(spec, allContainers(spec));
  // The path is that of the parent.
  else addUnsupported(at(spec, 'os'), ['linux', 'windows'], textOf(name));
}

/** Validates that environment files are in empty directories. Source: validateFileKeyRefVolumes. */
function checkFileKeyVolumes(spec: Place): void {
  const volumes = itemsAt(spec, 'volumes');
  for (const variable of allContainers(spec).flatMap(container => itemsAt(container, 'env'))) {
    const reference = at(variable, 'valueFrom', 'fileKeyRef');
    if (!isSet(reference)) continue;
    const name = at(reference, 'volumeName');
    const volume = volumes.findLast(candidate => textAt(candidate, 'name') === textOf(name));
    if (volume === undefined) addNotFound(name);
    else if (!hasSet(volume, 'emptyDir')) addInvalid(name, 'referenced volume must be of type emptyDir');
  }
}

/** Validates that pod-level resources are sufficient for the containers. Source: validatePodResourceConsistency. */
function checkPodLevelAmounts(spec: Place): void {
  const resources = at(spec, 'resources');
  for (const [name, sum] of together(spec, 'requests')) compare(resources, 'requests', { name, sum });
  for (const [name, sum] of together(spec, 'limits')) if (name.startsWith('hugepages-')) compare(resources, 'limits', { name, sum });
  for (const [index, container] of itemsAt(spec, 'containers').entries()) {
    for (const [name, limit] of entriesAt(at(container, 'resources'), 'limits')) {
      const ofPod = textAt(resources, 'limits', name);
      if (ofPod !== '' && compareQuantities(textOf(limit), ofPod) > 0)
        addInvalid(
          { ...limit, path: `${resources.path}.containers[${index}][${name}].limits` },
          `must be less than or equal to pod limits of ${ofPod}`,
        );
    }
  }
}

function compare(resources: Place, kind: string, { name, sum }: { readonly name: string; readonly sum: Quantity }): void {
  const own = at(resources, kind, name);
  if (textOf(own) !== '' && compareQuantities(sum, textOf(own)) > 0)
    addInvalid(
      { ...own, path: `${resources.path}.${kind}[${name}]` },
      `must be greater than or equal to aggregate container ${kind} of ${quantityText(sum)}`,
    );
}

/** Returns the sum of the containers and sidecars, or the max that an init container needs with the sidecars started before it. */
function together(spec: Place, kind: string): ReadonlyMap<string, Quantity> {
  const amounts = (container: Place): (readonly [string, Quantity])[] =>
    entriesAt(at(container, 'resources'), kind).map(([name, place]) => [name, parseQuantity(textOf(place))] as const);
  const sums = new Map<string, Quantity>();
  const sidecars = new Map<string, Quantity>();
  const most = new Map<string, Quantity>();
  for (const entry of itemsAt(spec, 'containers').flatMap(amounts)) add(sums, entry);
  for (const container of itemsAt(spec, 'initContainers')) {
    const isSidecar = textAt(container, 'restartPolicy') === 'Always';
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
