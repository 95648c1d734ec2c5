import { decodeTyped } from '../../apiserver/objects/decode-typed.js';
import { encodeTyped } from '../../apiserver/objects/encode-typed.js';
import type { Interpreted } from '../../apiserver/objects/interpret-document.js';
import { parsePlain } from '../../encoding/plain-json.js';
import { memoizeStrings } from '../../kubernetes/memoize.js';
import type { FieldSchema, StructSchema } from '../../kubernetes/schema.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { goTypes } from '../go-types.js';
import type { PlainObject } from './kinds.js';

/**
 * Returns plain data of an object in a JSON text whose type was read. Its metadata is read as Go reads ObjectMeta, which every type with a converter has:
 * unknown fields are dropped. Other members are unchanged, because their Go types are unknown. Throws DecodeError with Go's message for
 * metadata of a wrong type. Source: sigs.k8s.io/json decode.go.
 */
export function readObject(text: string, { kind, node }: Interpreted): PlainObject {
  const schema = withMetadata(kind.kind);
  const { metadata } = parsePlain(encodeTyped(decodeTyped(text, schema, node).value, schema)) as PlainObject;
  const { metadata: sent, ...object } = parsePlain(text) as PlainObject;
  return sent === undefined || sent === null ? object : { ...object, metadata };
}

/** Schema of a Go struct with that name which has metadata. */
const withMetadata = memoizeStrings(100, (goName): StructSchema => {
  const found = structNamed(goTypes, 'meta/v1.PartialObjectMetadata').fieldsByName.get('metadata');
  if (found === undefined) throw new Error('no metadata in the table of Kubernetes types');
  const metadata: FieldSchema = { ...found, declaredBy: goName };
  return { type: 'struct', server: goTypes, name: goName, goName, fields: [metadata], fieldsByName: new Map([[metadata.name, metadata]]) };
});
