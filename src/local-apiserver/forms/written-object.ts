import type { Encoding } from '../../apiserver/endpoints/negotiation.js';
import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { writeEnvelope } from '../../apiserver/objects/protobuf/envelope.js';
import { writeMessage } from '../../apiserver/objects/protobuf/write-message.js';
import { writeGoYaml } from '../../encoding/go-yaml-writer.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { indented } from '../../go/json/indent.js';
import type { ValueMap } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';

/** JSON as the API server sends it: compact with a newline, or indented without one. */
export function writtenJson(json: string, pretty: boolean): string {
  return pretty ? indented(json) : `${json}\n`;
}

/** The same document as YAML. */
export function writtenYaml(json: string): string {
  return writeGoYaml(readUnstructured(json));
}

/** Returns the protobuf body of a built-in value. */
export function protobufObject(value: ValueMap, kind: GroupVersionKind): Uint8Array {
  const schema = schemaOfKind(kind) ?? schemaOfKind({ ...kind, version: 'v1' });
  if (schema === undefined) throw new Error(`no protobuf form is known for ${kind.kind} of ${apiVersionOf(kind)}`);
  return writeEnvelope({ apiVersion: apiVersionOf(kind), kind: kind.kind, raw: writeMessage(value, schema) });
}

/** Converts a JSON document of a built-in kind to another format. */
export function writtenDocument(json: string, kind: GroupVersionKind, format: Encoding, pretty: boolean): string | Uint8Array {
  if (format === 'json') return writtenJson(json, pretty);
  if (format === 'yaml') return writtenYaml(json);
  const codec = builtInCodec(kind) ?? builtInCodec({ ...kind, version: 'v1' });
  if (codec === undefined) throw new Error(`unknown type ${kind.kind} of ${apiVersionOf(kind)}`);
  return protobufObject(codec.decode(json).value, kind);
}
