import { JsonIndex, jsonType } from '../../../encoding/json-index.js';
import { Base64Error } from '../../../go/base64.js';
import type { Value } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { memoize, memoizeStrings } from '../../../kubernetes/memoize.js';
import type { LeafSchema, StructSchema } from '../../../kubernetes/schema.js';
import { schemaOfKind } from '../../../kubernetes/type-table.js';
import type { Codec } from '../codec.js';
import { isCustomCodec } from '../custom-codec.js';
import { leafOf, OtherValue } from '../decode-stored.js';
import { quantityLeafText } from '../leaf-text.js';
import { AbortedReading } from '../typed-reading.js';
import { type Field, messagePlanOf, type Plan } from './message-plan.js';
import type { WireWriter } from './wire-writer.js';
import { writeLeaf } from './write-message.js';

/**
 * Writes the protobuf message of a stored object from its text, which `encode` of the codec has written, without its values. Returns false, and writes nothing, if it
 * needs them: for custom resources, and texts with rare parts.
 */
export function writeStoredMessage(writer: WireWriter, codec: Codec, text: string): boolean {
  const schema = isCustomCodec(codec) ? undefined : schemaOfKind(codec.server, codec.kind);
  return schema !== undefined && writerFor(codec.server).write(writer, schema, text);
}

const writerFor = memoize((server: ApiServer) => new MessageWriter(server));

const none = -1;
const [zero, nine, minus] = [48, 57, 45];

/** Writes messages of one server, one after another. */
class MessageWriter {
  readonly #index = new JsonIndex('fieldsV1');
  /** The member of each field of the structs that are being written. */
  readonly #slots = new Int32Array(4096);
  #used = 0;
  readonly #quantity: (text: string) => string;

  constructor(private readonly server: ApiServer) {
    this.#quantity = memoizeStrings(1000, text => quantityLeafText(server, text));
  }

  write(writer: WireWriter, schema: StructSchema, text: string): boolean {
    if (!this.#index.read(text)) return false;
    const start = writer.length;
    this.#used = 0;
    try {
      this.#struct(writer, messagePlanOf(schema), 0);
      return true;
    } catch (error) {
      const needsValues = [OtherValue, AbortedReading, Base64Error].some(type => error instanceof type);
      if (!needsValues) throw error;
      writer.truncate(start);
      return false;
    }
  }

  #struct(writer: WireWriter, plan: Plan, object: number): void {
    const index = this.#index;
    this.#expect(object, jsonType.object);
    const [slots, base] = [this.#slots, this.#used];
    this.#used += plan.size;
    if (this.#used > slots.length) throw new OtherValue();
    for (let slot = base; slot < this.#used; slot += 1) slots[slot] = none;
    const end = index.next(object);
    for (let member = object + 1; member < end; member = index.next(member)) {
      const field = plan.find(index.keyHash(member));
      if (field !== undefined && this.#isNamed(member, field.name) && index.type(member) !== jsonType.null)
        slots[base + field.slot] = member;
    }
    this.#rows(writer, plan.rows, base);
    this.#used = base;
  }

  #isNamed(member: number, name: Buffer): boolean {
    const { bytes } = this.#index;
    const start = this.#index.keyStart(member);
    if (this.#index.keyEnd(member) - start !== name.length) return false;
    for (let i = 0; i < name.length; i += 1) if (bytes[start + i] !== name[i]) return false;
    return true;
  }

  #rows(writer: WireWriter, rows: readonly Field[], base: number): void {
    for (let i = 0; i < rows.length; i += 1) {
      const field = rows[i] as Field;
      if (field.kind === 'embedded') {
        const start = writer.begin(field.number);
        this.#rows(writer, field.rows, base);
        writer.end(start);
        continue;
      }
      const member = this.#slots[base + field.slot] as number;
      if (member !== none) this.#field(writer, field, member);
      else if (field.empty.length > 0) writer.rawIn(field.empty, 0, field.empty.length);
    }
  }

  #field(writer: WireWriter, field: Field, value: number): void {
    const index = this.#index;
    switch (field.kind) {
      case 'string':
        if (index.type(value) === jsonType.string) writer.textIn(field.number, index.bytes, index.start(value), index.end(value));
        else this.#leaf(writer, field, value);
        break;
      case 'struct':
      case 'message':
        this.#message(writer, field, value);
        break;
      case 'map':
        this.#entries(writer, field, value);
        break;
      case 'list': {
        this.#expect(value, jsonType.array);
        const end = index.next(value);
        for (let item = value + 1; item < end; item = index.next(item)) this.#field(writer, field.inner as Field, item);
        break;
      }
      default:
        this.#leaf(writer, field, value);
    }
  }

  #expect(value: number, type: number): void {
    if (this.#index.type(value) !== type) throw new OtherValue();
  }

  #message(writer: WireWriter, field: Field, value: number): void {
    const start = writer.begin(field.number);
    if (field.inner === undefined) this.#struct(writer, field.plan, value);
    else this.#field(writer, field.inner, value);
    writer.end(start);
  }

  /** Entries are written in the order of their keys, which is mostly that of the text. */
  #entries(writer: WireWriter, field: Field, object: number): void {
    const index = this.#index;
    this.#expect(object, jsonType.object);
    const end = index.next(object);
    let previous = none;
    for (let member = object + 1; member < end; member = index.next(member)) {
      if (previous !== none && !this.#isBefore(previous, member)) throw new OtherValue();
      previous = member;
      const start = writer.begin(field.number);
      writer.textIn(1, index.bytes, index.keyStart(member), index.keyEnd(member));
      this.#field(writer, field.inner as Field, member);
      writer.end(start);
    }
  }

  #isBefore(first: number, second: number): boolean {
    const index = this.#index;
    const { bytes } = index;
    const at = index.keyStart(first);
    const otherAt = index.keyStart(second);
    const length = index.keyEnd(first) - at;
    const otherLength = index.keyEnd(second) - otherAt;
    for (let i = 0; i < length && i < otherLength; i += 1) {
      const difference = (bytes[at + i] as number) - (bytes[otherAt + i] as number);
      if (difference !== 0) return difference < 0;
    }
    return length < otherLength;
  }

  #leaf(writer: WireWriter, { number, kind, schema }: Field, value: number): void {
    const index = this.#index;
    const type = index.type(value);
    const start = index.start(value);
    const end = index.end(value);
    if (kind === 'bool' && (type === jsonType.true || type === jsonType.false))
      this.#varint(writer, number, type === jsonType.true ? 1 : 0);
    else if (kind === 'integer' && type === jsonType.number && end - start < 10 && index.bytes[start] !== minus) {
      this.#varint(writer, number, digitsIn(index.bytes, start, end));
    } else if (kind === 'fieldsv1' && type === jsonType.opaque) {
      const message = writer.begin(number);
      writer.textIn(1, index.bytes, start, end);
      writer.end(message);
    } else if (kind === 'quantity' && type === jsonType.string) {
      const message = writer.begin(number);
      writer.text(1, this.#quantity(index.slice(start, end)));
      writer.end(message);
    } else if (kind === 'time' && type === jsonType.string && secondsIn(index.bytes, start, end) >= 0) {
      const message = writer.begin(number);
      this.#varint(writer, 1, secondsIn(index.bytes, start, end));
      this.#varint(writer, 2, 0);
      writer.end(message);
    } else writeLeaf(writer, number, schema as LeafSchema, this.#leafValue(schema as LeafSchema, value));
  }

  #varint(writer: WireWriter, number: number, value: number): void {
    writer.tag(number, 0);
    writer.varint(value);
  }

  #leafValue(schema: LeafSchema, value: number): Value {
    const index = this.#index;
    const type = index.type(value);
    const isPart = type === jsonType.object || type === jsonType.array || type === jsonType.opaque || type === jsonType.null;
    if (isPart) throw new OtherValue();
    const isText = type === jsonType.string || type === jsonType.escaped;
    const text = index.slice(index.start(value), index.end(value));
    const plain = JSON.parse(isText ? `"${text}"` : text);
    if (isText && rareCharacter.test(plain)) throw new OtherValue();
    return leafOf(schema, plain, this.server);
  }
}

/** Returns a number without a sign. Throws OtherValue if it is not an integer. */
function digitsIn(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = bytes[at] as number;
    if (digit < zero || digit > nine) throw new OtherValue();
    value = value * 10 + digit - zero;
  }
  return value;
}

/** Lone surrogates, which UTF-8 cannot encode, and the character that replaces them. */
const rareCharacter = /[\ud800-\udfff\ufffd]/;

/** Returns the seconds of `2026-11-29T10:00:00Z`; -1 for another form, and for years before 1970. */
function secondsIn(bytes: Buffer, start: number, end: number): number {
  if (end - start !== 20 || bytes[end - 1] !== 90) return -1;
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 5);
  if (!(year >= 1970 && month >= 1 && month <= 12)) return -1;
  // Years begin in March: the leap day is the last one.
  const ofYear = month > 2 ? year : year - 1;
  const days = ofYear * 365 + Math.floor(ofYear / 4) - Math.floor(ofYear / 100) + Math.floor(ofYear / 400);
  const ofMonth = Math.floor((((month + 9) % 12) * 153 + 2) / 5) + twoDigits(bytes, start + 8);
  const minutes = twoDigits(bytes, start + 11) * 60 + twoDigits(bytes, start + 14);
  const seconds = (days + ofMonth - daysBefore1970) * 86_400 + minutes * 60 + twoDigits(bytes, start + 17);
  return seconds >= 0 ? seconds : -1;
}

/** Returns NaN for other characters. */
function twoDigits(bytes: Buffer, at: number): number {
  const tens = (bytes[at] as number) - zero;
  const ones = (bytes[at + 1] as number) - zero;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? Number.NaN : tens * 10 + ones;
}

const daysBefore1970 = 719_469;
