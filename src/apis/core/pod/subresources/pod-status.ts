import { internalValue } from '../../../../apiserver/registry/validation/go-value.js';
import type { UpdateStep } from '../../../../apiserver/registry/validation/kind-rules.js';
import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  mapOf,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { goString } from '../../../../go/json/write.js';
import { invalidValue, tooLong } from '../../../../kubernetes/field-error.js';
import { ipProblems, parseIpSloppy } from '../../../../kubernetes/ip-rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../../../../kubernetes/name-rules.js';
import { addressWarnings } from '../validation/address-warnings.js';
import { checkAnnotationChanges } from '../validation/pod-update-validation.js';
import { checkRestarts } from './container-restarts.js';

/** Source: core/validation ValidatePodStatusUpdate. */
export const podStatus: readonly UpdateStep[] = [
  'changes',
  checkAnnotationChanges,
  pod => checkConditions(at(pod, 'status', 'conditions')),
  checkNominatedNode,
  (pod, old) => {
    const generation = at(pod, 'status', 'observedGeneration');
    if (numberOf(generation) < 0n) addInvalid(generation, 'must be a non-negative integer');
    const qos = at(pod, 'status', 'qosClass');
    if (textOf(qos) !== textAt(old, 'status', 'qosClass')) addInvalid(qos, 'field is immutable', { rawJson: goString(textOf(qos)) });
  },
  checkRestarts,
  pod => {
    checkClaims(pod);
    checkExtendedClaim(pod);
  },
  checkAddresses,
  pod => {
    for (const list of statusLists) for (const status of itemsAt(pod, 'status', list)) checkUser(at(status, 'user'), pod);
    checkAllocated(pod);
  },
];

const statusLists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];

/**
 * Returns warnings about addresses that are not in canonical form. Source: kubernetes pkg/registry/core/pod
 * podStatusStrategy.WarningsOnUpdate.
 */
export function podStatusWarnings(pod: Place): string[] {
  return ['podIPs', 'hostIPs'].flatMap(list => itemsAt(pod, 'status', list).flatMap(address => addressWarnings(at(address, 'ip'))));
}

/** Source: validatePodConditions. */
function checkConditions(conditions: Place): void {
  for (const condition of indexed(conditions)) {
    const generation = at(condition, 'observedGeneration');
    if (numberOf(generation) < 0n) addInvalid(generation, 'must be a non-negative integer');
    const type = at(condition, 'type');
    if (['PodScheduled', 'Ready', 'Initialized'].includes(textOf(type))) continue;
    addProblems({ ...type, path: `${condition.path}.Type` }, labelKeyProblems(conditions.server, textOf(type)), textOf(type));
  }
}

function checkNominatedNode(pod: Place, old: Place): void {
  const node = at(pod, 'status', 'nominatedNodeName');
  if (textOf(node) === '' || textOf(node) === textAt(old, 'status', 'nominatedNodeName')) return;
  addProblems(node, dns1123SubdomainProblems(textOf(node)));
  if (textAt(old, 'spec', 'nodeName') !== '') addForbidden(node, 'may not be set on pods that are already bound to a node');
}

/** Source: validatePodResourceClaimStatuses. */
function checkClaims(pod: Place): void {
  const known = new Set(itemsAt(pod, 'spec', 'resourceClaims').map(claim => textAt(claim, 'name')));
  const seen = new Set<string>();
  for (const status of itemsAt(pod, 'status', 'resourceClaimStatuses')) {
    const name = at(status, 'name');
    if (!known.has(textOf(name))) addInvalid(name, 'must match the name of an entry in `spec.resourceClaims`', textOf(name));
    if (seen.has(textOf(name))) addDuplicate(name, textOf(name));
    seen.add(textOf(name));
    const claim = at(status, 'resourceClaimName');
    if (isSet(claim)) addProblems(claim, dns1123SubdomainProblems(textOf(claim)), { rawJson: goString(textOf(claim)) });
  }
}

/** Source: validatePodExtendedResourceClaimStatus. */
function checkExtendedClaim(pod: Place): void {
  const status = at(pod, 'status', 'extendedResourceClaimStatus');
  if (!isSet(status)) return;
  const mappings = at(status, 'requestMappings');
  if (lengthOf(mappings) === 0) addRequired(mappings, 'at least one request mapping is required');
  const seen = new Set<string>();
  for (const mapping of indexed(mappings)) {
    checkMapping(mapping, pod);
    addProblems(
      { ...at(mapping, 'requestName'), path: `${status.path}.requestName` },
      dns1123LabelProblems(textAt(mapping, 'requestName')),
    );
    const names = ['containerName', 'resourceName', 'requestName'];
    const key = JSON.stringify(names.map(name => textAt(mapping, name)));
    if (seen.has(key)) for (const name of names) addDuplicate(at(mapping, name), textAt(mapping, name));
    seen.add(key);
  }
  const claim = at(status, 'resourceClaimName');
  if (textOf(claim) === '') addRequired(claim);
  else addProblems(claim, dns1123SubdomainProblems(textOf(claim)));
}

/** Validates the mapping; a later container replaces an earlier one of the same name. */
function checkMapping(mapping: Place, pod: Place): void {
  const [container, resource] = [at(mapping, 'containerName'), at(mapping, 'resourceName')];
  const all = [...itemsAt(pod, 'spec', 'initContainers'), ...itemsAt(pod, 'spec', 'containers')];
  const own = all.findLast(c => textAt(c, 'name') === textOf(container));
  if (own === undefined)
    addInvalid(container, 'must match the name of an entry in spec.initContainers.name or spec.containers.name', textOf(container));
  else if (!hasSet(at(own, 'resources', 'requests'), textOf(resource)))
    addInvalid(
      resource,
      'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests',
      textOf(resource),
    );
}

function checkAddresses(pod: Place, old: Place): void {
  checkAddressList(pod, old, { list: 'podIPs', type: 'core/v1.PodIP' });
  const [first] = itemsAt(pod, 'status', 'hostIPs');
  if (first !== undefined && textAt(first, 'ip') !== textAt(pod, 'status', 'hostIP'))
    addInvalid(at(first, 'ip'), 'must be equal to `hostIP`', textAt(first, 'ip'));
  checkAddressList(pod, old, { list: 'hostIPs', type: 'core/v1.HostIP' });
}

/** Validates an address list: at most one of each family; stored ones may stay as they are. Source: validatePodIPs, validateHostIPs. */
function checkAddressList(pod: Place, old: Place, { list, type }: { readonly list: string; readonly type: string }): void {
  const place = at(pod, 'status', list);
  const before = new Set(itemsAt(old, 'status', list).map(address => textAt(address, 'ip')));
  const addresses = indexed(place);
  for (const address of addresses) {
    const ip = textAt(address, 'ip');
    if (!before.has(ip)) addProblems(address, ipProblems(pod.server, ip), ip);
  }
  if (addresses.length < 2) return;
  const texts = addresses.map(address => textAt(address, 'ip'));
  const bad = texts.findIndex(text => parseIpSloppy(text) === undefined);
  if (bad >= 0)
    place.errors.push({
      type: 'InternalError',
      field: place.path,
      badValue: null,
      detail: `failed to check for dual stack with error:invalid IP[${bad}]: ${texts[bad]}`,
    });
  const families = new Set(texts.map(text => text.includes(':')));
  if (bad < 0 && families.size === 2 && texts.length === 2) return;
  const shown = addresses.map(address => goJsonOf(internalValue(address.server, type, address.value)));
  place.errors.push(invalidValue(place.path, { rawJson: `[${shown.join(',')}]` }, 'may specify no more than one IP for each IP family'));
}

function goJsonOf(value: ReturnType<typeof internalValue>): string {
  return typeof value === 'object' && value !== null ? value.rawJson : JSON.stringify(value);
}

const largestId = 2_147_483_647n;
const largestUid = 4_294_967_295n;

/** Source: validateContainerStatusUsers. */
function checkUser(user: Place, pod: Place): void {
  const linux = at(user, 'linux');
  if (!isSet(linux)) return;
  const system = textAt(pod, 'spec', 'os', 'name');
  if (system === 'windows') addForbidden(linux, 'cannot be set for a windows pod');
  if (system !== '' && system !== 'linux') return;
  for (const id of [at(linux, 'uid'), at(linux, 'gid'), ...itemsAt(linux, 'supplementalGroups')]) {
    const largest = id.server.since('v1.37') && id.path.endsWith('.uid') ? largestUid : largestId;
    if (numberOf(id) < 0n || numberOf(id) > largest) addInvalid(id, `must be between 0 and ${largest}, inclusive`, numberOf(id));
  }
}

/** Validates that allocated resources were requested by the container. Source: validateContainerStatusAllocatedResourcesStatus. */
function checkAllocated(pod: Place): void {
  for (const [statuses, containers] of [
    ['containerStatuses', 'containers'],
    ['initContainerStatuses', 'initContainers'],
  ] as const)
    for (const status of itemsAt(pod, 'status', statuses)) {
      const container = itemsAt(pod, 'spec', containers).find(c => textAt(c, 'name') === textAt(status, 'name'));
      for (const resource of itemsAt(status, 'allocatedResourcesStatus')) {
        if (container !== undefined) checkAskedFor(at(resource, 'name'), container);
        checkHealth(at(resource, 'resources'));
      }
    }
  for (const status of itemsAt(pod, 'status', 'ephemeralContainerStatuses'))
    if (lengthOf(at(status, 'allocatedResourcesStatus')) > 0)
      addForbidden(at(status, 'allocatedResourcesStatus'), 'must not be specified in container status');
}

function checkAskedFor(name: Place, container: Place): void {
  const text = textOf(name);
  if (!text.startsWith('claim:')) {
    if (!mapOf(at(container, 'resources', 'requests')).has(text))
      addInvalid(name, "must match one of the container's resource requests", text);
    return;
  }
  const claims = itemsAt(container, 'resources', 'claims').map(claim => {
    const request = textAt(claim, 'request');
    return `claim:${textAt(claim, 'name')}${request === '' ? '' : `/${request}`}`;
  });
  if (!claims.includes(text))
    addInvalid(
      name,
      name.server.since('v1.37')
        ? "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty"
        : "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty",
      text,
    );
}

const healths = ['Healthy', 'Unhealthy', 'Unknown'];

function checkHealth(resources: Place): void {
  const seen = new Set<string>();
  for (const resource of indexed(resources)) {
    const [health, message, id] = [at(resource, 'health'), at(resource, 'message'), at(resource, 'resourceID')];
    if (!healths.includes(textOf(health))) addUnsupported(health, healths, textOf(health));
    if (isSet(message) && textOf(message) === '') addRequired(message, 'must be non-empty if specified');
    if (Buffer.byteLength(textOf(message)) > 1024) message.errors.push(tooLong(message.path, 1024));
    if (seen.has(textOf(id))) addDuplicate(id, textOf(id));
    seen.add(textOf(id));
  }
}
