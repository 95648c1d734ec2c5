import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkMetaConditions } from '../../../apiserver/registry/validation/meta-conditions.js';
import { checkName, checkRequired } from '../../../apiserver/registry/validation/rules.js';
import { goString } from '../../../go/json/write.js';
import { ownMember } from '../../../go/own-members.js';
import { quote } from '../../../go/quote.js';
import type { RawJson } from '../../../go/value.js';
import { isRawJson } from '../../../go/value.js';
import { canonicalInterfaceAddress } from '../../../kubernetes/ip-rules.js';
import { dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { checkNodeSelector } from '../../core/pod/validation/affinity.js';
import { checkAmountSign } from '../../core/pod/validation/container-resources.js';
import { checkDriverName } from '../../core/pod/validation/volume-sources.js';
import { checkConfiguration, checkRawObject, checkReference, checkReferences, requestNames } from '../claimed-devices.js';
import { checkItems, checkPoolName, checkQualifiedName, checkSet, keyPlace } from '../device-names.js';
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

function checkStatus(claim: FieldPath, old: FieldPath): void {
  const [status, before] = [claim.child('status'), old.child('status')];
  const [reserved, allocation] = [status.child('reservedFor'), status.child('allocation')];
  checkSet(reserved, 256, {
    check: consumer => checkRequired(consumer, 'resource', 'name', 'uid'),
    key: consumer => consumer.text('uid'),
  });
  const allocated = new Set(allocation.items('devices', 'results').map(result => deviceOf(result).rawJson));
  checkSet(status.child('devices'), Number.POSITIVE_INFINITY, {
    check: device => checkDeviceStatus(device, allocated),
    key: deviceOf,
  });
  if (reserved.length() > 0 && !allocation.isSet()) reserved.forbidden('may not be specified when `allocated` is not set');
  else if (claim.text('metadata', 'deletionTimestamp') !== '') keepConsumers(reserved, before.child('reservedFor'));
  if (!allocation.isSet()) return;
  if (!before.child('allocation').isSet()) checkAllocation(allocation, requestNames(claim.child('spec', 'devices')));
  // Since v1.37 only declarative validation says that it cannot be modified.
  else if (!status.server.since('v1.37')) checkImmutable(status, before, { type: 'resource/v1.ResourceClaimStatus', name: 'allocation' });
}

/** Returns the identity of a device, as errors show it. */
function deviceOf(device: FieldPath): RawJson {
  const members = ['driver', 'pool', 'device', 'shareID'].map(name => `"${ownMember(goNames, name)}":${goString(device.text(name))}`);
  return { rawJson: `{${members.join(',')}}` };
}

const goNames: Readonly<Record<string, string>> = { driver: 'Driver', pool: 'Pool', device: 'Device', shareID: 'ShareID' };

/** Validates that only consumers are removed from a claim being deleted. */
function keepConsumers(reserved: FieldPath, before: FieldPath): void {
  const consumerKeyOf = (consumer: FieldPath): string =>
    JSON.stringify(['apiGroup', 'resource', 'name', 'uid'].map(name => consumer.text(name)));
  const known = new Set(before.items().map(consumerKeyOf));
  if (reserved.items().some(consumer => !known.has(consumerKeyOf(consumer))))
    reserved.forbidden('new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set');
}

function checkAllocation(allocation: FieldPath, names: ReadonlySet<string>): void {
  checkItems(allocation.child('devices', 'results'), 32, result => {
    checkReference(result.child('request'), names);
    checkDriverName(result.child('driver'));
    checkPoolName(result.child('pool'));
    checkName(result.child('device'), dns1123LabelProblems);
    checkBinding(result);
    checkConsumed(result);
    checkShare(result.child('shareID'));
  });
  checkItems(allocation.child('devices', 'config'), 64, config => {
    const source = config.child('source');
    if (source.text() === '') source.required();
    else if (!['FromClaim', 'FromClass'].includes(source.text())) source.notSupported(['FromClaim', 'FromClass']);
    checkReferences(config.child('requests'), names);
    checkConfiguration(config);
  });
  if (allocation.child('nodeSelector').isSet()) checkNodeSelector(allocation.child('nodeSelector'));
}

/** Validates the capacity of a shared device that is used, since v1.38. Source: resource/validation validateDeviceRequestAllocationResult. */
function checkConsumed(result: FieldPath): void {
  const consumed = result.child('consumedCapacity');
  if (!result.server.since('v1.38')) return;
  if (consumed.length() > 32) {
    consumed.tooMany(consumed.length(), 32);
    return;
  }
  for (const [name, amount] of result.entries('consumedCapacity')) {
    checkQualifiedName(keyPlace(consumed, name));
    checkAmountSign(amount);
  }
}

function checkShare(share: FieldPath): void {
  if (!share.isSet()) return;
  const problem = uuidProblem(share.text());
  if (problem !== undefined) share.invalid(problem);
}

function checkDeviceStatus(device: FieldPath, allocated: ReadonlySet<string>): void {
  checkDriverName(device.child('driver'));
  checkPoolName(device.child('pool'));
  checkName(device.child('device'), dns1123LabelProblems);
  checkShare(device.child('shareID'));
  if (!allocated.has(deviceOf(device).rawJson)) device.invalid(deviceOf(device), 'must be an allocated device in the claim');
  const conditions = device.child('conditions');
  if (conditions.length() > 8) conditions.tooMany(conditions.length(), 8);
  checkMetaConditions(conditions);
  const data = device.child('data');
  if (isRawJson(data.value)) checkRawObject(data);
  checkNetwork(device.child('networkData'));
}

function checkNetwork(network: FieldPath): void {
  for (const [name, limit] of [
    ['interfaceName', 256],
    ['hardwareAddress', 128],
  ] as const)
    if (Buffer.byteLength(network.text(name)) > limit) network.child(name).tooLong(limit);
  checkSet(network.child('ips'), 16, { check: checkInterface, key: field => field.text() });
}

function checkInterface(address: FieldPath): void {
  const canonical = canonicalInterfaceAddress(address.text());
  if (canonical === undefined) address.invalid('must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)');
  else if (canonical !== address.text()) address.invalid(`must be in canonical form ("${canonical}")`);
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
