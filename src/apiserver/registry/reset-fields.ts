import type { Resource } from '../../kubernetes/resource-table.js';
import { type FieldPath, type FieldSet, fieldSet, pathOf, recursiveDifference } from '../patches/structured-merge/field-set.js';
import { resetsStatus } from './kind-traits.js';

/** Kinds whose /status writes nothing of the metadata. */
const restoresMetadata = new Set([
  'VolumeAttachment',
  'ServiceCIDR',
  'ResourceClaim',
  'PodGroup',
  'FlowSchema',
  'PriorityLevelConfiguration',
]);

/** Takes out of a set of fields what the endpoint resets anyway: nobody owns that. Source: kubernetes pkg/registry, each strategy's GetResetFields. */
export function resetFieldsFilter(resource: Resource, subresource: string): (set: FieldSet) => FieldSet {
  const reset = fieldSet(...resetPaths(resource, subresource));
  return set => recursiveDifference(set, reset);
}

function resetPaths(resource: Resource, subresource: string): FieldPath[] {
  const { kind } = resource.kind;
  if (subresource === 'status') return [pathOf('spec'), ...resetByStatus(resource, kind)];
  return resetsStatus(resource) || kind === 'Node' ? [pathOf('status')] : [];
}

function resetByStatus(resource: Resource, kind: string): FieldPath[] {
  if (resource.custom || restoresMetadata.has(kind)) return [pathOf('metadata')];
  if (kind === 'Pod') return [pathOf('metadata', 'deletionTimestamp'), pathOf('metadata', 'ownerReferences')];
  return kind === 'Deployment' ? [pathOf('metadata', 'labels')] : [];
}
