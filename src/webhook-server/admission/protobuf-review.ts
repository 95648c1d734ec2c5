import { type Message, readMessage } from '../../encoding/protobuf.js';
import { stringAt } from '../../go/value.js';
import { type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';

const magic = [0x6b, 0x38, 0x73, 0x00];

const typeMeta: Message = {
  name: 'TypeMeta',
  fields: new Map([
    [1, { goName: 'APIVersion', jsonName: 'apiVersion', type: 'string' }],
    [2, { goName: 'Kind', jsonName: 'kind', type: 'string' }],
  ]),
};

const unknown: Message = {
  name: 'Unknown',
  fields: new Map([
    [1, { goName: 'TypeMeta', jsonName: 'typeMeta', type: typeMeta }],
    [2, { goName: 'Raw', jsonName: 'raw', type: 'bytes' }],
    [3, { goName: 'ContentEncoding', jsonName: 'contentEncoding', type: 'string' }],
    [4, { goName: 'ContentType', jsonName: 'contentType', type: 'string' }],
  ]),
};

/**
 * The kind of a body in Kubernetes' protobuf envelope, whose contents controller-runtime does not look at; undefined for a body of another
 * format. Throws an Error in Go's words. Source: apimachinery serializer/protobuf Serializer.Decode.
 */
export function readProtobufKind(body: Uint8Array): GroupVersionKind | undefined {
  if (!magic.every((byte, i) => body[i] === byte)) return undefined;
  if (body.length === magic.length) throw new Error('empty body');
  const read = readMessage(body.subarray(magic.length), unknown);
  const apiVersion = stringAt(read, 'typeMeta', 'apiVersion');
  const groupVersion = parseApiVersion(apiVersion);
  if (groupVersion === undefined) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  return { ...groupVersion, kind: stringAt(read, 'typeMeta', 'kind') };
}
