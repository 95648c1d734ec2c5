import { isRegisteredKind } from '../../kubernetes/type-table.js';
import type { ApiObject } from './api-object.js';
import { builtInCodec } from './built-in-codec.js';
import { DecodeError } from './codec.js';
import { isCustomCodec } from './custom/custom-codec.js';
import { interpretDocument } from './interpret-document.js';
import { notRegistered } from './not-registered.js';

/**
 * Decodes the result of a patch, not strictly and without defaults: into the object's own type, or into the type it names now. A custom
 * resource is decoded as it is. Throws DecodeError. Source: apimachinery serializer/json Serializer.Decode with a target.
 */
export function decodePatched(text: string, { codec: own }: Pick<ApiObject, 'codec'>): ApiObject {
  const codec = own.patched ?? own;
  if (isCustomCodec(codec)) {
    interpretDocument(text);
    return { codec, value: codec.decodeUnpruned(text) };
  }
  if (!isRegisteredKind(own.server, codec.kind)) return { codec, value: codec.decode(text).value };
  const { kind: named, node } = interpretDocument(text);
  const kind = { ...withDefault(named, codec.kind), kind: named.kind === '' ? codec.kind.kind : named.kind };
  const other = builtInCodec(own.server, kind);
  if (other === undefined) throw new DecodeError(notRegistered(own.server, kind));
  return { codec: other, value: other.decode(text, node).value };
}

function withDefault(
  named: { readonly group: string; readonly version: string },
  own: { readonly group: string; readonly version: string },
) {
  if (named.version === '' && (named.group === '' || named.group === own.group)) return { group: own.group, version: own.version };
  return { group: named.group, version: named.version };
}
