import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { memberValue, sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { caselessLongNameProblems, longNameProblems } from '../../../kubernetes/name-rules.js';
import { checkBudgetConditions } from '../../policy/pod-disruption-budget/pod-disruption-budget-status-validation.js';
import { checkSegmentedPoolName } from '../device-names.js';

const kind = 'resource/v1alpha3.ResourcePoolStatusRequest';
const statusType = `${kind}Status`;

/** Validation of requests. Source: resource/validation ValidateResourcePoolStatusRequest and the markers of the types. */
const resourcePoolStatusRequestRules: KindRules = {
  create: request => checkSpec(request.child('spec')),
  update: [
    'changes',
    (request, old) => {
      if (!sameMember(request.server, request.child('spec').value, old.child('spec').value, { type: kind, name: 'spec' }))
        request.child('spec').invalid(null, 'field is immutable');
    },
  ],
};

/** Validation of the status, which is immutable. Source: resource/validation ValidateResourcePoolStatusRequestStatusUpdate. */
const resourcePoolStatusRequestStatus: readonly UpdateStep[] = [
  (request, old) => {
    const [status, before] = [request.child('status'), old.child('status')];
    if (before.isSet()) {
      if (sameMember(request.server, status.value, before.value, { type: kind, name: 'status' })) return;
      status.invalid(memberValue(request.server, status.value, { type: kind, name: 'status' }), 'field is immutable');
    } else checkBudgetConditions(status.child('conditions'));
    if (status.isSet()) checkStatus(status, before);
  },
];

function checkSpec(spec: FieldPath): void {
  checkDriver(spec.child('driver'));
  const pool = spec.child('poolName');
  if (pool.isSet()) checkSegmentedPoolName(pool);
  const limit = spec.child('limit');
  if (limit.number() > 1000n) limit.invalid('must be less than or equal to 1000');
  checkMinimum(limit, 1n);
}

/** Validates the members of a status that changed. */
function checkStatus(status: FieldPath, before: FieldPath): void {
  const changed = (name: string): boolean =>
    !sameMember(status.server, status.child(name).value, before.child(name).value, { type: statusType, name }) || !before.isSet();
  const count = status.child('poolCount');
  if (changed('poolCount')) {
    if (count.isSet()) checkMinimum(count, 0n);
    else count.required();
  }
  const [pools, conditions] = [status.child('pools'), status.child('conditions')];
  if (changed('pools') && hasAtMost(pools, 1000)) for (const pool of pools.items()) checkPoolStatus(pool);
  if (changed('conditions') && hasAtMost(conditions, 10)) checkUnique(conditions);
}

function hasAtMost(list: FieldPath, maximum: number): boolean {
  const count = list.length();
  if (count > maximum) list.tooMany(count, maximum);
  return count <= maximum;
}

function checkUnique(conditions: FieldPath): void {
  const seen = new Set<string>();
  for (const condition of conditions.items()) {
    const type = condition.text('type');
    if (seen.has(type)) condition.duplicate(internalValue(conditions.server, 'meta/v1.Condition', condition.value));
    seen.add(type);
  }
}

function checkPoolStatus(pool: FieldPath): void {
  checkDriver(pool.child('driver'));
  const [name, generation] = [pool.child('poolName'), pool.child('generation')];
  if (name.text() === '') name.required();
  else checkSegmentedPoolName(name);
  if (generation.number() === 0n) generation.required();
  else checkMinimum(generation, 0n);
  checkMinimum(pool.child('resourceSliceCount'), 1n);
  for (const count of ['totalDevices', 'allocatedDevices', 'availableDevices', 'unavailableDevices']) checkMinimum(pool.child(count), 0n);
  const node = pool.child('nodeName');
  if (node.isSet()) checkName(node, longNameProblems);
  const failure = pool.child('validationError');
  if (Buffer.byteLength(failure.text()) > 256) failure.tooLong(256);
}

function checkDriver(driver: FieldPath): void {
  if (driver.text() === '') driver.required();
  else checkName(driver, caselessLongNameProblems);
}

function checkMinimum(field: FieldPath, minimum: bigint): void {
  if (field.isSet() && field.number() < minimum) field.invalid(`must be greater than or equal to ${minimum}`);
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
