import type { DisabledField } from '../../../apiserver/registry/kind-definition.js';

/** Early versions have a device in the member `basic`. */
const devices = ['spec.devices.*', 'spec.devices.*.basic'];

/** Source: kubernetes pkg/registry/resource/resourceslice/strategy.go, and the gates that are off in pkg/features/kube_features.go. */
export const resourceSliceDisabledFields: readonly DisabledField[] = [
  devices.map(device => `${device}.nodeAllocatableResourceMappings`),
  devices.flatMap(device => ['ints', 'bools', 'strings', 'versions'].map(name => `${device}.attributes.*.${name}`)),
];
