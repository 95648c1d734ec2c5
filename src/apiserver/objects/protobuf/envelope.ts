import { decodeUtf8Bytes } from '../../../go/utf8.js';
import { WireError, wireFields } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

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
  const { head, tail } = envelopeAround({ apiVersion, kind }, raw.length);
  return Buffer.concat([head, raw, tail]);
}

/** Returns what is before and after a message of `size` bytes in the body of an object. */
export function envelopeAround(
  { apiVersion, kind }: Pick<UnknownEnvelope, 'apiVersion' | 'kind'>,
  size: number,
): { readonly head: Uint8Array; readonly tail: Uint8Array } {
  const head = new WireWriter();
  head.raw(prefix);
  head.message(1, () => {
    head.text(1, apiVersion);
    head.text(2, kind);
  });
  head.tag(2, 2);
  head.varint(size);
  const tail = new WireWriter();
  tail.text(3, '');
  tail.text(4, '');
  return { head: head.finish(), tail: tail.finish() };
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
  const event = new WireWriter();
  event.text(1, type);
  event.message(2, () => {
    event.tag(1, 2);
    event.bytes(envelope);
  });
  const bytes = event.finish();
  const frame = Buffer.allocUnsafe(bytes.length + 4);
  frame.writeUInt32BE(bytes.length, 0);
  frame.set(bytes, 4);
  return frame;
}
