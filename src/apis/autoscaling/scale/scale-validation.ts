import { finalizerNameErrors } from '../../../apiserver/registry/validation/object-errors.js';
import { objectMetaErrors } from '../../../apiserver/registry/validation/object-meta.js';
import { numberAt, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';
import type { Resource } from '../../../kubernetes/resource-table.js';

/** Validates the Scale of a built-in resource's object. Source: kubernetes pkg/apis/autoscaling/validation ValidateScale. */
export function scaleErrors(server: ApiServer, scale: ValueMap, resource: Resource): FieldError[] {
  const own = { ...resource, group: 'autoscaling', resource: 'scales' };
  const replicas = numberAt(scale, 'spec', 'replicas');
  return [
    ...objectMetaErrors(server, scale, own),
    ...finalizerNameErrors(scale, own),
    ...(replicas < 0n ? [invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')] : []),
  ];
}
