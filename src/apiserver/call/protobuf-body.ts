import { writeValue } from '../../go/json/write.js';
import { toValue, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { builtInCodec } from '../objects/built-in-codec.js';
import { hasPrefix, readUnknownEnvelope } from '../objects/protobuf/envelope.js';
import { readTypedMessage } from '../objects/protobuf/read-message.js';
import { WireError } from '../objects/protobuf/wire-reader.js';

/** The body is not a protobuf object; the message is the API server's. */
export class ProtobufBodyError extends Error {
  override readonly name = 'ProtobufBodyError';
}

/**
 * Converts a protobuf body to the JSON of the same object, with the kind of its envelope. Throws ProtobufBodyError. Source: apimachinery
 * runtime/serializer/protobuf.
 */
export function jsonOfProtobuf(server: ApiServer, body: Uint8Array, expected: GroupVersionKind): string {
  if (body.length === 0) throw new ProtobufBodyError('empty data');
  if (!hasPrefix(body))
    throw new ProtobufBodyError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  if (body.length === 4) throw new ProtobufBodyError('empty body');
  try {
    const { apiVersion, kind, raw } = readUnknownEnvelope(body);
    const said = kindIn(apiVersion, kind, expected);
    const named = toValue({ kind: said.kind, apiVersion: apiVersionOf(said) }) as ValueMap;
    const schema = schemaOfKind(server, said);
    const codec = builtInCodec(server, said);
    if (schema === undefined || codec === undefined) return writeValue(named, 'kept');
    return codec.encode(new Map([...named, ...readTypedMessage(raw, schema)]));
  } catch (error) {
    if (error instanceof WireError) throw new ProtobufBodyError(error.message);
    throw error;
  }
}

function kindIn(apiVersion: string, kind: string, expected: GroupVersionKind): GroupVersionKind {
  const groupVersion = apiVersion === '' ? expected : (parseApiVersion(apiVersion) ?? { group: '', version: apiVersion });
  return { group: groupVersion.group, version: groupVersion.version, kind: kind === '' ? expected.kind : kind };
}
