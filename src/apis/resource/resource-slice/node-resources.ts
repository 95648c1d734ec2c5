import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { goString } from '../../../go/json/write.js';
import { compareQuantities } from '../../../kubernetes/quantity.js';

/** Validates which resources of the node a device uses. Source: resource/validation validateNodeAllocatableResources. */
export function checkNodeResources(device: FieldPath): void {
  for (const [name, resource] of device.entries('nodeAllocatableResources')) {
    if (name !== 'cpu' && name !== 'memory' && !name.startsWith('hugepages-'))
      resource.invalid({ rawJson: goString(name) }, 'must be a node allocatable resource name');
    const [mapping, overhead] = [resource.child('mapping'), resource.child('overhead')];
    if (!mapping.isSet() && !overhead.isSet()) resource.required('at least one of mapping or overhead must be set');
    if (mapping.isSet()) checkMapping(mapping, device.child('capacity'));
    if (overhead.isSet()) checkOverhead(overhead);
  }
}

function checkMapping(mapping: FieldPath, capacities: FieldPath): void {
  const [key, multiplier, perDevice] = [
    mapping.child('capacityKey'),
    mapping.child('capacityMultiplier'),
    mapping.child('deviceMultiplier'),
  ];
  if (key.isSet()) {
    if (key.text() === '') key.invalid('', 'capacityKey must not be an empty string');
    else if (!capacities.has(key.text())) key.notFound();
    if (!multiplier.isSet()) multiplier.required('capacityMultiplier is required when capacityKey is set');
    else checkPositive(multiplier);
  } else if (multiplier.isSet()) key.required('capacityKey is required when capacityMultiplier is set');
  if (perDevice.isSet()) checkPositive(perDevice);
}

function checkPositive(quantity: FieldPath): void {
  if (compareQuantities(quantity.text(), '0') <= 0) quantity.invalid('must be positive');
}

function checkOverhead(overhead: FieldPath): void {
  const parts = ['perPod', 'perContainer'].map(name => overhead.child(name));
  if (!parts.some(field => field.isSet())) overhead.invalid('', 'at least one of perPod or perContainer must be set');
  for (const part of parts) if (part.isSet() && compareQuantities(part.text(), '0') < 0) part.invalid('must be non-negative');
}
