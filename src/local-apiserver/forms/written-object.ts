import type { Encoding } from '../../apiserver/endpoints/negotiation.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { writeEnvelope } from '../../apiserver/objects/protobuf/envelope.js';
import { WireWriter } from '../../apiserver/objects/protobuf/wire-writer.js';
import { writeShownMessage } from '../../apiserver/storage/shown-object.js';
import { cborOfJson } from '../../encoding/cbor/write-cbor.js';
import { writeGoYaml } from '../../encoding/go-yaml-writer.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { indented } from '../../go/json/indent.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';

/** JSON as the API server sends it: compact with a newline, or indented without one. */
export function writtenJson(json: string, pretty: boolean): string {
  return pretty ? indented(json) : `${json}\n`;
}

/** The same document as YAML. */
export function writtenYaml(json: string): string {
  return writeGoYaml(readUnstructured(json));
}

/** Returns the protobuf body of a read-only built-in object; `kind` is the one written in it. */
export function protobufObject(object: ApiObject, kind: GroupVersionKind = object.codec.kind): Uint8Array {
  const writer = new WireWriter();
  writeShownMessage(writer, object);
  return writeEnvelope({ apiVersion: apiVersionOf(kind), kind: kind.kind, raw: writer.finish() });
}

/** Converts a JSON document of a built-in kind to another format. */
export function writtenDocument(
  server: ApiServer,
  json: string,
  kind: GroupVersionKind,
  format: Encoding,
  pretty: boolean,
): string | Uint8Array {
  if (format === 'json') return writtenJson(json, pretty);
  if (format === 'yaml') return writtenYaml(json);
  if (format === 'cbor') return cborOfJson(json);
  const codec = builtInCodec(server, kind) ?? builtInCodec(server, { ...kind, version: 'v1' });
  if (codec === undefined) throw new Error(`unknown type ${kind.kind} of ${apiVersionOf(kind)}`);
  return protobufObject({ codec, value: codec.decode(json).value }, kind);
}
