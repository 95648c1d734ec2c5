import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { type Codec, DecodeError } from '../../apiserver/objects/codec.js';
import { interpretDocument } from '../../apiserver/objects/interpret-document.js';
import { notRegistered } from '../../apiserver/objects/not-registered.js';
import { parsePlain, writePlain } from '../../encoding/plain-json.js';
import { yamlToJson } from '../../encoding/yaml.js';
import { isNullNode, jsonKind } from '../../go/json/node.js';
import { readJson } from '../../go/json/reader.js';
import { type GroupVersionKind, parseApiVersion, printKind } from '../../kubernetes/group-version.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { goTypes } from '../go-types.js';

/** Decoder and encoder of a defaulter's or validator's objects. */
export interface ObjectType {
  /** Returns plain data of the object in a JSON text. Throws an Error with Go's message. */
  decode(raw: string): unknown;
  /** Returns plain data as Go writes the object. Throws TypeError for data that is not of the type. */
  encode(object: unknown): string;
}

/**
 * Returns the type that `for` names, `v1/Pod`; without it, objects are used as sent. Throws TypeError when the name is not a built-in kind.
 */
export function objectTypeOf(name: string | undefined): ObjectType {
  if (name === undefined) return untyped;
  const slash = name.lastIndexOf('/');
  const groupVersion = parseApiVersion(name.slice(0, Math.max(slash, 0)));
  const kind = groupVersion === undefined ? undefined : { ...groupVersion, kind: name.slice(slash + 1) };
  const codec = kind === undefined ? undefined : builtInCodec(goTypes, kind);
  if (codec === undefined)
    throw new TypeError(
      `invalid for ${JSON.stringify(name)}: expected apiVersion/Kind of a built-in kind, such as "v1/Pod" or "apps/v1/Deployment"`,
    );
  return { decode: raw => decodeAs(raw, codec), encode: object => encodeAs(object, codec) };
}

const noContent = 'there is no content to decode';

/** Source: controller-runtime webhook/admission decode.go for Unstructured. */
const untyped: ObjectType = {
  decode(raw) {
    if (raw === '') throw new DecodeError(noContent);
    const node = readJson(raw);
    if (node.type !== 'object' && !isNullNode(node)) {
      throw new DecodeError(`json: cannot unmarshal ${jsonKind(node)} into Go value of type map[string]interface {}`);
    }
    return isNullNode(node) ? {} : parsePlain(raw);
  },
  encode: object => writePlain(object),
};

/** Source: decode.go DecodeRaw, apimachinery recognizer and serializer/json Decode into a registered type. */
function decodeAs(raw: string, codec: Codec): unknown {
  if (raw === '') throw new DecodeError(noContent);
  const text = /^\s*\{/.test(raw) ? raw : yamlToJson(raw);
  const { kind: found, node } = interpretDocument(text);
  const kind = withDefaults(found, codec.kind);
  if (kind.version === '') throw new DecodeError(`Object 'apiVersion' is missing in '${raw}'`);
  const isOwn = kind.kind === codec.kind.kind && kind.version === codec.kind.version && kind.group === codec.kind.group;
  const reader = isOwn ? codec : builtInCodec(codec.server, kind);
  if (reader === undefined) throw new DecodeError(notRegistered(codec.server, kind));
  const { value } = reader.decode(text, node);
  if (!isOwn) throw new DecodeError(`unable to decode ${printKind(kind)} into *${goNameOf(codec.kind)}`);
  return parsePlain(codec.encode(value));
}

/** Fills in missing parts of a document's type. Source: serializer/json gvkWithDefaults. */
function withDefaults(found: GroupVersionKind, own: GroupVersionKind): GroupVersionKind {
  const kind = found.kind === '' ? own.kind : found.kind;
  if (found.version === '' && found.group === '') return { group: own.group, version: own.version, kind };
  if (found.group === '' && found.version === own.version) return { group: own.group, version: own.version, kind };
  return { ...found, kind };
}

function goNameOf(kind: GroupVersionKind): string {
  return schemaOfKind(goTypes, kind)?.goName ?? kind.kind;
}

function encodeAs(object: unknown, codec: Codec): string {
  try {
    return codec.encode(codec.decode(writePlain(object, 'kept')).value);
  } catch (error) {
    if (error instanceof DecodeError) throw new TypeError(error.message);
    throw error;
  }
}
