import { decodeUtf8Bytes } from '../../../go/utf8.js';
import { WireError, wireFields } from './wire-reader.js';
import { newWireWriter } from './wire-writer.js';

/** Four bytes in front of every protobuf body. Source: apimachinery runtime/serializer/protobuf. */
const prefix = Buffer.from('k8s\0');

/** Envelope of an encoded object. */
export interface UnknownEnvelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** Returns the body of an object, with its kind and its message. */
export function writeEnvelope({ apiVersion, kind, raw }: UnknownEnvelope): Uint8Array {
  const type = newWireWriter();
  type.tag(1, 2);
  type.bytes(Buffer.from(apiVersion));
  type.tag(2, 2);
  type.bytes(Buffer.from(kind));
  const unknown = newWireWriter();
  unknown.tag(1, 2);
  unknown.bytes(type.finish());
  unknown.tag(2, 2);
  unknown.bytes(raw);
  for (const number of [3, 4]) {
    unknown.tag(number, 2);
    unknown.bytes(new Uint8Array());
  }
  return Buffer.concat([prefix, unknown.finish()]);
}

/** Reports whether the body starts with the prefix of an envelope. */
export function hasPrefix(body: Uint8Array): boolean {
  return body.length >= prefix.length && prefix.equals(body.subarray(0, prefix.length));
}

/** Returns the parts of an envelope after its prefix. Throws WireError. */
export function readUnknownEnvelope(body: Uint8Array): UnknownEnvelope {
  let [apiVersion, kind] = ['', ''];
  let raw: Uint8Array = new Uint8Array();
  for (const field of wireFields(body.subarray(prefix.length), 'Unknown')) {
    if (field.number <= 4 && field.wireType !== 2)
      throw new WireError(
        `proto: wrong wireType = ${field.wireType} for field ${['TypeMeta', 'Raw', 'ContentEncoding', 'ContentType'][field.number - 1]}`,
      );
    if (field.number === 2) raw = field.bytes;
    if (field.number !== 1) continue;
    for (const part of wireFields(field.bytes, 'TypeMeta')) {
      if (part.number === 1) apiVersion = decodeUtf8Bytes(part.bytes);
      if (part.number === 2) kind = decodeUtf8Bytes(part.bytes);
    }
  }
  return { apiVersion, kind, raw };
}

/** Encodes a watch event in protobuf: a length of four bytes, then the event with the object's envelope. */
export function writeFrame(type: string, envelope: Uint8Array): Uint8Array {
  const extension = newWireWriter();
  extension.tag(1, 2);
  extension.bytes(envelope);
  const event = newWireWriter();
  event.tag(1, 2);
  event.bytes(Buffer.from(type));
  event.tag(2, 2);
  event.bytes(extension.finish());
  const bytes = event.finish();
  const frame = Buffer.allocUnsafe(bytes.length + 4);
  frame.writeUInt32BE(bytes.length, 0);
  frame.set(bytes, 4);
  return frame;
}
