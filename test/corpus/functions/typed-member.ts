import { DecodeError } from '../../../src/apiserver/objects/codec.js';
import { decodeTyped } from '../../../src/apiserver/objects/decode-typed.js';
import { encodeTyped } from '../../../src/apiserver/objects/encode-typed.js';
import type { FieldSchema, LeafName, StructSchema } from '../../../src/kubernetes/schema.js';
import { server } from '../../support/server.js';

/** Decodes a JSON value as member `v` of an anonymous struct and encodes it again, as in the tables of single types. */
export function roundTrip(json: string, leaf: LeafName, pointer: boolean): Readonly<Record<string, unknown>> {
  const schema = structOf({
    name: 'v',
    goName: 'V',
    declaredBy: '',
    schema: { type: 'leaf', leaf },
    omitEmpty: false,
    omitZero: false,
    pointer,
  });
  try {
    const written = encodeTyped(decodeTyped(`{"v":${json}}`, schema).value, schema);
    return { result: written.slice('{"v":'.length, -1) };
  } catch (error) {
    if (error instanceof DecodeError) return { error: error.message };
    throw error;
  }
}

function structOf(field: FieldSchema): StructSchema {
  return { type: 'struct', server, name: '', goName: '', fields: [field], fieldsByName: new Map([[field.name, field]]) };
}
