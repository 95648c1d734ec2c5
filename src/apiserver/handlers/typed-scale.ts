import { stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type GroupVersionKind, parseApiVersion, printKind } from '../../kubernetes/group-version.js';
import type { StructSchema } from '../../kubernetes/schema.js';
import { PlainError } from '../../kubernetes/status.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { notRegistered } from '../objects/not-registered.js';
import { fromUnstructured } from '../patches/from-unstructured.js';
import { PatchError } from '../patches/patch-error.js';

/**
 * Returns the Scale of a custom resource after a webhook's patch: read from the untyped object, without kind and apiVersion, which Go's
 * conversion does not copy. Throws PlainError when the patch made it another kind. Source: apimachinery runtime Scheme.Convert,
 * Scheme.unstructuredToTyped.
 */
export function typedScale(server: ApiServer, untyped: ValueMap, kind: GroupVersionKind): ValueMap {
  const named = namedKind(untyped);
  const schema = schemaOfKind(server, named);
  if (schema === undefined) throw new PlainError(notRegistered(server, named));
  const typed = restored(untyped, schema, named);
  const types = [schema.name, schemaOfKind(server, kind)?.name ?? ''].map(name => name.slice(name.lastIndexOf('/') + 1));
  if (printKind(named) !== printKind(kind)) throw new PlainError(`converting (${types[0]}) to (${types[1]}): unknown conversion`);
  typed.delete('kind');
  typed.delete('apiVersion');
  return typed;
}

/** Returns the kind that an untyped object names; the decoder has checked that it names one. Source: apimachinery runtime Scheme.ObjectKinds. */
function namedKind(untyped: ValueMap): GroupVersionKind {
  const { group, version } = parseApiVersion(stringAt(untyped, 'apiVersion')) ?? { group: '', version: '' };
  if (version === '') throw new PlainError("Object 'apiVersion' is missing in 'unstructured object has no version'");
  return { group, version, kind: stringAt(untyped, 'kind') };
}

function restored(untyped: ValueMap, schema: StructSchema, kind: GroupVersionKind): ValueMap {
  try {
    return fromUnstructured(untyped, schema).value;
  } catch (error) {
    if (error instanceof PatchError) throw new PlainError(`unable to convert unstructured object to ${printKind(kind)}: ${error.message}`);
    throw error;
  }
}
