import type { JsonNode } from '../../go/json/node.js';
import { isRegisteredKind } from '../../kubernetes/type-table.js';
import type { ApiObject } from './api-object.js';
import { builtInCodec } from './built-in-codec.js';
import { type Codec, type Decoded, DecodeError } from './codec.js';
import { isCustomCodec } from './custom-codec.js';
import { interpretDocument } from './interpret-document.js';
import { notRegistered } from './not-registered.js';

/** A decoded object, and the fields of the text that its type does not have: `spec.foo`. */
export interface DecodedPatched extends ApiObject {
  readonly unknownFields: readonly string[];
}

/**
 * Decodes the result of a patch, not strictly and without defaults: into the object's own type, or into the type it names now. A custom
 * resource is decoded as it is. Throws DecodeError. Source: apimachinery serializer/json Serializer.Decode with a target.
 */
export function decodePatched(text: string, { codec: own }: Pick<ApiObject, 'codec'>): DecodedPatched {
  const codec = own.patched ?? own;
  if (isCustomCodec(codec)) {
    interpretDocument(text, own.server);
    // The object is pruned after the last webhook; what that removes is known now.
    return { codec, value: codec.decodeUnpruned(text), unknownFields: prunedFields(codec, text) };
  }
  if (!isRegisteredKind(own.server, codec.kind)) return decodedBy(codec, text);
  const { kind: named, node } = interpretDocument(text, own.server);
  const kind = { ...withDefault(named, codec.kind), kind: named.kind === '' ? codec.kind.kind : named.kind };
  const other = builtInCodec(own.server, kind);
  if (other === undefined) throw new DecodeError(notRegistered(own.server, kind));
  return decodedBy(other, text, node);
}

function decodedBy(codec: Codec, text: string, node?: JsonNode): DecodedPatched {
  const decoded = codec.decode(text, node);
  return { codec, value: decoded.value, unknownFields: unknownFieldsOf(decoded) };
}

/** None where the text cannot be decoded, which later steps report. */
function prunedFields(codec: Codec, text: string): string[] {
  try {
    return unknownFieldsOf(codec.decode(text));
  } catch (error) {
    if (error instanceof DecodeError) return [];
    throw error;
  }
}

function unknownFieldsOf({ strictErrors }: Decoded): string[] {
  return strictErrors.flatMap(error => /^unknown field "(.*)"$/.exec(error)?.[1] ?? []);
}

function withDefault(
  named: { readonly group: string; readonly version: string },
  own: { readonly group: string; readonly version: string },
) {
  if (named.version === '' && (named.group === '' || named.group === own.group)) return { group: own.group, version: own.version };
  return { group: named.group, version: named.version };
}
