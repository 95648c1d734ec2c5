import { numberAt, type ValueMap } from '../../../go/value.js';
import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import { finalizerNameErrors } from './object-errors.js';
import { objectMetaErrors } from './object-meta.js';

/** What is wrong with the Scale of a resource's object; without a resource, a custom one's, metadata is not looked at. Source: autoscaling/validation ValidateScale. */
export function scaleErrors(scale: ValueMap, resource: Resource | undefined): FieldError[] {
  const own = resource && { ...resource, group: 'autoscaling', resource: 'scales' };
  const replicas = numberAt(scale, 'spec', 'replicas');
  return [
    ...(own === undefined ? [] : [...objectMetaErrors(scale, own), ...finalizerNameErrors(scale, own)]),
    ...(replicas < 0n ? [invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')] : []),
  ];
}
