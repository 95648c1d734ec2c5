import type { WireWriter } from '../../apiserver/objects/protobuf/wire-writer.js';
import { writeGoYaml } from '../../encoding/go-yaml-writer.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';

/** Writes a field of a protobuf message; like proto3, nothing for an empty value. */
export type WriteField = (writer: WireWriter, number: number, value: Value) => void;

/** Fields of a message in the order of their numbers, with the members that they are made from. `...` is the whole map. */
export type Fields = readonly (readonly [number: number, member: string, write: WriteField])[];

export const text: WriteField = (writer, number, value) => {
  if (typeof value === 'string' && value !== '') writer.text(number, value);
};

export const flag: WriteField = (writer, number, value) => {
  if (value !== true) return;
  writer.tag(number, 0);
  writer.varint(1);
};

export const integer: WriteField = (writer, number, value) => {
  if (typeof value !== 'bigint' && typeof value !== 'number') return;
  if (Number(value) === 0) return;
  writer.tag(number, 0);
  writer.varint(value);
};

export const double: WriteField = (writer, number, value) => {
  if (typeof value !== 'bigint' && typeof value !== 'number') return;
  if (Number(value) === 0) return;
  writer.tag(number, 1);
  writer.float64(Number(value));
};

/** An `Any` of gnostic, which has a value as YAML. */
export const any: WriteField = (writer, number, value) => writer.message(number, () => text(writer, 2, writeGoYaml(value)));

/** Members of a map that are extensions, each with its name. */
export const extensions: WriteField = (writer, number, value) => {
  if (!isMap(value)) return;
  for (const [name, member] of value) if (name.startsWith('x-')) namedEntry(writer, number, name, member, any);
};

/** Returns the writer of a message with these fields. */
export function message(fields: () => Fields): WriteField {
  return (writer, number, value) => {
    if (isMap(value)) writer.message(number, () => writeMessageFields(writer, value, fields()));
  };
}

/** Returns the writer of a repeated field. */
export function list(write: WriteField): WriteField {
  return (writer, number, value) => {
    if (isList(value)) for (const item of value) write(writer, number, item);
  };
}

/** Returns the writer of a repeated field that has the members of a map, each as a message of its name and its value. */
export function named(write: WriteField): WriteField {
  return (writer, number, value) => {
    if (isMap(value)) for (const [name, member] of value) namedEntry(writer, number, name, member, write);
  };
}

/** Returns the writer of a message whose only field is made from the whole value. */
export function wrapped(inner: number, write: WriteField): WriteField {
  return (writer, number, value) => writer.message(number, () => write(writer, inner, value));
}

/** Returns the writer that a value needs. */
export function chosen(choose: (value: Value) => WriteField): WriteField {
  return (writer, number, value) => choose(value)(writer, number, value);
}

/** Writes the fields that are made from a map's members. */
export function writeMessageFields(writer: WireWriter, map: ValueMap, fields: Fields): void {
  for (const [number, member, write] of fields) {
    const value = member === '...' ? map : map.get(member);
    if (value !== undefined) write(writer, number, value);
  }
}

function namedEntry(writer: WireWriter, number: number, name: string, value: Value, write: WriteField): void {
  writer.message(number, () => {
    text(writer, 1, name);
    write(writer, 2, value);
  });
}
