import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { memberValue, sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import {
  addDuplicate,
  addInvalid,
  addRequired,
  at,
  indexed,
  isSet,
  lengthOf,
  numberOf,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { tooLong, tooMany } from '../../../kubernetes/field-error.js';
import { caselessLongNameProblems, longNameProblems } from '../../../kubernetes/name-rules.js';
import { checkConditions } from '../../policy/pod-disruption-budget/pod-disruption-budget-status-validation.js';
import { checkSegmentedPoolName } from '../device-names.js';

const kind = 'resource/v1alpha3.ResourcePoolStatusRequest';
const statusType = `${kind}Status`;

/** Validation of requests. Source: resource/validation ValidateResourcePoolStatusRequest and the markers of the types. */
const resourcePoolStatusRequestRules: KindRules = {
  create: request => checkSpec(at(request, 'spec')),
  update: [
    'changes',
    (request, old) => {
      if (!sameMember(request.server, at(request, 'spec').value, at(old, 'spec').value, { type: kind, name: 'spec' }))
        addInvalid(at(request, 'spec'), 'field is immutable', null);
    },
  ],
};

/** Validation of the status, which is immutable. Source: resource/validation ValidateResourcePoolStatusRequestStatusUpdate. */
const resourcePoolStatusRequestStatus: readonly UpdateStep[] = [
  (request, old) => {
    const [status, before] = [at(request, 'status'), at(old, 'status')];
    if (isSet(before)) {
      if (sameMember(request.server, status.value, before.value, { type: kind, name: 'status' })) return;
      addInvalid(status, 'field is immutable', memberValue(request.server, status.value, { type: kind, name: 'status' }));
    } else checkConditions(at(status, 'conditions'));
    if (isSet(status)) checkStatus(status, before);
  },
];

function checkSpec(spec: Place): void {
  checkDriver(at(spec, 'driver'));
  const pool = at(spec, 'poolName');
  if (isSet(pool)) checkSegmentedPoolName(pool);
  const limit = at(spec, 'limit');
  if (numberOf(limit) > 1000n) addInvalid(limit, 'must be less than or equal to 1000');
  checkMinimum(limit, 1n);
}

/** Validates the members of a status that changed. */
function checkStatus(status: Place, before: Place): void {
  const changed = (name: string): boolean =>
    !sameMember(status.server, at(status, name).value, at(before, name).value, { type: statusType, name }) || !isSet(before);
  const count = at(status, 'poolCount');
  if (changed('poolCount')) {
    if (isSet(count)) checkMinimum(count, 0n);
    else addRequired(count);
  }
  const [pools, conditions] = [at(status, 'pools'), at(status, 'conditions')];
  if (changed('pools') && hasAtMost(pools, 1000)) for (const pool of indexed(pools)) checkPoolStatus(pool);
  if (changed('conditions') && hasAtMost(conditions, 10)) checkUnique(conditions);
}

function hasAtMost(list: Place, maximum: number): boolean {
  const count = lengthOf(list);
  if (count > maximum) list.errors.push(tooMany(list.path, count, maximum));
  return count <= maximum;
}

function checkUnique(conditions: Place): void {
  const seen = new Set<string>();
  for (const condition of indexed(conditions)) {
    const type = textAt(condition, 'type');
    if (seen.has(type)) addDuplicate(condition, internalValue(conditions.server, 'meta/v1.Condition', condition.value));
    seen.add(type);
  }
}

function checkPoolStatus(pool: Place): void {
  checkDriver(at(pool, 'driver'));
  const [name, generation] = [at(pool, 'poolName'), at(pool, 'generation')];
  if (textOf(name) === '') addRequired(name);
  else checkSegmentedPoolName(name);
  if (numberOf(generation) === 0n) addRequired(generation);
  else checkMinimum(generation, 0n);
  checkMinimum(at(pool, 'resourceSliceCount'), 1n);
  for (const count of ['totalDevices', 'allocatedDevices', 'availableDevices', 'unavailableDevices']) checkMinimum(at(pool, count), 0n);
  const node = at(pool, 'nodeName');
  if (isSet(node)) checkName(node, longNameProblems);
  const failure = at(pool, 'validationError');
  if (Buffer.byteLength(textOf(failure)) > 256) failure.errors.push(tooLong(failure.path, 256));
}

function checkDriver(driver: Place): void {
  if (textOf(driver) === '') addRequired(driver);
  else checkName(driver, caselessLongNameProblems);
}

function checkMinimum(place: Place, minimum: bigint): void {
  if (isSet(place) && numberOf(place) < minimum) addInvalid(place, `must be greater than or equal to ${minimum}`);
}

/** ResourcePoolStatusRequest. */
export const resourcePoolStatusRequestKind: KindDefinition = {
  hasNoStatusTables: true,
  validation: resourcePoolStatusRequestRules,
  subresources: { status: { update: resourcePoolStatusRequestStatus } },
  gatedFields: [{ gates: ['DRAPartitionableDevicesType'], paths: ['spec.defaultPartitionTypeAttribute'] }],
  allowsUnconditionalUpdate: false,
  resetsStatus: true,
  keepsMetadataInStatus: true,
  deletion: { returnsObject: true },
  resetFields: { status: ['spec', 'metadata'] },
};
