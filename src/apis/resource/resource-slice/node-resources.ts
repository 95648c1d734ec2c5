import { declared } from '../../../apiserver/registry/validation/declared.js';
import {
  addInvalid,
  addNotFound,
  addRequired,
  at,
  entriesAt,
  hasSet,
  isSet,
  type Place,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { goString } from '../../../go/json/write.js';
import { compareQuantities } from '../../../kubernetes/quantity.js';

/** Validates which resources of the node a device uses. Source: resource/validation validateNodeAllocatableResources. */
export function checkNodeResources(device: Place): void {
  for (const [name, resource] of entriesAt(device, 'nodeAllocatableResources')) {
    if (name !== 'cpu' && name !== 'memory' && !name.startsWith('hugepages-'))
      addInvalid(resource, 'must be a node allocatable resource name', { rawJson: goString(name) });
    const [mapping, overhead] = [at(resource, 'mapping'), at(resource, 'overhead')];
    if (!isSet(mapping) && !isSet(overhead)) addRequired(resource, 'at least one of mapping or overhead must be set');
    if (isSet(mapping)) checkMapping(mapping, at(device, 'capacity'));
    if (isSet(overhead)) checkOverhead(overhead);
  }
}

function checkMapping(mapping: Place, capacities: Place): void {
  const [key, multiplier, perDevice] = [at(mapping, 'capacityKey'), at(mapping, 'capacityMultiplier'), at(mapping, 'deviceMultiplier')];
  if (isSet(key)) {
    if (textOf(key) === '') addInvalid(key, 'capacityKey must not be an empty string', '');
    else if (!hasSet(capacities, textOf(key))) addNotFound(key);
    if (!isSet(multiplier))
      declared(multiplier, undefined, () => addRequired(multiplier, 'capacityMultiplier is required when capacityKey is set'));
    else checkPositive(multiplier);
  } else if (isSet(multiplier)) declared(key, undefined, () => addRequired(key, 'capacityKey is required when capacityMultiplier is set'));
  if (isSet(perDevice)) checkPositive(perDevice);
}

function checkPositive(quantity: Place): void {
  if (compareQuantities(textOf(quantity), '0') <= 0) addInvalid(quantity, 'must be positive');
}

function checkOverhead(overhead: Place): void {
  const parts = ['perPod', 'perContainer'].map(name => at(overhead, name));
  if (!parts.some(isSet)) addInvalid(overhead, 'at least one of perPod or perContainer must be set', '');
  for (const part of parts) if (isSet(part) && compareQuantities(textOf(part), '0') < 0) addInvalid(part, 'must be non-negative');
}
