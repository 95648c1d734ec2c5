import { encodeBase64 } from '../go/base64.js';
import { decodeUtf8Bytes } from '../go/utf8.js';
import { isList, isMap, type Value, type ValueMap } from '../go/value.js';

/** A protobuf message for the decoder: fields by number. Other fields are skipped. */
export interface Message {
  /** Go type, for errors. */
  readonly name: string;
  readonly fields: ReadonlyMap<number, ProtobufField>;
}

/** One field: the Go name for errors, the JSON name for the value. */
export interface ProtobufField {
  readonly goName: string;
  readonly jsonName: string;
  readonly type: 'string' | 'bytes' | 'bool' | 'int32' | 'int64' | 'texts' | 'textMap' | Message | { readonly listOf: Message };
  /** A Go pointer: zero values are kept. */
  readonly pointer?: boolean;
}

/** Invalid protobuf message; the message is that of the generated code. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/**
 * Decodes a message into a value with JSON names: bytes as base64, zero values left out, repeated occurrences of a field merged into the
 * first. Throws ProtobufError. Source: gogo/protobuf's generated Unmarshal.
 */
export function readMessage(bytes: Uint8Array, message: Message, into: ValueMap = new Map()): ValueMap {
  const reader: Reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const start = reader.at;
    const tag = readVarint(reader);
    const number = fieldNumber(tag);
    const wireType = tag.low & 7;
    if (wireType === 4) throw new ProtobufError(`proto: ${message.name}: wiretype end group for non-group`);
    if (number <= 0) throw new ProtobufError(`proto: ${message.name}: illegal tag ${number} (wire type ${unsignedOf(tag)})`);
    const field = message.fields.get(number);
    if (field === undefined) {
      reader.at = start;
      skipField(reader, bytes.length);
    } else readField(reader, { field, wireType, into });
  }
  return into;
}

interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

function readField(reader: Reader, { field, wireType, into }: { field: ProtobufField; wireType: number; into: ValueMap }): void {
  const isNumber = field.type === 'bool' || field.type === 'int32' || field.type === 'int64';
  if (wireType !== (isNumber ? 0 : 2)) throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${field.goName}`);
  const value = isNumber ? numberOf(field, readVarint(reader)) : readDelimited(reader, field, into.get(field.jsonName));
  const isZero = value === '' || value === false || value === 0n;
  if (isZero && field.pointer !== true) into.delete(field.jsonName);
  else into.set(field.jsonName, value);
}

function numberOf({ type }: ProtobufField, varint: Varint): Value {
  if (type === 'bool') return varint.low !== 0 || varint.high !== 0;
  return type === 'int32' ? BigInt(varint.low | 0) : BigInt.asIntN(64, unsignedOf(varint));
}

function readDelimited(reader: Reader, { type }: ProtobufField, previous: Value | undefined): Value {
  const bytes = readBytes(reader);
  if (type === 'bytes') return encodeBase64(bytes);
  if (type === 'string') return decodeUtf8Bytes(bytes);
  if (type === 'texts') return extended(previous, decodeUtf8Bytes(bytes));
  if (type === 'textMap') return withEntry(mapOf(previous), { reader, start: reader.at - bytes.length });
  if (typeof type !== 'object') return null;
  if ('listOf' in type) return extended(previous, readMessage(bytes, type.listOf));
  return readMessage(bytes, type, mapOf(previous));
}

/** In place, because a list can have a million items. */
function extended(list: Value | undefined, item: Value): Value[] {
  if (!isList(list)) return [item];
  list.push(item);
  return list;
}

function mapOf(value: Value | undefined): ValueMap {
  return isMap(value) ? value : new Map();
}

/** Key and value of a map entry are decoded again from its start: they may end after it. */
function withEntry(map: ValueMap, { reader, start }: { reader: Reader; start: number }): ValueMap {
  const end = reader.at;
  let [key, value] = ['', ''];
  reader.at = start;
  while (reader.at < end) {
    const partStart = reader.at;
    const number = fieldNumber(readVarint(reader));
    if (number === 1) key = decodeUtf8Bytes(readBytes(reader));
    else if (number === 2) value = decodeUtf8Bytes(readBytes(reader));
    else {
      reader.at = partStart;
      skipField(reader, end);
    }
  }
  reader.at = end;
  return map.set(key, value);
}

/** 64 bits in two unsigned halves. */
interface Varint {
  readonly low: number;
  readonly high: number;
}

function readVarint(reader: Reader): Varint {
  let low = 0;
  let high = 0;
  for (let shift = 0; ; shift += 7) {
    if (shift >= 64) throw new ProtobufError('proto: integer overflow');
    const byte = reader.bytes[reader.at];
    if (byte === undefined) throw new ProtobufError('unexpected EOF');
    reader.at += 1;
    const bits = byte & 0x7f;
    if (shift < 32) low |= bits << shift;
    if (shift > 25) high |= shift < 32 ? bits >>> (32 - shift) : bits << (shift - 32);
    if (byte < 0x80) return { low: low >>> 0, high: high >>> 0 };
  }
}

function fieldNumber({ low, high }: Varint): number {
  return (high << 29) | (low >>> 3);
}

function unsignedOf({ low, high }: Varint): bigint {
  return BigInt(high) * 0x100000000n + BigInt(low);
}

function readBytes(reader: Reader): Uint8Array {
  const start = readLength(reader);
  if (reader.at > reader.bytes.length) throw new ProtobufError('unexpected EOF');
  return reader.bytes.subarray(start, reader.at);
}

/** Skips bytes with a length prefix and returns their start. They may end after the message. */
function readLength(reader: Reader): number {
  const { low, high } = readVarint(reader);
  const start = reader.at;
  const end = start + high * 2 ** 32 + low;
  if (high >= 2 ** 31 || end >= 2 ** 63) throw new ProtobufError('proto: negative length found during unmarshaling');
  reader.at = end;
  return start;
}

/** Skips one field, or a group with its contents. Source: gogo/protobuf's generated skip function. */
function skipField(reader: Reader, end: number): void {
  for (let depth = 0; ; ) {
    if (reader.at >= reader.bytes.length) throw new ProtobufError('unexpected EOF');
    const wireType = readVarint(reader).low & 7;
    if (wireType === 0) readVarint(reader);
    else if (wireType === 1) reader.at += 8;
    else if (wireType === 2) readLength(reader);
    else if (wireType === 3) depth += 1;
    else if (wireType === 5) reader.at += 4;
    else if (wireType !== 4) throw new ProtobufError(`proto: illegal wireType ${wireType}`);
    else if (depth === 0) throw new ProtobufError('proto: unexpected end of group');
    else depth -= 1;
    if (depth > 0) continue;
    if (reader.at > end) throw new ProtobufError('unexpected EOF');
    return;
  }
}
