import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../../apiserver/registry/validation/go-value.js';
import type { UpdateStep } from '../../../../apiserver/registry/validation/kind-rules.js';
import { goString } from '../../../../go/json/write.js';
import type { RawJson } from '../../../../go/value.js';
import { invalidValue } from '../../../../kubernetes/field-error.js';
import { ipProblems, parseIpSloppy } from '../../../../kubernetes/ip-rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../../../../kubernetes/name-rules.js';
import { addressWarnings } from '../validation/address-warnings.js';
import { checkAnnotationChanges } from '../validation/pod-update-validation.js';
import { checkRestarts } from './container-restarts.js';

/** Source: core/validation ValidatePodStatusUpdate. */
export const podStatus: readonly UpdateStep[] = [
  'changes',
  checkAnnotationChanges,
  pod => checkConditions(pod.child('status', 'conditions')),
  checkNominatedNode,
  (pod, old) => {
    const generation = pod.child('status', 'observedGeneration');
    if (generation.number() < 0n) generation.invalid('must be a non-negative integer');
    const qos = pod.child('status', 'qosClass');
    if (qos.text() !== old.text('status', 'qosClass')) qos.invalid({ rawJson: goString(qos.text()) }, 'field is immutable');
  },
  checkRestarts,
  pod => {
    checkClaims(pod);
    checkExtendedClaim(pod);
  },
  checkAddresses,
  pod => {
    for (const list of statusLists) for (const status of pod.items('status', list)) checkUser(status.child('user'), pod);
    checkAllocated(pod);
  },
];

const statusLists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];

/**
 * Returns warnings about addresses that are not in canonical form. Source: kubernetes pkg/registry/core/pod
 * podStatusStrategy.WarningsOnUpdate.
 */
export function podStatusWarnings(pod: FieldPath): string[] {
  return ['podIPs', 'hostIPs'].flatMap(list => pod.items('status', list).flatMap(address => addressWarnings(address.child('ip'))));
}

/** Source: validatePodConditions. */
function checkConditions(conditions: FieldPath): void {
  for (const condition of conditions.items()) {
    const generation = condition.child('observedGeneration');
    if (generation.number() < 0n) generation.invalid('must be a non-negative integer');
    const type = condition.child('type');
    if (['PodScheduled', 'Ready', 'Initialized'].includes(type.text())) continue;
    type.shownAt(`${condition.path}.Type`).invalidEach(type.text(), labelKeyProblems(conditions.server, type.text()));
  }
}

function checkNominatedNode(pod: FieldPath, old: FieldPath): void {
  const node = pod.child('status', 'nominatedNodeName');
  if (node.text() === '' || node.text() === old.text('status', 'nominatedNodeName')) return;
  node.invalidEach(dns1123SubdomainProblems(node.text()));
  if (old.text('spec', 'nodeName') !== '') node.forbidden('may not be set on pods that are already bound to a node');
}

/** Source: validatePodResourceClaimStatuses. */
function checkClaims(pod: FieldPath): void {
  const known = new Set(pod.items('spec', 'resourceClaims').map(claim => claim.text('name')));
  const seen = new Set<string>();
  for (const status of pod.items('status', 'resourceClaimStatuses')) {
    const name = status.child('name');
    if (!known.has(name.text())) name.invalid(name.text(), 'must match the name of an entry in `spec.resourceClaims`');
    if (seen.has(name.text())) name.duplicate(name.text());
    seen.add(name.text());
    const claim = status.child('resourceClaimName');
    if (claim.isSet()) claim.invalidEach({ rawJson: goString(claim.text()) }, dns1123SubdomainProblems(claim.text()));
  }
}

/** Source: validatePodExtendedResourceClaimStatus. */
function checkExtendedClaim(pod: FieldPath): void {
  const status = pod.child('status', 'extendedResourceClaimStatus');
  if (!status.isSet()) return;
  const mappings = status.child('requestMappings');
  if (mappings.length() === 0) mappings.required('at least one request mapping is required');
  const seen = new Set<string>();
  for (const mapping of mappings.items()) {
    checkMapping(mapping, pod);
    mapping
      .child('requestName')
      .shownAt(`${status.path}.requestName`)
      .invalidEach(dns1123LabelProblems(mapping.text('requestName')));
    const names = ['containerName', 'resourceName', 'requestName'];
    const key = JSON.stringify(names.map(name => mapping.text(name)));
    if (seen.has(key)) for (const name of names) mapping.child(name).duplicate(mapping.text(name));
    seen.add(key);
  }
  const claim = status.child('resourceClaimName');
  if (claim.text() === '') claim.required();
  else claim.invalidEach(dns1123SubdomainProblems(claim.text()));
}

/** Validates the mapping; a later container replaces an earlier one of the same name. */
function checkMapping(mapping: FieldPath, pod: FieldPath): void {
  const [container, resource] = [mapping.child('containerName'), mapping.child('resourceName')];
  const all = [...pod.items('spec', 'initContainers'), ...pod.items('spec', 'containers')];
  const own = all.findLast(c => c.text('name') === container.text());
  if (own === undefined)
    container.invalid(container.text(), 'must match the name of an entry in spec.initContainers.name or spec.containers.name');
  else if (!own.child('resources', 'requests').has(resource.text()))
    resource.invalid(
      resource.text(),
      'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests',
    );
}

function checkAddresses(pod: FieldPath, old: FieldPath): void {
  checkAddressList(pod, old, { list: 'podIPs', type: 'core/v1.PodIP' });
  checkHasBoth(pod);
  const [first] = pod.items('status', 'hostIPs');
  if (first !== undefined && first.text('ip') !== pod.text('status', 'hostIP'))
    first.child('ip').invalid(first.text('ip'), 'must be equal to `hostIP`');
  checkAddressList(pod, old, { list: 'hostIPs', type: 'core/v1.HostIP' });
}

/** Validates an address list: at most one of each family; stored ones may stay as they are. Source: validatePodIPs, validateHostIPs. */
function checkAddressList(pod: FieldPath, old: FieldPath, { list, type }: { readonly list: string; readonly type: string }): void {
  const field = pod.child('status', list);
  const before = new Set(old.items('status', list).map(address => address.text('ip')));
  const addresses = field.items();
  for (const address of addresses) {
    const ip = address.text('ip');
    if (!before.has(ip)) address.invalidEach(ip, ipProblems(pod.server, ip));
  }
  if (addresses.length < 2) return;
  const texts = addresses.map(address => address.text('ip'));
  const bad = texts.findIndex(text => parseIpSloppy(text) === undefined);
  if (bad >= 0)
    field.errors.push({
      type: 'InternalError',
      field: field.path,
      badValue: null,
      detail: `failed to check for dual stack with error:invalid IP[${bad}]: ${texts[bad]}`,
    });
  const families = new Set(texts.map(text => text.includes(':')));
  if (bad < 0 && families.size === 2 && texts.length === 2) return;
  field.errors.push(invalidValue(field.path, shownAddresses(addresses, type), 'may specify no more than one IP for each IP family'));
}

/** Since v1.37. Defaulting sets the one that is missing, but not to an empty address. Source: validatePodIPs. */
function checkHasBoth(pod: FieldPath): void {
  const field = pod.child('status', 'podIPs');
  if (!pod.server.since('v1.37') || pod.text('status', 'podIP') !== '' || field.length() === 0) return;
  const shown = shownAddresses(field.items(), 'core/v1.PodIP');
  field.errors.push(invalidValue(field.path, shown, 'podIP and podIPs must either both be set or both be unset'));
}

function shownAddresses(addresses: readonly FieldPath[], type: string): RawJson {
  return { rawJson: `[${addresses.map(address => goJsonOf(internalValue(address.server, type, address.value))).join(',')}]` };
}

function goJsonOf(value: ReturnType<typeof internalValue>): string {
  return typeof value === 'object' && value !== null ? value.rawJson : JSON.stringify(value);
}

const largestId = 2_147_483_647n;
const largestUid = 4_294_967_295n;

/** Source: validateContainerStatusUsers. */
function checkUser(user: FieldPath, pod: FieldPath): void {
  const linux = user.child('linux');
  if (!linux.isSet()) return;
  const system = pod.text('spec', 'os', 'name');
  if (system === 'windows') linux.forbidden('cannot be set for a windows pod');
  if (system !== '' && system !== 'linux') return;
  for (const id of [linux.child('uid'), linux.child('gid'), ...linux.items('supplementalGroups')]) {
    const largest = id.server.since('v1.37') && id.path.endsWith('.uid') ? largestUid : largestId;
    if (id.number() < 0n || id.number() > largest) id.invalid(id.number(), `must be between 0 and ${largest}, inclusive`);
  }
}

/** Validates that allocated resources were requested by the container. Source: validateContainerStatusAllocatedResourcesStatus. */
function checkAllocated(pod: FieldPath): void {
  for (const [statuses, containers] of [
    ['containerStatuses', 'containers'],
    ['initContainerStatuses', 'initContainers'],
  ] as const)
    for (const status of pod.items('status', statuses)) {
      const container = pod.items('spec', containers).find(c => c.text('name') === status.text('name'));
      for (const resource of status.items('allocatedResourcesStatus')) {
        if (container !== undefined) checkAskedFor(resource.child('name'), container);
        checkHealth(resource.child('resources'));
      }
    }
  for (const status of pod.items('status', 'ephemeralContainerStatuses'))
    if (status.child('allocatedResourcesStatus').length() > 0)
      status.child('allocatedResourcesStatus').forbidden('must not be specified in container status');
}

function checkAskedFor(name: FieldPath, container: FieldPath): void {
  const text = name.text();
  if (!text.startsWith('claim:')) {
    if (!container.child('resources', 'requests').members().has(text))
      name.invalid(text, "must match one of the container's resource requests");
    return;
  }
  const claims = container.items('resources', 'claims').map(claim => {
    const request = claim.text('request');
    return `claim:${claim.text('name')}${request === '' ? '' : `/${request}`}`;
  });
  if (!claims.includes(text))
    name.invalid(
      text,
      name.server.since('v1.37')
        ? "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty"
        : "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty",
    );
}

const healths = ['Healthy', 'Unhealthy', 'Unknown'];

function checkHealth(resources: FieldPath): void {
  const seen = new Set<string>();
  for (const resource of resources.items()) {
    const [health, message, id] = [resource.child('health'), resource.child('message'), resource.child('resourceID')];
    if (!healths.includes(health.text())) health.notSupported(health.text(), healths);
    if (message.isSet() && message.text() === '') message.required('must be non-empty if specified');
    if (Buffer.byteLength(message.text()) > 1024) message.tooLong(1024);
    if (seen.has(id.text())) id.duplicate(id.text());
    seen.add(id.text());
  }
}
