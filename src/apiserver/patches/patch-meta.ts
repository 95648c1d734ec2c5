import { quote } from '../../go/quote.js';
import type { Schema } from '../../kubernetes/schema.js';
import { fieldIgnoringCase, type GoType, kindOfType, structName, typeOfField } from './go-type.js';
import { PatchError } from './patch-error.js';

/** What a field's tags say about strategic merge patches. */
export interface PatchMeta {
  /** The type to go on with: the field's, or that of its items. */
  readonly type: GoType;
  /** `merge`, `replace` or nothing; `retainKeys` is left out, it is the directive in the patch that counts. */
  readonly strategy: string;
  /** Empty for lists that have none. */
  readonly mergeKey: string;
}

/**
 * Returns the tags of a field that holds an object on both sides. Throws PatchError with the library's words when the type is no struct or
 * has no such field. Source: apimachinery LookupPatchMetadataForStruct.
 */
export function metaOfField(parent: GoType, key: string): PatchMeta {
  const { schema } = parent;
  // One pointer is followed, whatever it points to.
  const kind = kindOfType({ schema, pointer: false });
  if (kind !== 'struct') throw new PatchError(`merging an object in json but data type is not struct, instead is: ${kind}`);
  const field = schema.type === 'struct' ? fieldIgnoringCase(schema, key) : undefined;
  if (field === undefined)
    throw new PatchError(`unable to find api field in struct ${structName(schema)} for the json field ${quote(key)}`);
  const strategies = (field.patchStrategy ?? '').split(',').filter(s => s !== 'retainKeys');
  return { type: typeOfField(field), strategy: strategies[0] ?? '', mergeKey: field.patchMergeKey ?? '' };
}

/** Returns the same for a field that holds a list on both sides; the type is that of its items. Source: LookupPatchMetadataForSlice. */
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

/** No field is reached through it, so any leaf does. */
const byte: Schema = { type: 'leaf', leaf: 'int32' };
