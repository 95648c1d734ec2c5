import type { GatedFields, KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { apiVersionOf } from '../../../kubernetes/group-version.js';
import { resourceSliceRules } from './resource-slice-validation.js';

/** Early versions have the device in the member `basic`. */
const inDevices = (...names: readonly string[]): string[] =>
  names.flatMap(name => [`spec.devices.*.${name}`, `spec.devices.*.basic.${name}`]);

/** Source: kubernetes pkg/registry/resource/resourceslice/strategy.go. */
const resourceSliceGatedFields: readonly GatedFields[] = [
  { gates: ['DRADeviceTaints'], paths: inDevices('taints') },
  {
    gates: ['DRAPartitionableDevices'],
    paths: ['spec.sharedCounters', 'spec.perDeviceNodeSelection', ...inDevices('consumesCounters', 'nodeName', 'nodeSelector', 'allNodes')],
  },
  {
    gates: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'],
    paths: inDevices('bindingConditions', 'bindingFailureConditions', 'bindsToNode'),
  },
  { gates: ['DRAConsumableCapacity'], paths: inDevices('allowMultipleAllocations', 'capacity.*.requestPolicy') },
  { gates: ['DRANodeAllocatableResources'], paths: inDevices('nodeAllocatableResourceMappings', 'nodeAllocatableResources') },
  { gates: ['DRAOptionalNodeOperations'], paths: ['spec.skipNodeOperations'] },
  { gates: ['DRAPartitionableDevicesType'], paths: ['spec.partitionTypeAttribute'] },
  { gates: ['DRADeviceCompatibilityGroups'], paths: inDevices('consumesCounters.*.compatibilityGroups') },
  { gates: ['DRAListTypeAttributes'], paths: inDevices(...['ints', 'bools', 'strings', 'versions'].map(name => `attributes.*.${name}`)) },
];

/** ResourceSlice. */
export const resourceSliceKind: KindDefinition = {
  validation: resourceSliceRules,
  gatedFields: resourceSliceGatedFields,
  countsDroppedFields: true,
  hasGeneration: true,
  deletion: { returnsObject: true },
  fieldLabels: {
    fields: ['spec.nodeName', 'spec.driver'],
    refusal: (field, { kind }) => `field label not supported for ${apiVersionOf(kind)}, Kind=${kind.kind}: ${field}`,
  },
};
