import { goString } from '../../../go/json/write.js';
import type { Value } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { BadValue } from '../../../kubernetes/field-error.js';
import type { FieldSchema } from '../../../kubernetes/schema.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { semanticallyEqualAs } from '../../objects/semantic-equality.js';
import type { FieldPath } from './field-path.js';
import { internalFieldValue } from './go-value.js';

/**
 * Validates that a member does not change. Its struct is named as in the table of types, `apps/v1.DeploymentSpec`. Source:
 * ValidateImmutableField.
 */
export function checkImmutable(object: FieldPath, old: FieldPath, { type, name }: { readonly type: string; readonly name: string }): void {
  const [now, before] = [object.child(name), old.child(name)];
  if (!sameMember(object.server, now.value, before.value, { type, name }))
    now.invalid(memberValue(object.server, now.value, { type, name }), 'field is immutable');
}

/**
 * Reports whether a member is equal in both, where empty and absent lists and maps are equal. Source: apimachinery ValidateImmutableField.
 */
export function sameMember(
  server: ApiServer,
  a: Value | undefined,
  b: Value | undefined,
  { type, name }: { readonly type: string; readonly name: string },
): boolean {
  const { schema, pointer } = fieldNamed(server, type, name);
  const absent = [a, b].filter(value => value === undefined || value === null).length;
  return pointer && absent > 0 ? absent === 2 : semanticallyEqualAs(schema, a ?? undefined, b ?? undefined);
}

/** Returns a member as an error shows it. */
export function memberValue(
  server: ApiServer,
  value: Value | undefined,
  { type, name }: { readonly type: string; readonly name: string },
): BadValue {
  if (typeof value === 'string' && namedStrings.has(`${type}.${name}`)) return { rawJson: goString(value) };
  return internalFieldValue(fieldNamed(server, type, name), value);
}

/** Fields that never change and whose type is a string with a name of its own: Go's errors show those as JSON. */
const namedStrings: ReadonlySet<string> = new Set([
  'apps/v1.StatefulSetSpec.podManagementPolicy',
  'batch/v1.JobSpec.completionMode',
  'core/v1.PersistentVolumeClaimSpec.volumeMode',
  'core/v1.PersistentVolumeSpec.volumeMode',
  'core/v1.Secret.type',
  'discovery/v1.EndpointSlice.addressType',
  'scheduling/v1.PriorityClass.preemptionPolicy',
  'storage/v1.StorageClass.reclaimPolicy',
  'storage/v1.StorageClass.volumeBindingMode',
]);

function fieldNamed(server: ApiServer, type: string, name: string): FieldSchema {
  const field = structNamed(server, type).fieldsByName.get(name);
  if (field === undefined) throw new Error(`${type} has no field ${name}`);
  return field;
}
