import type { GatedFields } from '../../../apiserver/registry/kind-definition.js';

/**
 * Returns the gated fields of a claim's spec at `path`. In v1beta1 the fields of a request's only device are in the request itself. Source:
 * kubernetes pkg/api/resourceclaimspec/util.go, before v1.35 pkg/registry/resource/resourceclaim/strategy.go.
 */
export function gatedClaimFieldsBelow(path: string): GatedFields[] {
  const requests = `${path}.devices.requests.*`;
  const inRequests = (name: string): string[] => [
    `${requests}.${name}`,
    `${requests}.exactly.${name}`,
    `${requests}.firstAvailable.*.${name}`,
  ];
  const distinct = `${path}.devices.constraints.*.distinctAttribute`;
  return [
    { gates: ['DRAPrioritizedList'], paths: [`${requests}.firstAvailable`] },
    { gates: ['DRADeviceTaints'], minors: server => server.since('v1.35'), paths: inRequests('tolerations') },
    { gates: ['DRADerivedAttributes'], paths: inRequests('derivedAttributes') },
    { gates: ['DRAAdminAccess'], paths: [`${requests}.adminAccess`, `${requests}.exactly.adminAccess`] },
    { gates: ['DRAConsumableCapacity'], minors: server => server.since('v1.35'), paths: [distinct, ...inRequests('capacity')] },
    // v1.34 clears the attribute in a copy of the constraint.
    { gates: ['DRAConsumableCapacity'], minors: server => server.until('v1.34'), paths: inRequests('capacity'), keeping: [distinct] },
  ];
}

const results = 'status.allocation.devices.results.*';

/** Source: kubernetes pkg/registry/resource/resourceclaim/strategy.go dropDisabledStatusFields. */
export const claimStatusGatedFields: readonly GatedFields[] = [
  { gates: ['DRAResourceClaimDeviceStatus'], paths: ['status.devices'] },
  { gates: ['DRAAdminAccess'], paths: [`${results}.adminAccess`] },
  { gates: ['DRAOptionalNodeOperations'], paths: [`${results}.skipNodeOperations`] },
  { gates: ['DRAConsumableCapacity'], paths: [`${results}.shareID`, `${results}.consumedCapacity`, 'status.devices.*.shareID'] },
  {
    gates: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'],
    paths: [`${results}.bindingConditions`, `${results}.bindingFailureConditions`],
  },
  {
    gates: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'],
    minors: server => server.until('v1.34'),
    paths: ['status.allocation.allocationTimestamp'],
  },
];
