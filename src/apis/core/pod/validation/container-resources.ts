import { exactQuantity } from '../../../../apiserver/objects/exact-quantities.js';
import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  entriesAt,
  indexed,
  lengthOf,
  mapOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../../apiserver/registry/validation/rules.js';
import { goString } from '../../../../go/json/write.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import type { BadValue } from '../../../../kubernetes/field-error.js';
import { dns1123LabelProblems, labelKeyProblems } from '../../../../kubernetes/name-rules.js';
import {
  compareQuantities,
  isWholeQuantity,
  milliInt64,
  milliValue,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantitySign,
  quantityValue,
  sameQuantity,
} from '../../../../kubernetes/quantity.js';

/** Validates requests, limits and claims of a container. Source: validateResourceRequirements. */
export function checkResources(resources: Place, claimNames: ReadonlySet<string>, isPodLevel = false): void {
  const checkResourceName = isPodLevel ? checkPodResourceName : checkContainerResourceName;
  const limits = entriesAt(resources, 'limits');
  const requests = entriesAt(resources, 'requests');
  for (const [name, place] of limits) {
    checkResourceName(place, name);
    checkResourceAmount(place, name, at(resources, 'limits'));
    checkHugePages(place, name);
  }
  for (const [name, place] of requests) {
    checkResourceName(place, name);
    checkResourceAmount(place, name, at(resources, 'requests'));
    compareWithLimit(resources, name, place);
    checkHugePages(place, name);
  }
  const names = [...limits, ...requests].map(([name]) => name);
  if (names.some(isHugePagesName) && !names.some(name => name === 'cpu' || name === 'memory'))
    addForbidden(resources, 'HugePages require cpu or memory');
  checkClaims(at(resources, 'claims'), claimNames);
}

function compareWithLimit(resources: Place, name: string, request: Place): void {
  const requests = at(resources, 'requests');
  const limit = textOf(at(resources, 'limits', name));
  const text = textOf(request);
  if (limit === '') {
    if (!isOvercommitAllowed(name)) addRequired(at(resources, 'limits'), 'Limit must be set for non overcommitable resources');
  } else if (!isOvercommitAllowed(name) && !sameQuantity(text, limit))
    addInvalid(requests, `must be equal to ${name} limit of ${limit}`, text);
  else if (compareQuantities(text, limit) > 0) addInvalid(requests, `must be less than or equal to ${name} limit of ${limit}`, text);
}

/**
 * Validates an amount of a list, if given: not negative, and an integer for counted resources. Source: ValidateResourceQuantityValue.
 */
export function checkResourceAmount(place: Place, name: string, list?: Place): void {
  checkAmountSign(place);
  const amount = exactQuantity(list === undefined ? new Map() : mapOf(list), name, textOf(place));
  if (isCounted(place.server, name) && !isWhole(place.server, amount)) addInvalid(place, 'must be an integer');
}

/** Validates a non-negative amount of storage; since v1.38 the error shows its text, before its value. Source: validateBasicResource. */
export function checkBasicAmount(place: Place): void {
  const text = textOf(place);
  const value = quantityValue(text);
  if (place.server.since('v1.38') ? quantitySign(text) < 0 : value < 0n)
    addInvalid(place, 'must be a valid resource quantity', place.server.since('v1.38') ? text : value);
}

/** Validates an amount of zero or more. Source: ValidateNonnegativeQuantity. */
export function checkAmountSign(place: Place): void {
  if (textOf(place) !== '' && quantitySign(textOf(place)) < 0) addInvalid(place, 'must be greater than or equal to 0');
}

const quotaNames = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const basicNames = ['cpu', 'memory', 'ephemeral-storage'];
const requested = [
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'requests.storage',
];

/** Names without a domain that a quota may use. Source: core/helper standardQuotaResources. */
export const standardQuotaNames: ReadonlySet<string> = new Set([...basicNames, ...requested, ...quotaNames]);
const standardNames: ReadonlySet<string> = new Set([...standardQuotaNames, 'storage']);

/** Reports whether a resource is counted in integers. */
function isCounted(server: ApiServer, name: string): boolean {
  return quotaNames.includes(name) || isExtendedResourceName(server, name);
}

/** Returns the name as errors show it: resource names have a named type, which is shown as JSON. */
export function shownName(name: string): BadValue {
  return { rawJson: goString(name) };
}

/** Validates a resource name. Returns false when it is invalid. Source: validateResourceName. */
export function checkAnyResourceName(place: Place, name: string): boolean {
  const problems = labelKeyProblems(place.server, name);
  addProblems(place, problems, shownName(name));
  if (problems.length > 0) return false;
  if (!name.includes('/') && !standardNames.has(name) && !isHugePagesName(name) && !name.startsWith('requests.hugepages-'))
    addInvalid(place, 'must be a standard resource type or fully qualified', shownName(name));
  return true;
}

/** Validates a resource name that a container may request. Source: validateContainerResourceName. */
export function checkContainerResourceName(place: Place, name: string): void {
  checkAnyResourceName(place, name);
  if (!name.includes('/')) {
    if (!basicNames.includes(name) && !isHugePagesName(name))
      addInvalid(place, 'must be a standard resource for containers', shownName(name));
  } else if (!isNative(name) && !isExtendedResourceName(place.server, name))
    addInvalid(place, "doesn't follow extended resource name standard", shownName(name));
}

/** Source: validatePodResourceName. */
function checkPodResourceName(place: Place, name: string): void {
  const before = place.errors.length;
  checkAnyResourceName(place, name);
  if (place.errors.length > before) return;
  if (name !== 'cpu' && name !== 'memory' && !isHugePagesName(name))
    addUnsupported(place, ['cpu', 'hugepages-', 'memory'], shownName(name));
}

function isHugePagesName(name: string): boolean {
  return name.startsWith('hugepages-');
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** Reports whether a resource has a domain other than Kubernetes' own. Source: core/helper IsExtendedResourceName. */
export function isExtendedResourceName(server: ApiServer, name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && labelKeyProblems(server, `requests.${name}`).length === 0;
}

/** Reports whether a resource may be overcommitted. Source: core/helper IsOvercommitAllowed. */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePagesName(name);
}

/** Validates that the amount is a multiple of the page size. Source: helper.IsHugePageResourceValueDivisible. */
function checkHugePages(place: Place, name: string): void {
  if (isHugePagesName(name) && !isDivisible(textOf(place), name.slice('hugepages-'.length)))
    addInvalid(place, `${textOf(place)} is not positive integer multiple of ${name}`);
}

/** Up to v1.37, an amount of thousandths beyond an int64 keeps its lowest 64 bits. Source: isIntegerResourceValue. */
function isWhole(server: ApiServer, amount: Quantity): boolean {
  if (!server.since('v1.38')) return milliValue(amount) % 1000n === 0n;
  const milli = milliInt64(amount);
  return isWholeQuantity(amount) || (milli !== undefined && milli % 1000n === 0n);
}

function isDivisible(amount: string, size: string): boolean {
  try {
    const page = parseQuantity(size);
    if (quantitySign(page) <= 0 || milliValue(page) % 1000n !== 0n) return false;
    return quantityValue(parseQuantity(amount)) % quantityValue(page) === 0n;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

function checkClaims(claims: Place, claimNames: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const claim of indexed(claims)) {
    const name = textAt(claim, 'name');
    if (name === '') {
      addRequired(claim);
      continue;
    }
    checkClaimIsNew(claim, name, seen);
    if (!claimNames.has(name)) {
      const known = claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`;
      claim.errors.push({
        type: 'FieldValueNotFound',
        field: claim.path,
        badValue: name,
        detail: `must be one of the names in pod.spec.resourceClaims${known}`,
      });
    }
  }
}

function checkClaimIsNew(claim: Place, name: string, seen: Set<string>): void {
  if (seen.has(name)) {
    addDuplicate(claim, name);
    return;
  }
  const request = textAt(claim, 'request');
  if (request !== '') checkName(at(claim, 'request'), dns1123LabelProblems);
  const key = request === '' ? name : `${name}/${request}`;
  if (seen.has(key)) addDuplicate(claim, key);
  else if (request === '' && [...seen].some(other => other.startsWith(`${name}/`))) addDuplicate(claim, name);
  seen.add(key);
}

/** Returns the number of entries in requests and limits. */
export function amountCount(resources: Place): number {
  return lengthOf(at(resources, 'limits')) + lengthOf(at(resources, 'requests'));
}
