import { describe, expect, it } from 'vitest';
import { readTypedMessage } from '../../../../src/apiserver/objects/protobuf/read-message.js';
import { listAt, type Value } from '../../../../src/go/value.js';
import type { StructSchema } from '../../../../src/kubernetes/schema.js';
import { schemaOfKind } from '../../../../src/kubernetes/type-table.js';
import { server } from '../../../support/server.js';

function schemaOf(group: string, kind: string): StructSchema {
  const schema = schemaOfKind(server, { group, version: 'v1', kind });
  if (schema === undefined) throw new Error(`no schema for ${kind}`);
  return schema;
}

function varint(value: bigint): number[] {
  return value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)];
}

/** A length-delimited field. */
function field(number: number, ...bytes: readonly (readonly number[] | string)[]): number[] {
  const contents = bytes.flatMap(part => (typeof part === 'string' ? [...Buffer.from(part)] : part));
  return [(number << 3) | 2, contents.length, ...contents];
}

describe('map entries of protobuf messages', () => {
  it.each([
    ['bytes, which Go omits if they are nil', '', 'Secret', field(2, field(1, 'x')), ['data'], new Map([['x', '']])],
    ['strings', '', 'ConfigMap', field(2, field(1, 'x')), ['data'], new Map([['x', '']])],
    ['quantities', '', 'ResourceQuota', field(2, field(1, field(1, 'cpu'))), ['spec', 'hard'], new Map([['cpu', '0']])],
  ] as const)('have the zero value of %s', (_, group, kind, bytes, path, expected) => {
    const value = readTypedMessage(Uint8Array.from(bytes), schemaOf(group, kind));
    expect(path.reduce((at: Value | undefined, key) => (at instanceof Map ? at.get(key) : undefined), value)).toEqual(expected);
  });

  it('have an empty key if it is missing', () => {
    expect(readTypedMessage(Uint8Array.from(field(2, field(2, 'y'))), schemaOf('', 'ConfigMap'))).toEqual(
      new Map([['data', new Map([['', 'y']])]]),
    );
  });
});

describe('times of protobuf messages', () => {
  const created = (seconds: bigint, nanoseconds = 0n): Value | undefined => {
    const time = [8, ...varint(BigInt.asUintN(64, seconds)), 16, ...varint(BigInt.asUintN(64, nanoseconds))];
    const metadata = readTypedMessage(Uint8Array.from(field(1, field(8, time))), schemaOf('', 'ConfigMap')).get('metadata');
    return metadata instanceof Map ? metadata.get('creationTimestamp') : undefined;
  };

  it.each([
    ['usual ones', 1_767_323_045n, 0n, '2026-01-02T03:04:05Z'],
    ['years of more than four digits', 4_000_000_000_000n, 0n, '128724-12-15T07:06:40Z'],
    ['nanoseconds of more than a second', 1_767_323_045n, 1_999_999_999n, '2026-01-02T03:04:06Z'],
    ['negative nanoseconds', 1_767_323_045n, -1n, '2026-01-02T03:04:04Z'],
    ["Go's zero time", -62_135_596_800n, 0n, undefined],
  ])('%s', (_, seconds, nanoseconds, expected) => {
    expect(created(seconds, nanoseconds)).toBe(expected);
  });

  it('no number of seconds ends the program', () => {
    for (const seconds of [2n ** 63n - 1n, -(2n ** 63n)]) expect(created(seconds)).toMatch(/^-?\d+-\d\d-\d\dT/);
  });
});

it('reads lists of protobuf messages in time that grows with their length', () => {
  const count = 400_000;
  const finalizers = Buffer.alloc(3 * count, Buffer.from([(14 << 3) | 2, 1, 0x61]));
  const contents = [10, ...varint(BigInt(finalizers.length))];
  const value = readTypedMessage(Buffer.concat([Uint8Array.from(contents), finalizers]), schemaOf('', 'ConfigMap'));
  expect(listAt(value, 'metadata', 'finalizers')).toHaveLength(count);
});
