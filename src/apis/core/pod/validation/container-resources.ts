import { exactQuantity } from '../../../../apiserver/objects/exact-quantities.js';
import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
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
export function checkResources(resources: FieldPath, claimNames: ReadonlySet<string>, isPodLevel = false): void {
  const checkResourceName = isPodLevel ? checkPodResourceName : checkContainerResourceName;
  const limits = resources.entries('limits');
  const requests = resources.entries('requests');
  for (const [name, field] of limits) {
    checkResourceName(field, name);
    checkResourceAmount(field, name, resources.child('limits'));
    checkHugePages(field, name);
  }
  for (const [name, field] of requests) {
    checkResourceName(field, name);
    checkResourceAmount(field, name, resources.child('requests'));
    compareWithLimit(resources, name, field);
    checkHugePages(field, name);
  }
  const names = [...limits, ...requests].map(([name]) => name);
  if (names.some(isHugePagesName) && !names.some(name => name === 'cpu' || name === 'memory'))
    resources.forbidden('HugePages require cpu or memory');
  checkClaims(resources.child('claims'), claimNames);
}

function compareWithLimit(resources: FieldPath, name: string, request: FieldPath): void {
  const requests = resources.child('requests');
  const limit = resources.child('limits', name).text();
  const text = request.text();
  if (limit === '') {
    if (!isOvercommitAllowed(name)) resources.child('limits').required('Limit must be set for non overcommitable resources');
  } else if (!isOvercommitAllowed(name) && !sameQuantity(text, limit)) requests.invalid(text, `must be equal to ${name} limit of ${limit}`);
  else if (compareQuantities(text, limit) > 0) requests.invalid(text, `must be less than or equal to ${name} limit of ${limit}`);
}

/**
 * Validates an amount of a list, if given: not negative, and an integer for counted resources. Source: ValidateResourceQuantityValue.
 */
export function checkResourceAmount(field: FieldPath, name: string, list?: FieldPath): void {
  checkAmountSign(field);
  const amount = exactQuantity(list === undefined ? new Map() : list.members(), name, field.text());
  if (isCounted(field.server, name) && !isWhole(field.server, amount)) field.invalid('must be an integer');
}

/** Validates a non-negative amount of storage; since v1.38 the error shows its text, before its value. Source: validateBasicResource. */
export function checkBasicAmount(field: FieldPath): void {
  const text = field.text();
  const value = quantityValue(text);
  if (field.server.since('v1.38') ? quantitySign(text) < 0 : value < 0n)
    field.invalid(field.server.since('v1.38') ? text : value, 'must be a valid resource quantity');
}

/** Validates an amount of zero or more. Source: ValidateNonnegativeQuantity. */
export function checkAmountSign(field: FieldPath): void {
  if (field.text() !== '' && quantitySign(field.text()) < 0) field.invalid('must be greater than or equal to 0');
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
export function checkAnyResourceName(field: FieldPath, name: string): boolean {
  const problems = labelKeyProblems(field.server, name);
  field.invalidEach(shownName(name), problems);
  if (problems.length > 0) return false;
  if (!name.includes('/') && !standardNames.has(name) && !isHugePagesName(name) && !name.startsWith('requests.hugepages-'))
    field.invalid(shownName(name), 'must be a standard resource type or fully qualified');
  return true;
}

/** Validates a resource name that a container may request. Source: validateContainerResourceName. */
export function checkContainerResourceName(field: FieldPath, name: string): void {
  checkAnyResourceName(field, name);
  if (!name.includes('/')) {
    if (!basicNames.includes(name) && !isHugePagesName(name)) field.invalid(shownName(name), 'must be a standard resource for containers');
  } else if (!isNative(name) && !isExtendedResourceName(field.server, name))
    field.invalid(shownName(name), "doesn't follow extended resource name standard");
}

/** Source: validatePodResourceName. */
function checkPodResourceName(field: FieldPath, name: string): void {
  const before = field.errors.length;
  checkAnyResourceName(field, name);
  if (field.errors.length > before) return;
  if (name !== 'cpu' && name !== 'memory' && !isHugePagesName(name)) field.notSupported(shownName(name), ['cpu', 'hugepages-', 'memory']);
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
function checkHugePages(field: FieldPath, name: string): void {
  if (isHugePagesName(name) && !isDivisible(field.text(), name.slice('hugepages-'.length)))
    field.invalid(`${field.text()} is not positive integer multiple of ${name}`);
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

function checkClaims(claims: FieldPath, claimNames: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const claim of claims.items()) {
    const name = claim.text('name');
    if (name === '') {
      claim.required();
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

function checkClaimIsNew(claim: FieldPath, name: string, seen: Set<string>): void {
  if (seen.has(name)) {
    claim.duplicate(name);
    return;
  }
  const request = claim.text('request');
  if (request !== '') checkName(claim.child('request'), dns1123LabelProblems);
  const key = request === '' ? name : `${name}/${request}`;
  if (seen.has(key)) claim.duplicate(key);
  else if (request === '' && [...seen].some(other => other.startsWith(`${name}/`))) claim.duplicate(name);
  seen.add(key);
}

/** Returns the number of entries in requests and limits. */
export function amountCount(resources: FieldPath): number {
  return resources.child('limits').length() + resources.child('requests').length();
}
