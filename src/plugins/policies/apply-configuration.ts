import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import type { Codec } from '../../apiserver/objects/codec.js';
import { isCustomCodec } from '../../apiserver/objects/custom-codec.js';
import { fromUnstructured } from '../../apiserver/patches/from-unstructured.js';
import { PatchError } from '../../apiserver/patches/patch-error.js';
import type { Atom } from '../../apiserver/patches/structured-merge/atom.js';
import { atomOfDefinition } from '../../apiserver/patches/structured-merge/definition-atom.js';
import { mergeTyped } from '../../apiserver/patches/structured-merge/merge.js';
import { atomOfSchema } from '../../apiserver/patches/structured-merge/schema-atom.js';
import { SchemaError, validateTyped } from '../../apiserver/patches/structured-merge/validate.js';
import { typeNameProblems } from '../../cel/values/check-type-names.js';
import { nativeObject } from '../../cel/values/native-value.js';
import type { CelValue } from '../../cel/values/value.js';
import { isList, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind, printKind, sameGroupVersion } from '../../kubernetes/group-version.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { MutationError } from './mutation-error.js';

/**
 * Merges an `Object{...}` into the object as server-side apply does, without ownership. Throws MutationError. Source: apiserver
 * admission/plugin/policy/mutating/patch/smd.go.
 */
export function applyObject(object: ApiObject, applied: CelValue, context: AdmissionContext): ApiObject {
  const problems = typeNameProblems(applied);
  if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join('\n')}`);
  const patch = nativeObject(context.server, applied);
  if (!(patch instanceof Map)) throw new MutationError('invalid return type: *dynamic.ObjectVal');
  const kind = kindOfValue(object);
  patch.set('apiVersion', apiVersionOf(kind)).set('kind', kind.kind);
  const merged = merge(object, patch, { kind, context });
  return { codec: object.codec, value: isCustomCodec(object.codec) ? merged : typed(merged, object.codec) };
}

/** Returns the kind; a custom resource has its own. */
function kindOfValue({ codec, value }: ApiObject): GroupVersionKind {
  return isCustomCodec(codec) ? { ...codec.kind, kind: stringAt(value, 'kind') || codec.kind.kind } : codec.kind;
}

function merge(
  object: ApiObject,
  patch: ValueMap,
  { kind, context }: { readonly kind: GroupVersionKind; readonly context: AdmissionContext },
): ValueMap {
  const failed = (message: string): MutationError => new MutationError(`error applying patch: ${message}`);
  const type = typeOf(kind, context);
  if (type === undefined) throw failed(`failed to convert patch object to typed object: no corresponding type for ${printKind(kind)}`);
  checkedBySchema(
    () => validateTyped(patch, type, 'no duplicates'),
    message => failed(`failed to convert patch object to typed object: ${message}`),
  );
  const atomics = atomicPaths(patch, type, '');
  if (atomics.length > 0) throw failed(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`);
  const live = object.codec.toUnstructured(object.value);
  checkedBySchema(
    () => validateTyped(live, type, 'allow duplicates'),
    message => failed(`failed to convert original object to typed object: ${message}`),
  );
  const merged = checkedBySchema(
    () => mergeTyped(live, patch, type),
    message => failed(`failed to merge patch: ${message}`),
  );
  return isMap(merged) ? merged : new Map();
}

function checkedBySchema<T>(step: () => T, failed: (message: string) => MutationError): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof SchemaError) throw failed(error.message);
    throw error;
  }
}

/** Returns the merge type; schemas of a group version only contain kinds of its resources and of its subresources with a body. */
function typeOf(kind: GroupVersionKind, { resources, storage, server }: AdmissionContext): Atom | undefined {
  const isPublished = resources.some(
    r =>
      sameGroupVersion(r, kind) &&
      (r.kind.kind === kind.kind ||
        r.subresources.some(s => sameGroupVersion(s.kind, kind) && s.kind.kind === kind.kind && !isStream(s.kind.kind))),
  );
  if (!isPublished) return undefined;
  const schema = schemaOfKind(server, kind);
  if (schema !== undefined) return atomOfSchema(schema);
  const definitions = storage.list({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' });
  const definition = definitions.find(
    d => stringAt(d, 'spec', 'group') === kind.group && stringAt(d, 'spec', 'names', 'kind') === kind.kind,
  );
  const version = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === kind.version);
  return version === undefined ? undefined : atomOfDefinition(server, mapAt(version, 'schema', 'openAPIV3Schema'));
}

/** Reports whether a kind contains the options of a stream, which are sent in the query and have no schema. */
function isStream(kind: string): boolean {
  return /^(Pod|Node|Service).*Options$/.test(kind);
}

/** Returns paths of atomic lists, maps and structs in a value. Source: smd.go findAtomics; members of plain maps are not visited. */
function atomicPaths(value: Value, type: Atom, path: string): string[] {
  if (isMap(value) && type.map !== undefined) {
    const { map } = type;
    const own = map.relationship === 'atomic' ? [path] : [];
    const inside = [...value].flatMap(([key, member]) => {
      const field = map.field(key);
      return field === undefined ? [] : atomicPaths(member, field.type, `${path}.${key}`);
    });
    return [...own, ...inside];
  }
  if (isList(value) && type.list !== undefined) {
    const { list } = type;
    const own = list.relationship === 'atomic' ? [path] : [];
    return [...own, ...value.flatMap((item, i) => atomicPaths(item, list.element, `${path}[${i}]`))];
  }
  return [];
}

/** Decodes the result into its type; strings and numbers with Go's zero values count as absent, so that they are defaulted. */
function typed(merged: ValueMap, codec: Codec): ValueMap {
  const schema = schemaOfKind(codec.server, codec.kind);
  if (schema === undefined) return merged;
  try {
    const { value } = fromUnstructured(merged, schema);
    return codec.decode(codec.encode(value)).value;
  } catch (error) {
    if (error instanceof PatchError)
      throw new MutationError(`unable to convert unstructured object to ${printKind(codec.kind)}: ${error.message}`);
    throw error;
  }
}
