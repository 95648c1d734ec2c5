import { timestampOf } from '../kubernetes/timestamp.js';
import type { CallContext } from './call-context.js';
import type { ApiObject } from './objects/api-object.js';
import type { WriteOptions } from './options.js';
import { builtInVersions } from './patches/managed-fields/built-in-versions.js';
import { type FieldManager, setManagedFields, updateManagedFields } from './patches/managed-fields/field-manager.js';
import { managerName } from './patches/managed-fields/manager-name.js';
import { resetFieldsFilter } from './registry/reset-fields.js';

/** Writes who owns which fields into `metadata.managedFields`, before admission. Source: apiserver handlers/create.go, update.go, patch.go. */
export async function recordManagedFields(
  object: ApiObject,
  live: ApiObject | undefined,
  options: WriteOptions,
  context: CallContext,
): Promise<void> {
  const change = { live, object, manager: managerOf(options, context), now: timestampOf(context.effects.now()) };
  setManagedFields(object.value, await updateManagedFields(change, fieldManagerOf(context)), 'raw');
}

/** How ownership is kept at the endpoint of a call. */
export function fieldManagerOf({ endpoint, info, codec }: CallContext): FieldManager {
  const versions = builtInVersions(codec.kind);
  return {
    kind: codec.kind,
    subresource: info.subresource,
    codec,
    versions,
    filter: resetFieldsFilter(endpoint.resource, info.subresource),
  };
}

/** Who makes the call, as managed fields name them. */
export function managerOf(options: WriteOptions, { call }: CallContext): string {
  return managerName(options.fieldManager, call.userAgent ?? '');
}
