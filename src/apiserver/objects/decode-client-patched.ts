import type { JsonNode } from '../../go/json/node.js';
import { stringAt } from '../../go/value.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { isRegisteredKind, structNamed } from '../../kubernetes/type-table.js';
import { builtInCodec } from './built-in-codec.js';
import { type Codec, type Decoded, DecodeError } from './codec.js';
import { convertBuiltIn } from './convert-built-in.js';
import { isCustomCodec } from './custom-codec.js';
import { interpretDocument } from './interpret-document.js';
import { notRegistered } from './not-registered.js';
import { unknownConversion } from './unknown-conversion.js';

/**
 * Decodes the result of a client's JSON patch or merge patch by its own type, which may be another version of the kind. Throws DecodeError.
 * Source: apiserver handlers/patch.go jsonPatcher, apimachinery serializer/json Serializer.Decode with a target.
 */
export function decodeClientPatched(text: string, codec: Codec): Decoded {
  if (isCustomCodec(codec)) return withCanonicalVersion(codec.decode(text, interpretDocument(text, codec.server).node));
  if (!isRegisteredKind(codec.server, codec.kind)) return codec.decode(text);
  const { kind: named, node } = interpretDocument(text, codec.server);
  const kind = { ...named, kind: named.kind === '' ? codec.kind.kind : named.kind };
  if (kind.version === '' && (kind.group === '' || kind.group === codec.kind.group))
    return codec.patched === undefined ? decodeInternal(node, kind, codec) : codec.decode(text, node);
  const isOwn = kind.version === codec.kind.version && kind.group === codec.kind.group && kind.kind === codec.kind.kind;
  const source = isOwn ? codec : builtInCodec(codec.server, kind);
  if (source === undefined) throw new DecodeError(notRegistered(codec.server, kind));
  const decoded = source.decode(text, node);
  if (isOwn) return decoded;
  if (kind.kind !== codec.kind.kind) throw new DecodeError(unknownConversion(codec.server, kind, codec.kind));
  source.applyDefaults(decoded.value);
  return { value: convertBuiltIn(codec.server, decoded.value, kind, codec.kind), strictErrors: decoded.strictErrors };
}

/** Writes the apiVersion `/v1` of a custom resource as Go prints it, `v1`. */
function withCanonicalVersion(decoded: Decoded): Decoded {
  const version = stringAt(decoded.value, 'apiVersion');
  if (/^\/[^/]+$/.test(version)) decoded.value.set('apiVersion', version.slice(1));
  return decoded;
}

/** Decodes an object without apiVersion into the internal type. Its fields have no JSON names except those of the embedded metadata. */
function decodeInternal(node: JsonNode, kind: GroupVersionKind, codec: Codec): Decoded {
  if (kind.kind !== codec.kind.kind)
    throw new DecodeError(notRegistered(codec.server, { ...kind, group: codec.kind.group, version: '__internal' }));
  const known = new Set(['kind', 'apiVersion', ...structNamed(codec.server, 'meta/v1.ObjectMeta').fields.map(field => field.name)]);
  const keys = node.type === 'object' ? node.members.map(member => member.key) : [];
  return { value: new Map(), strictErrors: keys.filter(key => !known.has(key)).map(key => `unknown field "${key}"`) };
}
