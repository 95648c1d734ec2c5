import { writeValue } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import { quote } from '../../go/quote.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import type { Value } from '../../go/value.js';

/** CBOR that the API server does not accept; the message is that of its decoder. */
export class CborError extends Error {
  override readonly name = 'CborError';
}

/** Max depth of a document, which is read recursively; upstream's is 10,000. */
const maxDepth = 1000;

/**
 * Returns a CBOR document as JSON. Throws CborError. Source: apimachinery runtime/serializer/cbor, internal/modes/decode.go, and
 * fxamacker/cbor/v2, whose messages are reproduced for documents that end too early or are not well-formed, and for duplicate keys.
 */
export function jsonOfCbor(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new CborError('EOF');
  const cursor = { view: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), at: 0 };
  const value = readItem(cursor, 0);
  const rest = bytes.length - cursor.at;
  if (rest > 0) throw new CborError(`cbor: ${rest} bytes of extraneous data starting at index ${cursor.at}`);
  return writeValue(value, 'kept');
}

interface Cursor {
  readonly view: Buffer;
  at: number;
}

/** End of an item of indefinite length. */
const breakCode = Symbol('break');

interface Head {
  readonly type: number;
  /** Undefined for an indefinite length. */
  readonly count: bigint | undefined;
  readonly info: number;
}

function readHead(cursor: Cursor): Head {
  const [first = 0] = take(cursor, 1);
  const [type, info] = [first >> 5, first & 31];
  if (info < 24) return { type, count: BigInt(info), info };
  if (info < 28) return { type, count: BigInt(`0x${take(cursor, 2 ** (info - 24)).toString('hex')}`), info };
  if (info < 31) throw new CborError(`cbor: invalid additional information ${info} for type ${typeNames[type] ?? ''}`);
  if (type < 2 || type === 6) throw new CborError(`cbor: invalid additional information 31 for type ${typeNames[type] ?? ''}`);
  return { type, count: undefined, info };
}

const typeNames = ['positive integer', 'negative integer', 'byte string', 'UTF-8 text string', 'array', 'map', 'tag', 'primitives'];

function take(cursor: Cursor, count: number): Buffer {
  if (cursor.at + count > cursor.view.length) throw new CborError('unexpected EOF');
  cursor.at += count;
  return cursor.view.subarray(cursor.at - count, cursor.at);
}

function readItem(cursor: Cursor, depth: number): Value {
  const value = readItemOrBreak(cursor, depth);
  if (value === breakCode) throw new CborError('cbor: unexpected "break" code');
  return value;
}

function readItemOrBreak(cursor: Cursor, depth: number): Value | typeof breakCode {
  if (depth > maxDepth) throw new CborError(`cbor: exceeded max nested level ${maxDepth}`);
  const head = readHead(cursor);
  switch (head.type) {
    case 0:
      return integer(head.count ?? 0n, typeNames[0] ?? '');
    case 1:
      return integer(-1n - (head.count ?? 0n), typeNames[1] ?? '');
    case 2:
    case 3:
      return readString(cursor, head);
    case 4:
      return readList(cursor, head, depth);
    case 5:
      return readMap(cursor, head, depth);
    case 6:
      return readTagged(cursor, head.count ?? 0n, depth);
    default:
      return readSimple(cursor, head);
  }
}

function integer(value: bigint, type: string): bigint {
  if (BigInt.asIntN(64, value) === value) return value;
  throw new CborError(`cbor: cannot unmarshal ${type} into Go value of type int64 (${value} overflows Go's int64)`);
}

function readString(cursor: Cursor, { type, count }: Head): string {
  const bytes = stringBytes(cursor, type, count);
  const text = decodeUtf8Bytes(bytes);
  if (type === 3 && !Buffer.from(text).equals(bytes)) throw new CborError('cbor: invalid UTF-8 string');
  return text;
}

function stringBytes(cursor: Cursor, type: number, count: bigint | undefined): Buffer {
  if (count !== undefined) return take(cursor, Number(count));
  const chunks: Buffer[] = [];
  for (;;) {
    if (cursor.view[cursor.at] === 0xff) {
      take(cursor, 1);
      return Buffer.concat(chunks);
    }
    const chunk = readHead(cursor);
    if (chunk.type !== type || chunk.count === undefined)
      throw new CborError(`cbor: wrong element type ${typeNames[chunk.type] ?? ''} for indefinite-length ${typeNames[type] ?? ''}`);
    chunks.push(take(cursor, Number(chunk.count)));
  }
}

function readList(cursor: Cursor, { count }: Head, depth: number): Value[] {
  const items: Value[] = [];
  for (let i = 0n; count === undefined || i < count; i += 1n) {
    const item = count === undefined ? readItemOrBreak(cursor, depth + 1) : readItem(cursor, depth + 1);
    if (item === breakCode) break;
    items.push(item);
  }
  return items;
}

function readMap(cursor: Cursor, { count }: Head, depth: number): Map<string, Value> {
  const members = new Map<string, Value>();
  for (let i = 0n; count === undefined || i < count; i += 1n) {
    const key = count === undefined ? readItemOrBreak(cursor, depth + 1) : readItem(cursor, depth + 1);
    if (key === breakCode) break;
    const value = readItem(cursor, depth + 1);
    // A typed object has no field for such a key; objects without a type are rejected upstream with another message.
    if (typeof key !== 'string') continue;
    if (members.has(key)) throw new CborError(`cbor: found duplicate map key ${quote(key)} at map element index ${i}`);
    members.set(key, value);
  }
  return members;
}

const base64Encodings: Readonly<Record<string, BufferEncoding>> = { '21': 'base64url', '22': 'base64', '23': 'hex' };

/** Byte strings that are to be shown in an encoding get it; other tags have no meaning. */
function readTagged(cursor: Cursor, tag: bigint, depth: number): Value {
  if (tag === 2n || tag === 3n)
    throw new CborError('cbor: cannot unmarshal tag into Go value of type interface {} (bignum is not allowed)');
  const encoding = ownMember(base64Encodings, String(tag));
  if (encoding === undefined || (cursor.view[cursor.at] ?? 0) >> 5 !== 2) return readItem(cursor, depth + 1);
  const { type, count } = readHead(cursor);
  return stringBytes(cursor, type, count).toString(encoding);
}

function readSimple(cursor: Cursor, { info, count }: Head): Value | typeof breakCode {
  if (info === 31) return breakCode;
  if (info === 20 || info === 21) return info === 21;
  if (info === 22) return null;
  if (info < 25)
    throw new CborError(`cbor: cannot unmarshal primitives into Go value of type interface {} (simple value ${count} is not recognized)`);
  const at = cursor.at;
  const value = info === 25 ? halfFloat(Number(count)) : info === 26 ? cursor.view.readFloatBE(at - 4) : cursor.view.readDoubleBE(at - 8);
  if (Number.isFinite(value)) return value;
  const reason = 'cbor: data item of cbor type primitives is not accepted by protocol';
  throw new CborError(`${reason}: floating-point ${Number.isNaN(value) ? 'NaN' : 'infinity'}`);
}

function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (fraction + 1024) * 2 ** (exponent - 25));
}
