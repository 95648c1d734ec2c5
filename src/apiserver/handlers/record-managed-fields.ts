import type { Value } from '../../go/value.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import type { WriteOptions } from '../endpoints/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom/custom-codec.js';
import { encodedObject } from '../objects/encoded-object.js';
import { builtInVersions } from '../patches/managed-fields/built-in-versions.js';
import { customVersions } from '../patches/managed-fields/custom-versions.js';
import { type FieldManager, setManagedFields, updateManagedFields } from '../patches/managed-fields/field-manager.js';
import { managerName } from '../patches/managed-fields/manager-name.js';
import { resetFields } from '../patches/managed-fields/reset-fields.js';
import type { CallContext } from './call-context.js';
import { convertTo } from './convert-object.js';

/** Records field ownership in `metadata.managedFields`, before admission. Source: apiserver handlers/create.go, update.go, patch.go. */
export async function recordManagedFields(
  object: ApiObject,
  live: ApiObject | undefined,
  options: WriteOptions,
  context: CallContext,
): Promise<void> {
  context.effects.steps?.enter({ kind: 'managedFields', phase: 'request' }, encodedObject(object));
  const change = { live, object, manager: managerOf(options, context), now: timestampOf(context.effects.now()) };
  writeManagedFields(object, await updateManagedFields(change, fieldManagerOf(context)));
}

/** Writes the entries into the metadata, in the form of the kind's objects. */
export function writeManagedFields(object: ApiObject, entries: readonly Value[] | undefined): void {
  setManagedFields(object.value, entries, isCustomCodec(object.codec) ? 'untyped' : 'raw');
}

/** Returns the field manager of a call's endpoint. */
export function fieldManagerOf({ endpoint, info, codec, custom: crd, served, server }: CallContext): FieldManager {
  const versions =
    crd === undefined || info.subresource === 'scale'
      ? builtInVersions(server, codec.kind, served.groups)
      : customVersions(server, crd.definition, (object, to) => convertTo(object, to, crd));
  const { group, resource, custom, subresources } = endpoint.resource;
  const hasStatus = subresources.some(s => s.name === 'status');
  return {
    kind: codec.kind,
    subresource: info.subresource,
    codec,
    versions,
    filter: resetFields(server, { group, resource, custom, subresource: info.subresource, hasStatus }),
  };
}

/** Returns the manager of a call, as managed fields name it. */
export function managerOf(options: WriteOptions, { call }: CallContext): string {
  return managerName(options.fieldManager, call.userAgent ?? '');
}
