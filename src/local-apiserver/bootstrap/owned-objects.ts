import { resourceOfKind } from '../../apiserver/call/served-resources.js';
import { resetFields } from '../../apiserver/handlers/reset-fields.js';
import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { DecodeError } from '../../apiserver/objects/codec.js';
import { builtInVersions } from '../../apiserver/patches/managed-fields/built-in-versions.js';
import { setManagedFields, updateManagedFields } from '../../apiserver/patches/managed-fields/field-manager.js';
import { writeValue } from '../../go/json/write.js';
import { copyOf, listAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { builtInResources } from '../../kubernetes/resource-table.js';
import { kindOf } from '../../kubernetes/storage.js';
import { timestampOf } from '../../kubernetes/timestamp.js';

/**
 * Adds managed fields to the user's objects, as if kubectl had created them: files rarely contain them, and server-side apply needs them.
 */
export async function addManagedFields(server: ApiServer, objects: readonly ValueMap[], now: Date): Promise<ValueMap[]> {
  const owned: ValueMap[] = [];
  for (const object of objects) owned.push(await addManagedFieldsTo(server, object, now));
  return owned;
}

async function addManagedFieldsTo(server: ApiServer, object: ValueMap, now: Date): Promise<ValueMap> {
  const kind = kindOf(object);
  const codec = builtInCodec(server, kind);
  const served = builtInResources(server, 'all');
  const resource = resourceOfKind(served, kind);
  if (codec === undefined || resource === undefined || listAt(object, 'metadata', 'managedFields').length > 0) return object;
  try {
    const { value } = codec.decode(writeValue(object, 'kept'));
    codec.applyDefaults(value, now);
    const asCreated = copyOf(value);
    // Created by the server, not by the creator of a namespace.
    if (kind.kind === 'Namespace') for (const key of ['spec', 'status']) asCreated.delete(key);
    const hasStatus = resource.subresources.some(({ name }) => name === 'status');
    const filter = resetFields(server, { group: resource.group, resource: resource.resource, custom: false, subresource: '', hasStatus });
    const fields = { kind, subresource: '', codec, versions: builtInVersions(server, kind, served.groups), filter };
    const change = { live: undefined, object: { codec, value: asCreated }, manager: 'kubectl', now: timestampOf(now) };
    setManagedFields(value, await updateManagedFields(change, fields), 'raw');
    return codec.toUnstructured(value);
  } catch (error) {
    // An invalid object is left unchanged: reading it reports the error.
    if (error instanceof DecodeError) return object;
    throw error;
  }
}
