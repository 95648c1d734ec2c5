import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName, checkRequired } from '../../../apiserver/registry/validation/rules.js';
import { goString } from '../../../go/json/write.js';
import { quote } from '../../../go/quote.js';
import type { RawJson } from '../../../go/value.js';
import { isRawJson } from '../../../go/value.js';
import { tooLong, tooMany } from '../../../kubernetes/field-error.js';
import { canonicalInterfaceAddress } from '../../../kubernetes/ip-rules.js';
import { dns1123LabelProblems, uuidProblems } from '../../../kubernetes/name-rules.js';
import { checkNodeSelector } from '../../core/pod/validation/affinity.js';
import { checkDeclaredDriverName, checkDriverName } from '../../core/pod/validation/volume-sources.js';
import { checkConditions } from '../../policy/pod-disruption-budget/pod-disruption-budget-status-validation.js';
import { checkConfiguration, checkRawObject, checkReference, checkReferences, requestNames } from '../claimed-devices.js';
import { checkDeclaredPoolName, checkItems, checkPoolName, checkSet } from '../device-names.js';
import { checkBinding } from '../resource-slice/resource-slice-validation.js';
import { claimStatusGatedFields, gatedClaimFieldsBelow } from './gated-fields.js';
import { resourceClaim } from './resource-claim-strategy.js';
import { resourceClaimRules } from './resource-claim-validation.js';

const hyphened = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/**
 * Returns the error of a uid: other forms of UUIDs are recognized, but not allowed. Source: resource/validation validateUID,
 * github.com/google/uuid Validate.
 */
function uuidProblem(uid: string): string | undefined {
  const why = formProblem(uid);
  if (why !== undefined) return `error validating uid: ${why}`;
  return uid.length === 36 && uid === uid.toLowerCase()
    ? undefined
    : 'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
}

function formProblem(uid: string): string | undefined {
  const wrong = 'invalid UUID format';
  const length = Buffer.byteLength(uid);
  if (length === 32) return /^[0-9a-fA-F]{32}$/.test(uid) ? undefined : wrong;
  if (length === 36) return hyphened.test(uid) ? undefined : wrong;
  if (length === 38) {
    if (!uid.startsWith('{') || !uid.endsWith('}')) return 'invalid bracketed UUID format';
    return hyphened.test(uid.slice(1, -1)) ? undefined : wrong;
  }
  if (length !== 45) return `invalid UUID length: ${length}`;
  const prefix = uid.slice(0, 9);
  if (prefix.toLowerCase() !== 'urn:uuid:') return `invalid urn prefix: ${quote(prefix)}`;
  return hyphened.test(uid.slice(9)) ? undefined : wrong;
}

/** Source: resource/validation ValidateResourceClaimStatusUpdate. */
const resourceClaimStatus: readonly UpdateStep[] = ['changes', checkStatus];

function checkStatus(claim: Place, old: Place): void {
  const [status, before] = [at(claim, 'status'), at(old, 'status')];
  const [reserved, allocation] = [at(status, 'reservedFor'), at(status, 'allocation')];
  checkSet(reserved, 256, {
    check: consumer => checkRequired(consumer, 'resource', 'name', 'uid'),
    key: consumer => textAt(consumer, 'uid'),
    struct: 'resource/v1.ResourceClaimConsumerReference',
  });
  const allocated = new Set(itemsAt(allocation, 'devices', 'results').map(result => deviceOf(result).rawJson));
  checkSet(at(status, 'devices'), Number.POSITIVE_INFINITY, {
    check: device => checkDeviceStatus(device, allocated),
    key: deviceOf,
    struct: 'resource/v1.AllocatedDeviceStatus',
  });
  if (lengthOf(reserved) > 0 && !isSet(allocation)) addForbidden(reserved, 'may not be specified when `allocated` is not set');
  else if (textAt(claim, 'metadata', 'deletionTimestamp') !== '') keepConsumers(reserved, at(before, 'reservedFor'));
  if (!isSet(allocation)) return;
  if (isSet(at(before, 'allocation'))) checkImmutable(status, before, { type: 'resource/v1.ResourceClaimStatus', name: 'allocation' });
  else checkAllocation(allocation, requestNames(at(claim, 'spec', 'devices')));
}

/** Returns the identity of a device, as errors show it. */
function deviceOf(device: Place): RawJson {
  const members = ['driver', 'pool', 'device', 'shareID'].map(name => `"${goNames[name]}":${goString(textAt(device, name))}`);
  return { rawJson: `{${members.join(',')}}` };
}

const goNames: Readonly<Record<string, string>> = { driver: 'Driver', pool: 'Pool', device: 'Device', shareID: 'ShareID' };

/** Validates that only consumers are removed from a claim being deleted. */
function keepConsumers(reserved: Place, before: Place): void {
  const keyOf = (consumer: Place): string => JSON.stringify(['apiGroup', 'resource', 'name', 'uid'].map(name => textAt(consumer, name)));
  const known = new Set(indexed(before).map(keyOf));
  if (indexed(reserved).some(consumer => !known.has(keyOf(consumer))))
    addForbidden(reserved, 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set');
}

function checkAllocation(allocation: Place, names: ReadonlySet<string>): void {
  checkItems(at(allocation, 'devices', 'results'), 32, result => {
    checkReference(at(result, 'request'), names);
    checkDeclaredDriverName(at(result, 'driver'));
    checkDeclaredPoolName(at(result, 'pool'));
    checkName(at(result, 'device'), dns1123LabelProblems);
    checkBinding(result);
    checkShare(at(result, 'shareID'));
  });
  checkItems(at(allocation, 'devices', 'config'), 64, config => {
    const source = at(config, 'source');
    declared(source, undefined, () => {
      if (textOf(source) === '') addRequired(source);
      else if (!['FromClaim', 'FromClass'].includes(textOf(source))) addUnsupported(source, ['FromClaim', 'FromClass']);
    });
    checkReferences(at(config, 'requests'), names);
    checkConfiguration(config);
  });
  if (isSet(at(allocation, 'nodeSelector'))) checkNodeSelector(at(allocation, 'nodeSelector'));
}

function checkShare(share: Place): void {
  if (!isSet(share)) return;
  declared(share, undefined, isDeclared => {
    const problem = uuidProblem(textOf(share));
    if (isDeclared) checkName(share, uuidProblems);
    else if (problem !== undefined) addInvalid(share, problem);
  });
}

function checkDeviceStatus(device: Place, allocated: ReadonlySet<string>): void {
  checkDriverName(at(device, 'driver'));
  checkPoolName(at(device, 'pool'));
  checkName(at(device, 'device'), dns1123LabelProblems);
  checkShare(at(device, 'shareID'));
  if (!allocated.has(deviceOf(device).rawJson)) addInvalid(device, 'must be an allocated device in the claim', deviceOf(device));
  const conditions = at(device, 'conditions');
  if (lengthOf(conditions) > 8) conditions.errors.push(tooMany(conditions.path, lengthOf(conditions), 8));
  checkConditions(conditions);
  const data = at(device, 'data');
  if (isRawJson(data.value)) checkRawObject(data);
  checkNetwork(at(device, 'networkData'));
}

function checkNetwork(network: Place): void {
  for (const [name, limit] of [
    ['interfaceName', 256],
    ['hardwareAddress', 128],
  ] as const)
    if (Buffer.byteLength(textAt(network, name)) > limit) network.errors.push(tooLong(at(network, name).path, limit));
  checkSet(at(network, 'ips'), 16, { check: checkInterface, key: textOf });
}

function checkInterface(address: Place): void {
  const canonical = canonicalInterfaceAddress(textOf(address));
  if (canonical === undefined) addInvalid(address, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)');
  else if (canonical !== textOf(address)) addInvalid(address, `must be in canonical form ("${canonical}")`);
}

/** ResourceClaim. */
export const resourceClaimKind: KindDefinition = {
  hasNoStatusTables: true,
  refine: resourceClaim,
  validation: resourceClaimRules,
  subresources: { status: { update: resourceClaimStatus } },
  gatedFields: [...gatedClaimFieldsBelow('spec'), ...claimStatusGatedFields],
  resetsStatus: true,
  keepsMetadataInStatus: true,
  deletion: { returnsObject: true },
  resetFields: { status: server => (server.until('v1.34') ? ['spec'] : ['spec', 'metadata']) },
};
