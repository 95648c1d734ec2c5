import { quote } from '../../go/quote.js';
import type { Schema } from '../../kubernetes/schema.js';
import { fieldIgnoringCase, type GoType, kindOfType, structName, typeOfField } from './go-type.js';
import { PatchError } from './patch-error.js';

/** Tags of a field for strategic merge patches. */
export interface PatchMeta {
  /** Type of the field, or of its items. */
  readonly type: GoType;
  /** `merge`, `replace` or empty; `retainKeys` is omitted, because only the directive in the patch matters. */
  readonly strategy: string;
  /** Empty for lists without one. */
  readonly mergeKey: string;
}

/**
 * Returns the tags of a field that is an object on both sides. Throws PatchError with the library's message when the type is not a struct
 * or has no such field. Source: apimachinery LookupPatchMetadataForStruct.
 */
export function metaOfField(parent: GoType, key: string): PatchMeta {
  const { schema } = parent;
  // One pointer is dereferenced, regardless of its target.
  const kind = kindOfType({ schema, pointer: false });
  if (kind !== 'struct') throw new PatchError(`merging an object in json but data type is not struct, instead is: ${kind}`);
  const field = schema.type === 'struct' ? fieldIgnoringCase(schema, key) : undefined;
  if (field === undefined)
    throw new PatchError(`unable to find api field in struct ${structName(schema)} for the json field ${quote(key)}`);
  const strategies = (field.patchStrategy ?? '').split(',').filter(s => s !== 'retainKeys');
  return { type: typeOfField(field), strategy: strategies[0] ?? '', mergeKey: field.patchMergeKey ?? '' };
}

/** Returns the tags of a field that is a list on both sides; the type is that of its items. Source: LookupPatchMetadataForSlice. */
export function metaOfList(parent: GoType, key: string): PatchMeta {
  const meta = metaOfField(parent, key);
  return { ...meta, type: itemType(parent, meta.type) };
}

function itemType(parent: GoType, type: GoType): GoType {
  const { schema } = type;
  if (schema.type === 'list') {
    const items: GoType = { schema: schema.items, pointer: schema.pointer };
    if (kindOfType(items) === 'slice' && !type.pointer) throw new PatchError('unexpected slice of slice');
    return items;
  }
  if (schema.type === 'leaf' && schema.leaf === 'bytes') return { schema: byte, pointer: false };
  if (type.pointer) return { schema, pointer: false };
  throw new PatchError(`expected slice or array type, but got: ${kindOfType(parent)}`);
}

/** Any leaf type works, because it has no fields. */
const byte: Schema = { type: 'leaf', leaf: 'int32' };
